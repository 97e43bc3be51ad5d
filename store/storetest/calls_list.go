package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// listCalls reads all pages of a filter, and fails if a call is listed twice.
func listCalls(t *testing.T, s store.Store, orgID string, f store.CallFilter) []string {
	t.Helper()
	var ids []string
	for {
		page, err := s.CallsPage(t.Context(), orgID, f)
		wantCode(t, "CallsPage", err, "")
		if len(page.Items) > f.Limit || page.Next != "" && len(page.Items) != f.Limit {
			t.Fatalf("a page of %d items with limit %d", len(page.Items), f.Limit)
		}
		for _, c := range page.Items {
			if slices.Contains(ids, c.ID) {
				t.Fatalf("call %s is listed twice", c.ID)
			}
			if len(c.Messages) > 0 {
				t.Fatalf("call %s is listed with its messages", c.ID)
			}
			ids = append(ids, c.ID)
		}
		if f.Cursor = page.Next; f.Cursor == "" {
			return ids
		}
	}
}

// callPages: every combination of filters lists exactly the matching calls, in its order, for any page size.
func callPages(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	var all []call.Call
	for i := range 24 {
		c := newCall([]string{"bakery", "airline"}[i%2], time.Duration(i/4)*time.Minute)
		c.ScenarioID = []string{"order", "order2", "visit"}[i%3]
		c.PhoneNumber = fmt.Sprintf("+96650000000%d", i%5)
		c.ScheduledAt = startTime().Add(time.Duration(i*7%12) * time.Minute)
		if i%4 != 3 {
			c.CampaignID = []string{"camp_a", "camp_b"}[i%2]
		}
		bookCalls(t, s, c)
		if i%4 < 2 {
			c = finishCall(t, s, c, []call.CallStatus{call.Completed, call.NoAnswer}[i%2], c.ScheduledAt)
		}
		if i%8 == 6 {
			ended, err := s.CancelCall(t.Context(), c.OrgID, c.ID, asked, c.CreatedAt)
			wantCode(t, "CancelCall", err, "")
			c = ended
		}
		all = append(all, c)
	}
	for _, f := range allFilters() {
		if f.AnswerSlot != "" && f.Sort != store.SortByDueTime {
			_, err := s.CallsPage(t.Context(), "bakery", f)
			wantCode(t, "an answer in order of creation", err, store.CodeInvalid)
			continue
		}
		sortCalls(all, f)
		for _, orgID := range []string{"bakery", "airline", "nobody"} {
			var want []string
			for _, c := range all {
				if c.OrgID == orgID && filterMatches(f, c) {
					want = append(want, c.ID)
				}
			}
			for _, limit := range []int{2, 200} {
				n, err := s.CountCalls(t.Context(), orgID, f, limit)
				if wantCode(t, "CountCalls", err, ""); n != min(len(want), limit) {
					t.Errorf("%s with %+v counts %d of %d with limit %d", orgID, f, n, len(want), limit)
				}
			}
			for _, f.Limit = range []int{3, 200} {
				if got := listCalls(t, s, orgID, f); !slices.Equal(got, want) {
					t.Errorf("%s with %+v lists %v, want %v", orgID, f, got, want)
				}
			}
		}
	}
}

// sortCalls sorts calls in the order of a filter.
func sortCalls(all []call.Call, f store.CallFilter) {
	slices.SortFunc(all, func(a, b call.Call) int {
		order := 0
		if f.Sort == store.SortByDueTime {
			order = a.ScheduledAt.Compare(b.ScheduledAt)
		}
		if order == 0 {
			order = a.CreatedAt.Compare(b.CreatedAt)
		}
		if order == 0 {
			order = compareText(a.ID, b.ID)
		}
		if !f.Ascending {
			order = -order
		}
		return order
	})
}

