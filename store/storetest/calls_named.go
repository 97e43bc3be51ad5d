package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/scenario"
)

// newNamedCall is [newCall] to a person with a name, and a number of their own.
func newNamedCall(orgID, name string, n int) call.Call {
	c := newCall(orgID, time.Duration(n)*time.Minute)
	c.PhoneNumber = fmt.Sprintf("+9665%08d", n)
	c.NameVariable, c.Variables = "patient", map[string]any{"patient": name}
	return c
}

// callsNamed: a call is found by the beginnings of the words of its person's name, in any order and spelling, in both
// orders of lists and together with other filters; not by those of another organization, nor once its person is erased.
func callsNamed(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	names := []string{
		"نورة العتيبي", "نُوره أحمد العتيبى", "محمد نور الدين", "Sara O'Brien", "SARAH Álvarez", "رؤى هناء", "فاطمة", "محمد محمدي", "", "نـورا",
	}
	var ids []string
	for i, name := range names {
		c := newNamedCall("bakery", name, i)
		if i%2 == 1 {
			c.ScenarioID = "visit"
		}
		bookCalls(t, s, c)
		ids = append(ids, c.ID)
	}
	bookCalls(t, s, newNamedCall("airline", names[0], 90))
	for typed, want := range map[string][]int{
		"نورة": {1, 0}, "نوره": {1, 0}, "نور": {9, 2, 1, 0}, "ن": {9, 2, 1, 0}, "العتيبي نورة": {1, 0}, "العتيبى، ن": {1, 0},
		"احمد": {1}, "أحمد نورة": {1}, "نورة محمد": nil, "sar": {4, 3}, "Brien sara": {3}, "o": {3}, "alv": {4}, "sarah": {4},
		"روي": {5}, "هنا": {5}, "فاطمه": {6}, "فَاطِمَـة": {6}, "محمد": {7, 2}, "محمدي": {7}, "تيبي": nil, "zzz": nil, "الدين": {2},
	} {
		t.Run(typed, func(t *testing.T) {
			for _, f := range []store.CallFilter{{}, {Sort: store.SortByDueTime}, {Ascending: true}, {ScenarioID: "visit"}} {
				f.Name = typed
				var expected []string
				for _, i := range want {
					if f.ScenarioID == "" || i%2 == 1 {
						expected = append(expected, ids[i])
					}
				}
				if f.Ascending {
					slices.Reverse(expected)
				}
				for _, f.Limit = range []int{1, 200} {
					if got := listCalls(t, s, "bakery", f); !slices.Equal(got, expected) {
						t.Errorf("%+v lists %v, want %v", f, got, expected)
					}
				}
				n, err := s.CountCalls(t.Context(), "bakery", f, 100)
				if wantCode(t, "CountCalls", err, ""); n != len(expected) {
					t.Errorf("%+v counts %d, want %d", f, n, len(expected))
				}
			}
		})
	}
	_, err := s.CallsPage(t.Context(), "bakery", store.CallFilter{Name: "- '", Limit: 1})
	wantCode(t, "a name without letters", err, store.CodeInvalid)
	page, err := s.CallsPage(t.Context(), "bakery", store.CallFilter{Name: "نور", Limit: 1})
	wantCode(t, "CallsPage", err, "")
	_, err = s.CallsPage(t.Context(), "bakery", store.CallFilter{Name: "نو", Limit: 1, Cursor: page.Next})
	wantCode(t, "the cursor of another name", err, store.CodeInvalid)
	_, err = s.ErasePerson(t.Context(), "bakery", "+966500000001", asked, startTime().Add(time.Hour))
	wantCode(t, "ErasePerson", err, "")
	if got := listCalls(t, s, "bakery", store.CallFilter{Name: "نورة", Limit: 9}); !slices.Equal(got, ids[:1]) {
		t.Errorf("after an erasure %v are found, want %v", got, ids[:1])
	}
}

// manyNamesFound: a beginning of very many different words finds all of them, and a page that ends early, after the
// maximum of examined calls, continues.
func manyNamesFound(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	var all, both []string
	for i := range 300 {
		name := fmt.Sprintf("م%c%c خالد", 'ا'+rune(i%20), 'ب'+rune(i/20))
		switch {
		case i%100 == 50:
			name = "مها سالم"
		case i%2 == 0:
			name = "سالم"
		}
		c := newNamedCall("bakery", name, i)
		bookCalls(t, s, c)
		if i%2 == 1 || i%100 == 50 {
			all = append([]string{c.ID}, all...)
		}
		if i%100 == 50 {
			both = append([]string{c.ID}, both...)
		}
	}
	for typed, want := range map[string][]string{"م": all, "مها سالم": both, "سالم خالد": nil, "م سا": both} {
		for _, f := range []store.CallFilter{{}, {Sort: store.SortByDueTime}, {MaxExamined: 40}, {MaxExamined: 40, Sort: store.SortByDueTime}} {
			f.Name, f.Limit = typed, 25
			var got []string
			for pages := 0; ; pages++ {
				page, err := s.CallsPage(t.Context(), "bakery", f)
				if wantCode(t, "CallsPage", err, ""); pages > 300 {
					t.Fatalf("%+v has more than 300 pages", f)
				}
				for _, c := range page.Items {
					got = append(got, c.ID)
				}
				if f.Cursor = page.Next; f.Cursor == "" {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v lists %d calls, want %d", f, len(got), len(want))
			}
		}
	}
}

// olderCallsNamed: calls of an older version, which did not say where the name is, are found once they are named by
// their scenarios; until then searches say that they may be incomplete.
func olderCallsNamed(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	plan := scenario.Scenario{OrgID: "bakery", ID: "own", Variables: []scenario.ScenarioVariable{{Name: "patient", Role: scenario.NameRole}}}
	wantCode(t, "PutScenario", s.PutScenario(t.Context(), plan, asked, startTime()), "")
	builtIn := scenario.Scenario{ID: "built-in", Variables: plan.Variables}
	var want []string
	for i := range 300 {
		c := newNamedCall("bakery", "نورة", i)
		c.NameVariable, c.ScenarioID = "", []string{"own", "built-in", "removed"}[i%3]
		bookCalls(t, s, c)
		if i%3 < 2 {
			want = append([]string{c.ID}, want...)
		}
	}
	f := store.CallFilter{Name: "نورة", Limit: 200}
	ctx, report := store.CollectDamage(t.Context())
	_, err := s.CallsPage(ctx, "bakery", f)
	if wantCode(t, "CallsPage", err, ""); !report.IsUnnamed() || len(report.Warnings()) != 1 {
		t.Errorf("before older calls are named, a search says %q", report.Warnings())
	}
	for range 2 {
		wantCode(t, "NameOlderCalls", s.NameOlderCalls(t.Context(), []scenario.Scenario{builtIn}, startTime()), "")
	}
	ctx, report = store.CollectDamage(t.Context())
	_, err = s.CountCalls(ctx, "bakery", f, 1)
	if wantCode(t, "CountCalls", err, ""); !report.IsEmpty() {
		t.Errorf("once they are named, a search says %q", report.Warnings())
	}
	if got := listCalls(t, s, "bakery", f); !slices.Equal(got, want) {
		t.Errorf("%d calls are found, want %d", len(got), len(want))
	}
}
