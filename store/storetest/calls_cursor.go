package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// callsExamined: a page with a limit of examined calls ends with a cursor, and all pages together have every matching
// call.
func callsExamined(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	var all []call.Call
	for i := range 25 {
		c := newCall("bakery", time.Duration(i)*time.Minute)
		c.ScheduledAt, c.PhoneNumber = startTime().Add(time.Duration(i*7%25)*time.Minute), fmt.Sprintf("+9665000%05d", i*i*i)
		bookCalls(t, s, c)
		all = append(all, c)
	}
	for _, part := range []string{"77", "00", "9665", "+1", ""} {
		for _, sort := range []store.CallSort{"", store.SortByDueTime} {
			for _, most := range []int{1, 4, 5, 24, 25, 26} {
				f := store.CallFilter{NumberContains: part, Sort: sort, MaxExamined: most, Limit: 3}
				search := func(call.Call) (bool, bool) { return true, true }
				sortCalls(all, f)
				var want, got []string
				for _, c := range all {
					if filterMatches(f, c) {
						want = append(want, c.ID)
					}
				}
				if page, err := s.SearchCalls(t.Context(), "bakery", f, "x", search); err != nil || most < len(all) && page.Next == "" {
					t.Errorf("%q by %q, %d examined: a search ends with %q, %v", part, sort, most, page.Next, err)
				}
				pages := 0
				for more := true; more; more = f.Cursor != "" {
					page, err := s.CallsPage(t.Context(), "bakery", f)
					if wantCode(t, "CallsPage", err, ""); len(page.Items) > f.Limit {
						t.Fatalf("a page of %d items with limit %d", len(page.Items), f.Limit)
					}
					for _, c := range page.Items {
						got = append(got, c.ID)
					}
					pages, f.Cursor = pages+1, page.Next
				}
				if !slices.Equal(got, want) || pages < len(all)/most || pages > len(all)/most+len(all)/f.Limit+2 {
					t.Errorf("%q by %q, %d examined: %d pages with %v, want %v", part, sort, most, pages, got, want)
				}
			}
		}
	}
}

// callsMovedWhileListed: a call that is moved between two pages is the only one whose position in the list changes.
func callsMovedWhileListed(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	var want []string
	var booked []call.Call
	for i := range 9 {
		c := newCall("bakery", 0)
		c.ScheduledAt = startTime().Add(time.Duration(i) * time.Minute)
		bookCalls(t, s, c)
		booked = append(booked, c)
	}
	f := store.CallFilter{Sort: store.SortByDueTime, Ascending: true, Limit: 2}
	var got []string
	for {
		page, err := s.CallsPage(t.Context(), "bakery", f)
		wantCode(t, "CallsPage", err, "")
		for _, c := range page.Items {
			got = append(got, c.ID)
		}
		if f.Cursor == "" { // swap the second one, already listed, and the last one
			for i, at := range map[int]time.Duration{1: time.Hour, 8: 0} {
				_, err := s.RescheduleCall(t.Context(), "bakery", booked[i].ID, startTime().Add(at), call.Rescheduled, asked, startTime())
				wantCode(t, "RescheduleCall", err, "")
			}
		}
		if f.Cursor = page.Next; f.Cursor == "" {
			break
		}
	}
	for _, i := range []int{0, 1, 2, 3, 4, 5, 6, 7, 1} {
		want = append(want, booked[i].ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

// callCursors: pages continue at their position while calls are added, and a cursor is valid for its own list only.
func callCursors(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	var want []string
	for i := range 6 {
		c := newCall("bakery", time.Duration(i)*time.Second)
		bookCalls(t, s, c)
		want = append([]string{c.ID}, want...)
	}
	f := store.CallFilter{Limit: 2}
	var got []string
	for {
		page, err := s.CallsPage(t.Context(), "bakery", f)
		wantCode(t, "CallsPage", err, "")
		for _, c := range page.Items {
			got = append(got, c.ID)
		}
		bookCalls(t, s, newCall("bakery", time.Hour))
		if f.Cursor = page.Next; f.Cursor == "" {
			break
		}
		for name, other := range map[string]struct {
			org string
			f   store.CallFilter
		}{
			"another organization": {"airline", store.CallFilter{Limit: 2, Cursor: page.Next}},
			"another filter":       {"bakery", store.CallFilter{Limit: 2, Statuses: []call.CallStatus{call.Failed}, Cursor: page.Next}},
			"another order":        {"bakery", store.CallFilter{Limit: 2, Ascending: true, Cursor: page.Next}},
			"another time":         {"bakery", store.CallFilter{Limit: 2, Sort: store.SortByDueTime, Cursor: page.Next}},
			"a longer cursor":      {"bakery", store.CallFilter{Limit: 2, Cursor: "AAAA" + page.Next}},
			"a cut cursor":         {"bakery", store.CallFilter{Limit: 2, Cursor: page.Next[:len(page.Next)-4]}},
			"no cursor":            {"bakery", store.CallFilter{Limit: 2, Cursor: "قهوة"}},
		} {
			_, err := s.CallsPage(t.Context(), other.org, other.f)
			wantCode(t, name, err, store.CodeInvalid)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("while calls were added the pages held %v, want %v", got, want)
	}
	for _, limit := range []int{0, -1, 201} {
		_, err := s.CallsPage(t.Context(), "bakery", store.CallFilter{Limit: limit})
		wantCode(t, "a wrong limit", err, store.CodeInvalid)
	}
}
