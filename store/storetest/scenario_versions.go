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

// testScenarioDrafts: a draft lies beside the published version, which stays in force; publishing removes it. Both count
// as versions, of which the one in force is kept. The audit trail names who published.
func testScenarioDrafts(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	plan := scenario.Scenario{ID: "visit", OrgID: "bakery", Name: "sketch", Status: scenario.DraftStatus}
	find := func() scenario.Scenario {
		t.Helper()
		found, err := s.FindScenario(ctx, "bakery", "visit")
		wantCode(t, "FindScenario", err, "")
		return found
	}
	save := func(name string, status scenario.ScenarioStatus) {
		t.Helper()
		plan.Name, plan.Status = name, status
		wantCode(t, "PutScenario", s.PutScenario(ctx, plan, "user:"+name, now), "")
	}
	wantCode(t, "CreateScenario", s.CreateScenario(ctx, plan, asked, now), "")
	if got := find(); got.IsPublished() || got.Draft != nil || got.Version != 1 || got.PublishedVersion() != nil {
		t.Errorf("only a draft: %+v", got)
	}
	save("second", scenario.DraftStatus)
	save("first", scenario.PublishedStatus)
	if got := find(); !got.IsPublished() || got.Draft != nil || got.Version != 3 || got.Name != "first" {
		t.Errorf("published: %+v", got)
	}
	const drafts = scenario.MaxVersions + 2
	for range drafts {
		save("third", scenario.DraftStatus)
	}
	got := find()
	if !got.IsPublished() || got.Version != 3 || got.Name != "first" || got.Draft == nil || got.Latest().Name != "third" ||
		got.Latest().Version != 3+drafts || got.Latest().OrgID != "bakery" || !got.Latest().CreatedAt.Equal(now) {
		t.Fatalf("a draft beside it: %+v", got)
	}
	if all, err := s.ListScenarios(ctx, "bakery"); err != nil || len(all) != 1 || cmp.Diff(got, all[0]) != "" {
		t.Errorf("listed: %+v, %v", all, err)
	}
	heads, err := s.ListScenarioVersions(ctx, "bakery", "visit")
	if err != nil || len(heads) != scenario.MaxVersions+1 || !heads[0].Draft || heads[scenario.MaxVersions].Number != 3 ||
		heads[scenario.MaxVersions].Draft {
		t.Errorf("%d versions, %v", len(heads), err)
	}
	wantCode(t, "of the published version", s.ReplaceScenario(ctx, plan, 3, asked, now), store.CodeConflict)
	plan.Name, plan.Status = "fourth", scenario.PublishedStatus
	wantCode(t, "ReplaceScenario", s.ReplaceScenario(ctx, plan, 3+drafts, "user:fourth", now), "")
	if got := find(); got.Draft != nil || got.Version != 4+drafts || got.Name != "fourth" {
		t.Errorf("published over a draft: %+v", got)
	}
	if _, err := s.FindScenarioVersion(ctx, "bakery", "visit", 3); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("the version that was in force is kept beyond its time: %v", err)
	}
	save("fifth", scenario.DraftStatus)
	page, err := s.AuditTrail(ctx, "bakery", 2, "")
	if err != nil || page.Items[0].Action != "scenario.draft" || page.Items[1].Action != "scenario.publish" ||
		page.Items[1].Actor != "user:fourth" {
		t.Errorf("%+v, %v", page.Items, err)
	}
	wantCode(t, "DeleteScenario", s.DeleteScenario(ctx, "bakery", "visit", asked, now), "")
	if heads, err := s.ListScenarioVersions(ctx, "bakery", "visit"); err != nil || len(heads) > 0 {
		t.Errorf("of a deleted scenario: %v, %v", heads, err)
	}
}
