package api_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"munadi/appliance/api"
	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/callrules"
)

// TestTalk checks who may talk to which version of a scenario, the refusals before the upgrade, and the key of a
// browser, which is a subprotocol.
func TestTalk(t *testing.T) {
	t.Parallel()
	var got service.TalkRequest
	full := false
	b := newAPIFixture(t, func(d *api.Dependencies) {
		d.Auth = scopedKeys{}
		d.Talk = func(w http.ResponseWriter, _ *http.Request, q service.TalkRequest) error {
			if got = q; full {
				return errors.New("too many conversations are open")
			}
			w.WriteHeader(http.StatusSwitchingProtocols)
			return nil
		}
	})
	both := withKey("calls:write,settings")
	b.askPath("POST", "/scenarios", visit(`"draft"`, "أول", greenTest), both).want(201)
	const path = "/scenarios/visit/talk"
	upgrade := withHeader{"Upgrade", "websocket"}
	b.askPath("GET", path, "", withKey("calls:write"), upgrade).failure(409, "conflict")
	b.askPath("GET", path+"?draft=true", "", withKey("calls:write"), upgrade).failure(403, "permission_error")
	b.askPath("GET", path+"?draft=true", "", both).failure(426, "malformed_request")
	b.askPath("GET", path+"?draft=true", "", both, upgrade).want(101)
	if got.Scenario.Steps[0].Say[0].Text != "أول" || got.Actor != "key:calls:write,settings" && !strings.HasPrefix(got.Actor, "key:") {
		t.Errorf("%+v", got)
	}
	b.askPath("PUT", "/scenarios/visit", visit(`"published"`, "أول", greenTest), both).want(200)
	b.askPath("PUT", "/scenarios/visit", visit(`"draft"`, "ثان", greenTest), both).want(200)
	offer := withHeader{"Sec-WebSocket-Protocol", "munadi-talk, openai-insecure-api-key.calls:write"}
	b.askPath("GET", path, "", withHeader{"Authorization", ""}, offer, upgrade).want(101)
	if got.Scenario.Steps[0].Say[0].Text != "أول" {
		t.Errorf("the draft was talked to: %+v", got.Scenario)
	}
	b.askPath("GET", path+"?variables="+url.QueryEscape(`["x"]`), "", both, upgrade).failure(422, "validation_error", "variables")
	given := url.QueryEscape(`{"who":"سارة","guests":3.5,"first":true}`)
	b.askPath("GET", path+"?variables="+given, "", both, upgrade).want(101)
	if want := map[string]any{"who": "سارة", "guests": 3.5, "first": true}; !maps.Equal(got.Variables, want) {
		t.Errorf("the variables are %v", got.Variables)
	}
	b.askPath("GET", "/scenarios/none/talk", "", both, upgrade).failure(404, "not_found")
	full = true
	refused := b.askPath("GET", path, "", both, upgrade).failure(429, "rate_limited")
	if refused.Header().Get("Retry-After") == "" {
		t.Errorf("%v", refused.Header())
	}
}

// TestRing checks which version of a scenario rings whom, and the refusals before it does.
func TestRing(t *testing.T) {
	t.Parallel()
	var got service.TalkRequest
	var rung callrules.TransferTarget
	var b *apiFixture
	b = newAPIFixture(t, func(d *api.Dependencies) {
		d.Auth = scopedKeys{}
		d.Ring = func(ctx context.Context, q service.TalkRequest, to callrules.TransferTarget) (string, error) {
			got, rung = q, to
			c := call.NewTrial(call.Call{OrgID: q.OrgID, ScenarioID: q.Scenario.ID, Variables: q.Variables}, time.Now())
			return c.ID, b.store.BeginTrial(ctx, c, q.Actor)
		}
	})
	both := withKey("calls,settings")
	b.askPath("POST", "/scenarios", visit(`"draft"`, "أول", greenTest), both).want(201)
	const path, extension = "/scenarios/visit/ring", `{"extension":"sip:204@pbx.example"`
	b.askPath("POST", path, extension+`}`, withKey("calls")).failure(409, "conflict")
	b.askPath("POST", path, extension+`,"draft":true}`, withKey("calls")).failure(403, "permission_error")
	b.askPath("POST", path, `{"extension":"sip:204@pbx.example;x","draft":true}`, both).failure(422, "validation_error", "extension")
	b.askPath("POST", path, extension+`,"draft":true,"variables":[]}`, both).failure(422, "validation_error", "variables")
	b.askPath("POST", "/scenarios/none/ring", extension+`}`, both).failure(404, "not_found")
	if got.Scenario.ID != "" {
		t.Fatalf("a refused one rings: %+v", got)
	}
	answer := b.askPath("POST", path, extension+`,"draft":true}`, both).want(202)
	if rung.String() != "sip:204@pbx.example" || got.Scenario.Steps[0].Say[0].Text != "أول" || !strings.Contains(answer.Body.String(), `"trial":true`) {
		t.Errorf("%+v, %+v, %s", rung, got, answer.Body)
	}
	b.askPath("PATCH", "/organization", `{"kill_switch":true}`, both).want(200)
	b.askPath("POST", path, extension+`,"draft":true}`, both).failure(409, "conflict", "phone_number")
}
