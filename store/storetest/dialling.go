package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// testRules: rules are stored completely, per organization.
func testRules(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	r := callrules.CallRules{
		TimeZone: "Asia/Riyadh", CallingHours: callrules.CallingHours{"sunday": {{From: "09:00", To: "18:00"}}, "friday": {}},
		Holidays: []string{"2026-09-23"}, AttemptsPerDay: 2, KillSwitch: true, Recording: callrules.RecordOff,
	}
	woken, stop := s.WatchKind(store.CallsChanged)
	defer stop()
	wantCode(t, "PutRules", ReplaceRules(t.Context(), s, "bakery", r, asked, startTime()), "")
	select {
	case <-woken:
	default:
		t.Error("new rules notify no watcher")
	}
	r.UpdatedAt = startTime()
	got, err := s.FindRules(t.Context(), "bakery")
	if wantCode(t, "Rules", err, ""); cmp.Diff(r, got) != "" {
		t.Error(cmp.Diff(r, got))
	}
	for _, orgID := range []string{"airline", "nobody", ""} {
		if got, err := s.FindRules(t.Context(), orgID); err != nil || cmp.Diff(callrules.CallRules{}, got) != "" {
			t.Errorf("the rules of %q are %+v, %v", orgID, got, err)
		}
	}
	wantCode(t, "nobody's", ReplaceRules(t.Context(), s, "nobody", r, asked, startTime()), store.CodeNotFound)
	changeRules(t, s, r)
}

// rulesKept: a dialled call names the rules that were in force, which are kept when they change, and whether its number
// was suppressed.
func rulesKept(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	now := startTime()
	r := callrules.CallRules{TimeZone: "Asia/Riyadh", ConsentBasis: "contract", Recording: callrules.RecordOn}
	var sums []string
	for i, basis := range []string{"contract", "contract", "consent"} {
		r.ConsentBasis = basis
		if i != 1 {
			wantCode(t, "PutRules", ReplaceRules(t.Context(), s, "bakery", r, asked, now), "")
		}
		c := newCall("bakery", 0)
		bookCalls(t, s, c)
		if i == 2 {
			one := callrules.SuppressionEntry{OrgID: "bakery", PhoneNumber: c.PhoneNumber, CreatedAt: now}
			wantCode(t, "AddSuppressions", s.AddSuppressions(t.Context(), []callrules.SuppressionEntry{one}, asked, now), "")
		}
		released, err := s.ReleaseCall(t.Context(), "bakery", c.ID, now.Add(time.Minute))
		wantCode(t, "ReleaseCall", err, "")
		if d := released.Dialled; d == nil || !d.At.Equal(now.Add(time.Minute)) || d.Suppressed != (i == 2) {
			t.Fatalf("call %d was dialled by %+v", i, d)
		}
		if found, err := s.FindCall(t.Context(), "bakery", c.ID); err != nil || cmp.Diff(released.Dialled, found.Dialled) != "" {
			t.Errorf("call %d: %+v, %v", i, found.Dialled, err)
		}
		sums = append(sums, released.Dialled.Rules)
		r.UpdatedAt = now
		kept, err := s.FindKeptRules(t.Context(), "bakery", sums[i])
		if wantCode(t, "FindKeptRules", err, ""); cmp.Diff(r, kept) != "" {
			t.Errorf("call %d: %s", i, cmp.Diff(r, kept))
		}
	}
	if sums[0] != sums[1] || sums[1] == sums[2] {
		t.Errorf("the rules are kept as %v", sums)
	}
	if kept, err := s.FindKeptRules(t.Context(), "bakery", sums[0]); err != nil || kept.ConsentBasis != "contract" {
		t.Errorf("after a change the first are %+v, %v", kept, err)
	}
	_, err := s.FindKeptRules(t.Context(), "airline", sums[0])
	wantCode(t, "FindKeptRules of another organization", err, store.CodeNotFound)
}

