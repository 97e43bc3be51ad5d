package storetest

import (
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// callsSearched: a search gets the messages of each call in order; a page ends where the search ends it, and the next
// one continues there.
func callsSearched(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	var want, all []string
	for i := range 10 {
		c := newCall("bakery", time.Duration(i)*time.Minute)
		bookCalls(t, s, c)
		if all = append(all, c.ID); i%3 == 0 {
			finishCall(t, s, c, call.Completed, c.ScheduledAt)
			want = append(want, c.ID)
		}
	}
	for _, stop := range []int{1, 4, 100} {
		for _, limit := range []int{1, 3, 200} {
			f := store.CallFilter{Limit: limit, Ascending: true}
			var seen, found []string
			for more := true; more; more = f.Cursor != "" {
				n := 0
				page, err := s.SearchCalls(t.Context(), "bakery", f, "نعم", func(c call.Call) (bool, bool) {
					n++
					seen = append(seen, c.ID)
					return len(c.Messages) > 0 && c.Messages[0].Content == "نعم", n < stop
				})
				wantCode(t, "SearchCalls", err, "")
				if n > stop || len(page.Items) > limit {
					t.Fatalf("%d calls are examined for a page of %d, after %d of %d", n, len(page.Items), stop, limit)
				}
				for _, c := range page.Items {
					found = append(found, c.ID)
				}
				f.Cursor = page.Next
			}
			if !slices.Equal(seen, all) || !slices.Equal(found, want) {
				t.Errorf("%d at once with limit %d: examined %v, found %v", stop, limit, seen, found)
			}
		}
	}
	one := store.CallFilter{Limit: 1}
	first, err := s.CallsPage(t.Context(), "bakery", one)
	wantCode(t, "CallsPage", err, "")
	one.Cursor = first.Next
	_, err = s.SearchCalls(t.Context(), "bakery", one, "x", func(call.Call) (bool, bool) { return true, true })
	wantCode(t, "the cursor of a list", err, store.CodeInvalid)
	one.Cursor = ""
	page, err := s.SearchCalls(t.Context(), "airline", one, "x", func(call.Call) (bool, bool) { return true, true })
	if wantCode(t, "SearchCalls", err, ""); len(page.Items) > 0 {
		t.Errorf("another organization finds %v", page.Items)
	}
}
