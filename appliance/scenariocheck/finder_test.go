package scenariocheck_test

import (
	"context"
	"errors"
	"testing"

	"munadi/appliance/scenariocheck"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/scenario"
)

// ownScenarios is a store with one scenario, which fails for the organization "broken".
type ownScenarios struct{ own scenario.Scenario }

var errBroken = errors.New("broken")

func (s ownScenarios) FindScenario(_ context.Context, orgID, id string) (scenario.Scenario, error) {
	switch {
	case orgID == "broken":
		return scenario.Scenario{}, errBroken
	case orgID == s.own.OrgID && id == s.own.ID:
		return s.own, nil
	}
	return scenario.Scenario{}, store.Errorf(store.CodeNotFound, "there is no scenario %q", id)
}

func (s ownScenarios) FindScenarioVersion(
	ctx context.Context, orgID, id string, number int,
) (scenario.ScenarioVersion, error) {
	own, err := s.FindScenario(ctx, orgID, id)
	if err == nil && number != 2 {
		err = store.Errorf(store.CodeNotFound, "there is no version %d", number)
	}
	own.Version = number
	return scenario.ScenarioVersion{Scenario: own}, err
}

// An organization's own scenario comes before the built-in one of the same id.
func TestScenarioFinder(t *testing.T) {
	t.Parallel()
	f := scenariocheck.ScenarioFinder{
		Store:   ownScenarios{scenario.Scenario{OrgID: "acme", ID: "order"}},
		BuiltIn: []scenario.Scenario{{ID: "order"}, {ID: "survey"}},
	}
	for _, c := range []struct{ orgID, id, owner string }{{"acme", "order", "acme"}, {"other", "order", ""}, {"acme", "survey", ""}} {
		if got, err := f.Scenario(t.Context(), c.orgID, c.id); err != nil || got.ID != c.id || got.OrgID != c.owner {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
	for id, builtIn := range map[string]bool{"order": true, "sketch": false} { // calls follow no draft
		f.Store = ownScenarios{scenario.Scenario{OrgID: "acme", ID: id, Status: scenario.DraftStatus}}
		got, err := f.Scenario(t.Context(), "acme", id)
		if builtIn != (err == nil && got.IsPublished()) || !builtIn && store.CodeOf(err) != store.CodeNotFound {
			t.Errorf("a draft of %s: %+v, %v", id, got, err)
		}
	}
	if _, err := f.Scenario(t.Context(), "acme", "none"); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("none: %v", err)
	}
	for _, c := range []struct {
		follow       bool
		booked, want int
	}{{false, 2, 2}, {true, 2, 5}, {false, 1, 5}, {false, 5, 5}} { // of the versions before only 2 is kept
		f.Store = ownScenarios{scenario.Scenario{OrgID: "acme", ID: "order", Version: 5, UpdateBookedCalls: c.follow}}
		if got, err := f.ScenarioVersion(t.Context(), "acme", "order", c.booked); err != nil || got.Version != c.want {
			t.Errorf("%+v: version %d, %v", c, got.Version, err)
		}
		spoken := 0 // the version whose lines are checked before the call is dialled
		check := scenariocheck.SpeechCheck{Scenarios: &f, Check: func(_ context.Context, _ call.Call, s scenario.Scenario) error {
			spoken = s.Version
			return nil
		}}
		booked := call.Call{OrgID: "acme", ScenarioID: "order", ScenarioVersion: c.booked}
		if err := check.CheckCall(t.Context(), booked); err != nil || spoken != c.want {
			t.Errorf("%+v: the lines of version %d are checked, %v", c, spoken, err)
		}
	}
	if _, err := f.Scenario(t.Context(), "broken", "order"); !errors.Is(err, errBroken) {
		t.Errorf("a store that fails: %v", err)
	}
}