// allFilters returns all combinations of a few values, in every sort order.
func allFilters() []store.CallFilter {
	minute := func(n int) time.Time { return startTime().Add(time.Duration(n) * time.Minute) }
	var all []store.CallFilter
	for _, statuses := range [][]call.CallStatus{
		nil, {call.Scheduled}, {call.Cancelled}, {call.Completed, call.NoAnswer, call.Cancelled},
	} {
		for _, f := range []store.CallFilter{
			{},
			{ScenarioID: "order"},
			{ScenarioID: "a/b"},
			{PhoneNumber: "+966500000001"},
			{PhoneNumber: "+9665"},
			{NumberContains: "0001"},
			{NumberContains: "+9665"},
			{NumberContains: "77"},
			{CampaignID: "camp_a"},
			{CampaignID: "a/b"},
			{CampaignID: "camp_b", NumberContains: "3", ScenarioID: "visit"},
			{EndedBy: call.ByPlatform},
			{EndedBy: call.ByCarrier},
			{EndedBy: call.ByOperator},
			{EndedBy: call.ByOperator, ScenarioID: "order"},
			{NotEndedBy: call.ByOperator},
			{NumberEnds: "1"},
			{NumberEnds: "0002", ScenarioID: "visit"},
			{NumberEnds: "+966500000003", DueTo: minute(9)},
			{NumberEnds: "9665"},
			{AnswerSlot: "ok", AnswerValue: "true"},
			{AnswerSlot: "ok", AnswerValue: "true", NumberEnds: "1"},
			{AnswerSlot: "ok", AnswerValue: "false"},
			{AnswerSlot: "a/b", AnswerValue: "c/d", CampaignID: "camp_a"},
			{CreatedFrom: minute(1)},
			{CreatedTo: minute(3)},
			{CreatedFrom: minute(1), CreatedTo: minute(4), ScenarioID: "order"},
			{DueFrom: minute(2)},
			{DueTo: minute(7)},
			{DueFrom: minute(2), DueTo: minute(9), CreatedTo: minute(4)},
		} {
			f.Statuses = statuses
			for _, f.Sort = range []store.CallSort{"", store.SortByDueTime} {
				for _, f.Ascending = range []bool{false, true} {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// filterMatches reports whether a call matches a filter.
func filterMatches(f store.CallFilter, c call.Call) bool {
	in := func(at, from, to time.Time) bool {
		return (from.IsZero() || !at.Before(from)) && (to.IsZero() || at.Before(to))
	}
	return (len(f.Statuses) == 0 || slices.Contains(f.Statuses, c.Status)) && (f.ScenarioID == "" || f.ScenarioID == c.ScenarioID) &&
		(f.PhoneNumber == "" || f.PhoneNumber == c.PhoneNumber) && (f.CampaignID == "" || f.CampaignID == c.CampaignID) &&
		strings.Contains(c.PhoneNumber, f.NumberContains) && (f.EndedBy == "" || f.EndedBy == c.EndedBy) &&
		strings.HasSuffix(c.PhoneNumber, f.NumberEnds) && (f.NotEndedBy == "" || f.NotEndedBy != c.EndedBy) &&
		(f.AnswerSlot == "" || call.ReportAnswers(c.CountedReport())[f.AnswerSlot] == f.AnswerValue) &&
		in(c.CreatedAt, f.CreatedFrom, f.CreatedTo) && in(c.ScheduledAt, f.DueFrom, f.DueTo)
}

func compareText(a, b string) int { return strings.Compare(a, b) }

// callAttempts: releases to a number are counted between two times, both inclusive.
func callAttempts(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	for i := range 4 {
		c, other, waiting := newCall("bakery", 0), newCall("bakery", 0), newCall("bakery", 0)
		other.PhoneNumber = number + "1"
		foreign := newCall("airline", 0)
		bookCalls(t, s, c, other, waiting, foreign)
		for _, c := range []call.Call{c, other, foreign} {
			releaseCall(t, s, c, startTime().Add(time.Duration(i)*time.Hour))
		}
	}
	for _, c := range []struct {
		since, until time.Duration
		want         int
	}{
		{0, 3 * time.Hour, 4},
		{1, 3 * time.Hour, 3},
		{0, 3*time.Hour - 1, 3},
		{time.Hour, time.Hour, 1},
		{4 * time.Hour, 9 * time.Hour, 0},
		{-9 * time.Hour, -1, 0},
	} {
		n, err := s.CountAttempts(t.Context(), "bakery", number, startTime().Add(c.since), startTime().Add(c.until))
		if wantCode(t, "Attempts", err, ""); n != c.want {
			t.Errorf("from %v to %v: %d attempts, want %d", c.since, c.until, n, c.want)
		}
	}
}

// callsFound: calls are found together by their ids, those of others, missing and malformed ids are
// left out.
func callsFound(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	first, second, other := newCall("bakery", 0), newCall("bakery", time.Minute), newCall("airline", 0)
	bookCalls(t, s, first, second, other)
	finishCall(t, s, second, call.Completed, second.ScheduledAt)
	ids := []string{second.ID, first.ID, second.ID, other.ID, call.NewID(), "", "call_/x", "camp_1"}
	found, err := s.FindCalls(t.Context(), "bakery", ids)
	if wantCode(t, "FindCalls", err, ""); len(found) != 2 || found[first.ID].Status != call.Scheduled ||
		found[second.ID].Status != call.Completed || len(found[second.ID].Messages) > 0 {
		t.Errorf("found %+v", found)
	}
	found, err = s.FindCalls(t.Context(), "", ids)
	if wantCode(t, "FindCalls", err, ""); len(found) > 0 {
		t.Errorf("without an organization %+v", found)
	}
}