// changeRules: a change gets the stored rules, and a failed one leaves them unchanged.
func changeRules(t *testing.T, s store.Store, r callrules.CallRules) {
	t.Helper()
	ctx, later := t.Context(), startTime().Add(time.Hour)
	off := func(now *callrules.CallRules) error {
		now.KillSwitch = false
		return nil
	}
	wantCode(t, "ChangeRules", s.ChangeRules(ctx, "bakery", asked, later, off), "")
	r.KillSwitch, r.UpdatedAt = false, later
	unwilling := errors.New("not so")
	err := s.ChangeRules(ctx, "bakery", asked, later.Add(time.Hour), func(now *callrules.CallRules) error {
		if diff := cmp.Diff(r, *now); diff != "" {
			t.Errorf("a change gets other rules than the stored ones: %s", diff)
		}
		now.KillSwitch = true
		return unwilling
	})
	if !errors.Is(err, unwilling) {
		t.Errorf("a failing change returns %v", err)
	}
	if got, err := s.FindRules(ctx, "bakery"); err != nil || cmp.Diff(r, got) != "" {
		t.Errorf("%v; after a change that failed: %s", err, cmp.Diff(r, got))
	}
	wantCode(t, "nobody's change", s.ChangeRules(ctx, "nobody", asked, later, off), store.CodeNotFound)
	trail, err := s.AuditTrail(ctx, "bakery", 1, "")
	if err != nil || len(trail.Items) != 1 || trail.Items[0].Note != "kill switch off" {
		t.Errorf("the audit trail is %+v, %v", trail.Items, err)
	}
}

