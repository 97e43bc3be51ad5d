package api_test

import (
	"context"
	"strings"
	"testing"

	"munadi/appliance/api"
	"munadi/store/scenario"
)

// TestPhraseProposals: proposals are listed; an accepted one stands in the draft, a dismissed one is not listed again;
// both are in the audit trail.
func TestPhraseProposals(t *testing.T) {
	t.Parallel()
	all := []scenario.PhraseProposal{
		{ID: "a1", Slot: "ok", Value: true, Heard: "بالغالي", Phrase: "بالغالي", Calls: 3},
		{ID: "b2", Slot: "ok", Value: false, Heard: "ما أظن", Phrase: "ما أظن", Calls: 2},
	}
	b := newAPIFixture(t, func(d *api.Dependencies) {
		d.UseCases.FindProposals = func(context.Context, string, scenario.Scenario) ([]scenario.PhraseProposal, error) {
			return append([]scenario.PhraseProposal(nil), all...), nil
		}
	})
	const at = "/scenarios/visit/phrase-proposals"
	b.askPath("POST", "/scenarios", visit(`null`, "أيناسبكم", "")).want(201)
	if got := b.askPath("GET", at, "").want(200); got.text("data", 0, "phrase") != "بالغالي" || got.at("data", 1, "calls") != 2.0 {
		t.Errorf("%s", got.Body)
	}
	b.askPath("POST", at+"/a1", `{}`).failure(422, "validation_error", "accept")
	b.askPath("POST", at+"/none", `{"accept":true}`).failure(404, "not_found")
	b.askPath("POST", at+"/a1", `{"accept":true}`).want(200)
	if got := b.askPath("GET", "/scenarios/visit", "").want(200); got.text("data", "status") != "draft" ||
		got.text("data", "steps", 0, "slot", "yes", 0) != "بالغالي" || got.at("data", "published_version") != 1.0 {
		t.Errorf("%s", got.Body)
	}
	b.askPath("POST", at+"/b2", `{"accept":false}`).want(200)
	b.askPath("POST", at+"/b2", `{"accept":false}`).failure(404, "not_found")
	if got := b.askPath("GET", at, "").want(200); strings.Contains(got.Body.String(), `"b2"`) || !strings.Contains(got.Body.String(), `"a1"`) {
		t.Errorf("%s", got.Body)
	}
	b.askPath("GET", "/scenarios/nobody/phrase-proposals", "").failure(404, "not_found")
	trail, err := b.store.AuditTrail(t.Context(), "acme", 10, "")
	mustSucceed(t, err)
	if len(trail.Items) < 2 || trail.Items[0].Action != "phrases.dismissed" || trail.Items[1].Action != "scenario.draft" {
		t.Errorf("%+v", trail.Items)
	}
}
