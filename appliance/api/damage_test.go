package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/api"
	"munadi/appliance/auth"
	"munadi/appliance/csvcell"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/badger/badgertest"
	"munadi/store/storetest/fixture"
)

// clinicKeys authenticates every request as one of the fixture's organization.
type clinicKeys struct{}

func (clinicKeys) VerifyHeader(context.Context, string) (auth.Principal, error) {
	return auth.Principal{OrgID: fixture.OrgID, KeyID: "desk", Scopes: account.AllScopes()}, nil
}

// ownKinds are the kinds of the one record that a route answers: damage of that is an honest error.
var ownKinds = map[string][]string{
	"/calls/:call_id":         {"call", "call-words"},
	"/campaigns/:campaign_id": {"campaign"},
	"/scenarios/:scenario_id": {"scenario"},
	"/organization":           {"org", "rules"},
	"/webhook":                {"webhook"},

	"/destinations/:destination_id": {"destinations"},
	"/inbound":                      {"inbound"},

	"/scenarios/:scenario_id/talk": {"scenario"}, "/scenarios/:scenario_id/phrase-proposals": {"scenario"},

	"/replays": {"replays"}, "/replays/:replay_id": {"replays"}, "/replays/:replay_id/results": {"replays"},
}

// TestDamageOfEveryKind: with one unreadable record of any kind every list and every file is answered with the others,
// and says that something is missing.
func TestDamageOfEveryKind(t *testing.T) {
	t.Parallel()
	filled, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	mustSucceed(t, err)
	t.Cleanup(func() { mustSucceed(t, filled.Close()) })
	in := fixture.FillStore(t, filled)
	dump := badgertest.DumpStore(t, filled)
	serve := func(key string) *apiFixture {
		s := dump.OpenDamaged(t, key)
		return newAPIFixture(t, func(d *api.Dependencies) { d.Store, d.UseCases.Store, d.Auth = s, s, clinicKeys{} })
	}
	whole := serve("")
	paths := map[string]string{"/suppressions": "/suppressions", "/suppressions (CSV)": "/suppressions", "/audit (CSV)": "/audit"}
	for _, r := range whole.echo.Routes() {
		path := strings.TrimPrefix(r.Path, api.Root)
		if r.Method == http.MethodGet && strings.HasPrefix(r.Path, api.Root) && !isFixtureRoute(path) {
			paths[path] = strings.NewReplacer(":call_id", in.Calls["amended"], ":campaign_id", in.Campaigns["running"],
				":scenario_id", "visit", ":destination_id", in.Destinations["all events"]).Replace(path)
		}
	}
	keys := dump.SampleKeys()
	keys["call"], keys["delivery"] = "call/clinic/"+in.Calls["completed"], lastDelivery(t, filled)
	for _, kind := range []string{"campaign", "campaign-tally"} { // of one whose calls are all there to be counted again
		keys[kind] = kind + "/clinic/" + in.Campaigns["paused"]
	}
	for kind, key := range keys {
		damaged := serve(key)
		for route, path := range paths {
			accept := withHeader{"Accept", "application/json"}
			if strings.HasSuffix(route, "(CSV)") {
				accept.value = "text/csv"
			}
			want := whole.askPath(http.MethodGet, path, "", accept)
			got := damaged.askPath(http.MethodGet, path, "", accept)
			if got.Code == http.StatusInternalServerError && slices.Contains(ownKinds[route], kind) {
				continue
			}
			if got.Code != want.Code {
				t.Errorf("%s × GET %s: status %d, want %d: %.300s", kind, route, got.Code, want.Code, got.Body)
				continue
			}
			if before, after := withoutMeta(want.Body.Bytes()), withoutMeta(got.Body.Bytes()); before != after &&
				!saysIncomplete(got.Body.Bytes()) {
				t.Errorf("%s × GET %s: without a word:\n%.300s\n%.300s", kind, route, before, after)
			}
		}
	}
}

// isFixtureRoute reports whether a route is not of the store's records.
func isFixtureRoute(path string) bool {
	return slices.Contains([]string{"/panics", "/loads", "/health"}, path) || strings.Contains(path, "recording")
}

// lastDelivery returns the key of the delivery of a call's end.
func lastDelivery(t *testing.T, s store.OutboxStore) string {
	t.Helper()
	page, err := s.ListDeliveries(t.Context(), fixture.OrgID, "", 200, "")
	mustSucceed(t, err)
	for _, d := range page.Items {
		if d.CallID != "" && len(d.Tries) > 0 {
			return "delivery/" + fixture.OrgID + "/" + d.ID
		}
	}
	t.Fatal("there is no delivery of a call")
	return ""
}

// withoutMeta returns an answer without its meta object.
func withoutMeta(body []byte) string {
	var answer map[string]any
	if json.Unmarshal(body, &answer) != nil {
		return string(body)
	}
	delete(answer, "meta")
	text, err := json.Marshal(answer)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// saysIncomplete reports whether an answer says that something is missing.
func saysIncomplete(body []byte) bool {
	var answer struct {
		Meta struct {
			Warnings []string `json:"warnings"`
		} `json:"meta"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return strings.Contains(string(body), csvcell.IncompleteMark)
	}
	return len(answer.Meta.Warnings) > 0 || strings.Contains(string(body), "damaged: 1")
}
