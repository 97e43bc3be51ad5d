package storetest

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/scenario"
)

// testScenarioVersions: each save adds a version with its number, time and actor; the newest are kept, they belong to
// one organization, and are deleted with the scenario.
func testScenarioVersions(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	const saves = scenario.MaxVersions + 3
	plan := scenario.Scenario{ID: "visit", OrgID: "bakery", Steps: []scenario.FlowStep{{ID: "a", Type: scenario.End}}}
	for i := range saves {
		plan.Name = "name " + strconv.Itoa(i+1)
		wantCode(t, "PutScenario", s.PutScenario(ctx, plan, "user:"+strconv.Itoa(i+1), now.Add(time.Duration(i)*time.Hour)), "")
	}
	neighbour := scenario.Scenario{ID: "visit2", OrgID: "bakery"}
	wantCode(t, "CreateScenario", s.CreateScenario(ctx, neighbour, asked, now), "")

	heads, err := s.ListScenarioVersions(ctx, "bakery", "visit")
	if wantCode(t, "ListScenarioVersions", err, ""); len(heads) != scenario.MaxVersions {
		t.Fatalf("%d versions are kept, want %d", len(heads), scenario.MaxVersions)
	}
	for i, head := range heads {
		n := saves - i
		want := scenario.VersionHead{
			Number: n, Name: "name " + strconv.Itoa(n), SavedBy: "user:" + strconv.Itoa(n),
			SavedAt: now.Add(time.Duration(n-1) * time.Hour),
		}
		if diff := cmp.Diff(want, head); diff != "" {
			t.Fatal(diff)
		}
	}
	newest, err := s.FindScenario(ctx, "bakery", "visit")
	wantCode(t, "FindScenario", err, "")
	got, err := s.FindScenarioVersion(ctx, "bakery", "visit", saves)
	if wantCode(t, "FindScenarioVersion", err, ""); newest.Version != saves || cmp.Diff(newest, got.Scenario) != "" {
		t.Errorf("version %d: %s", newest.Version, cmp.Diff(newest, got.Scenario))
	}
	for _, number := range []int{saves - scenario.MaxVersions, saves + 1, 0, -1} {
		_, err = s.FindScenarioVersion(ctx, "bakery", "visit", number)
		wantCode(t, "version "+strconv.Itoa(number), err, store.CodeNotFound)
	}
	wantCode(t, "an outdated version", s.ReplaceScenario(ctx, plan, saves-1, asked, now), store.CodeConflict)
	wantCode(t, "of none", s.ReplaceScenario(ctx, plan, 0, asked, now), store.CodeConflict)
	wantCode(t, "a version of nothing", s.ReplaceScenario(ctx, scenario.Scenario{ID: "new", OrgID: "bakery"}, 1, asked, now),
		store.CodeConflict)
	wantCode(t, "ReplaceScenario of none", s.ReplaceScenario(ctx, scenario.Scenario{ID: "new", OrgID: "bakery"}, 0, asked, now), "")
	wantCode(t, "ReplaceScenario", s.ReplaceScenario(ctx, plan, saves, asked, now), "")
	if newest, err = s.FindScenario(ctx, "bakery", "visit"); err != nil || newest.Version != saves+1 {
		t.Errorf("after ReplaceScenario: version %d, %v", newest.Version, err)
	}
	_, err = s.FindScenarioVersion(ctx, "airline", "visit", saves)
	wantCode(t, "another organization's", err, store.CodeNotFound)
	if heads, err = s.ListScenarioVersions(ctx, "airline", "visit"); err != nil || len(heads) > 0 {
		t.Errorf("another organization's: %v, %v", heads, err)
	}

	wantCode(t, "DeleteScenario", s.DeleteScenario(ctx, "bakery", "visit", asked, now), "")
	if heads, err = s.ListScenarioVersions(ctx, "bakery", "visit"); err != nil || len(heads) > 0 {
		t.Errorf("of a deleted scenario: %v, %v", heads, err)
	}
	if heads, err = s.ListScenarioVersions(ctx, "bakery", "visit2"); err != nil || len(heads) != 1 {
		t.Errorf("of its neighbour: %v, %v", heads, err)
	}
}