// testSuppressions: entries are found while active, listed by number, replaced and removed.
func testSuppressions(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	until := now.Add(time.Hour)
	entry := callrules.SuppressionEntry{
		OrgID: "bakery", PhoneNumber: number, Reason: "asked", Source: "api", CreatedAt: now, Until: &until,
	}
	wantCode(t, "Suppress", s.AddSuppressions(ctx, []callrules.SuppressionEntry{entry}, asked, now), "")
	got, err := s.FindSuppression(ctx, "bakery", number, now)
	if wantCode(t, "Suppression", err, ""); got == nil || cmp.Diff(entry, *got) != "" {
		t.Fatalf("found %+v", got)
	}
	for name, ask := range map[string]struct {
		orgID, number string
		at            time.Time
	}{
		"after its time": {"bakery", number, until}, "another's": {"airline", number, now},
		"a longer one":  {"bakery", number + "1", now},
		"a shorter one": {"bakery", number[:8], now}, "no number": {"bakery", "", now}, "no organization": {"", number, now},
	} {
		if got, err := s.FindSuppression(ctx, ask.orgID, ask.number, ask.at); err != nil || got != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	entry.Until, entry.Reason = nil, "for good"
	wantCode(t, "Suppress again", s.AddSuppressions(ctx, []callrules.SuppressionEntry{entry}, asked, now), "")
	if got, err := s.FindSuppression(ctx, "bakery", number, until); err != nil || got == nil || got.Reason != "for good" {
		t.Errorf("replaced by %+v, %v", got, err)
	}
	wantCode(t, "another removes it", s.RemoveSuppression(ctx, "airline", number, asked, now), store.CodeNotFound)
	wantCode(t, "Unsuppress", s.RemoveSuppression(ctx, "bakery", number, asked, now), "")
	wantCode(t, "Unsuppress again", s.RemoveSuppression(ctx, "bakery", number, asked, now), store.CodeNotFound)
	if got, err := s.FindSuppression(ctx, "bakery", number, now); err != nil || got != nil {
		t.Errorf("after its removal: %+v, %v", got, err)
	}
	bad := []callrules.SuppressionEntry{{OrgID: "bakery", PhoneNumber: "+1"}, {OrgID: "bakery"}}
	wantCode(t, "no number", s.AddSuppressions(ctx, bad, asked, now), store.CodeInvalid)
	if got, err := s.FindSuppression(ctx, "bakery", "+1", now); err != nil || got != nil {
		t.Error("of a refused list an entry was kept")
	}
	nobodys := []callrules.SuppressionEntry{{OrgID: "nobody", PhoneNumber: "+1"}}
	wantCode(t, "nobody's", s.AddSuppressions(ctx, nobodys, asked, now), store.CodeNotFound)
}

// suppressionList: thousands of entries are added in one call and listed in pages by number.
func suppressionList(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	var entries []callrules.SuppressionEntry
	var want []string
	for i := range 1203 {
		phone := fmt.Sprintf("+9665%08d", i)
		entries = append(entries, callrules.SuppressionEntry{OrgID: "bakery", PhoneNumber: phone, CreatedAt: startTime()})
		want = append(want, phone)
	}
	slices.Reverse(entries)
	wantCode(t, "Suppress", s.AddSuppressions(t.Context(), entries, asked, startTime()), "")
	var got []string
	for cursor, more := "", true; more; more = cursor != "" {
		page, err := s.ListSuppressions(t.Context(), "bakery", 200, cursor)
		wantCode(t, "Suppressions", err, "")
		for _, entry := range page.Items {
			got = append(got, entry.PhoneNumber)
		}
		if cursor = page.Next; cursor != "" {
			_, err := s.ListSuppressions(t.Context(), "airline", 200, cursor)
			wantCode(t, "another's cursor", err, store.CodeInvalid)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %d of %d", len(got), len(want))
	}
}

// testScenarios: scenarios are created, replaced, listed by id and removed, by their own organization only.
func testScenarios(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx, now := t.Context(), startTime()
	one := scenario.Scenario{
		ID: "visit", OrgID: "bakery", Name: "زيارة", Language: "ar",
		Steps: []scenario.FlowStep{{ID: "hello", Type: scenario.Say, Say: scenario.SpokenLines{{Text: "أهلاً", Optional: true}}}},
	}
	wantCode(t, "CreateScenario", s.CreateScenario(ctx, one, asked, now), "")
	wantCode(t, "the same id", s.CreateScenario(ctx, one, asked, now), store.CodeConflict)
	one.CreatedAt, one.UpdatedAt, one.Version, one.Status = now, now, 1, scenario.PublishedStatus
	got, err := s.FindScenario(ctx, "bakery", "visit")
	if wantCode(t, "Scenario", err, ""); cmp.Diff(one, got) != "" {
		t.Error(cmp.Diff(one, got))
	}
	one.Name = "another"
	wantCode(t, "PutScenario", s.PutScenario(ctx, one, asked, now.Add(time.Hour)), "")
	got, err = s.FindScenario(ctx, "bakery", "visit")
	if wantCode(t, "Scenario", err, ""); got.Name != "another" || got.Version != 2 || !got.CreatedAt.Equal(now) ||
		!got.UpdatedAt.Equal(now.Add(time.Hour)) {
		t.Errorf("replaced by %+v", got)
	}
	two := scenario.Scenario{ID: "order", OrgID: "bakery"}
	wantCode(t, "PutScenario of a new one", s.PutScenario(ctx, two, asked, now), "")
	two.OrgID = "nobody"
	wantCode(t, "nobody's", s.PutScenario(ctx, two, asked, now), store.CodeNotFound)
	two.OrgID, two.ID = "bakery", "a/b"
	wantCode(t, "a slash", s.PutScenario(ctx, two, asked, now), store.CodeInvalid)
	all, err := s.ListScenarios(ctx, "bakery")
	if wantCode(t, "Scenarios", err, ""); len(all) != 2 || all[0].ID != "order" || all[1].ID != "visit" ||
		all[0].OrgID != "bakery" {
		t.Errorf("listed %+v", all)
	}
	_, err = s.FindScenario(ctx, "airline", "visit")
	wantCode(t, "another's", err, store.CodeNotFound)
	wantCode(t, "another removes it", s.DeleteScenario(ctx, "airline", "visit", asked, now), store.CodeNotFound)
	wantCode(t, "DeleteScenario", s.DeleteScenario(ctx, "bakery", "visit", asked, now), "")
	wantCode(t, "DeleteScenario again", s.DeleteScenario(ctx, "bakery", "visit", asked, now), store.CodeNotFound)
}
