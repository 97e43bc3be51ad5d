package api_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"munadi/appliance/api"
	"munadi/appliance/service"
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
	b.askPath("GET", "/scenarios/none/talk", "", both, upgrade).failure(404, "not_found")
	full = true
	refused := b.askPath("GET", path, "", both, upgrade).failure(429, "rate_limited")
	if refused.Header().Get("Retry-After") == "" {
		t.Errorf("%v", refused.Header())
	}
}
