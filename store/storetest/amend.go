package storetest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// correctAnswer returns an amendment that corrects an answer.
func correctAnswer(slot, value string) call.Amendment {
	return call.Amendment{
		Kind: call.AmendCorrect, Corrections: []call.CallCorrection{{Slot: slot, Value: json.RawMessage(value)}},
	}
}

// correctWords returns an amendment that corrects the words of a turn.
func correctWords(message int, content string) call.Amendment {
	return call.Amendment{
		Kind: call.AmendCorrect, Corrections: []call.CallCorrection{{Message: &message, Content: content}},
	}
}

// amendCall amends a call and fails unless the code is the wanted one.
func amendCall(t *testing.T, s store.Store, c call.Call, a call.Amendment, code store.ErrorCode) call.Call {
	t.Helper()
	after, err := s.AmendCall(t.Context(), c.OrgID, c.ID, a, asked, startTime().Add(time.Hour))
	wantCode(t, "AmendCall "+string(a.Kind), err, code)
	return after
}

// listNeeds lists the calls that a person must follow up, in both orders of a list and by number.
func listNeeds(t *testing.T, s store.Store, orgID string) []string {
	t.Helper()
	f := store.CallFilter{NeedsPerson: true, Sort: store.SortByDueTime, Ascending: true, Limit: 2}
	ids := listCalls(t, s, orgID, f)
	for _, other := range []store.CallFilter{
		{NeedsPerson: true, Ascending: true, Limit: 3},
		{NeedsPerson: true, Sort: store.SortByDueTime, Ascending: true, PhoneNumber: number, Limit: 3},
		{NeedsPerson: true, NumberContains: number[4:], Ascending: true, Limit: 3},
	} {
		if got := listCalls(t, s, orgID, other); !slices.Equal(got, ids) {
			t.Errorf("with %+v %v need a person, in order of due time %v", other, got, ids)
		}
	}
	n, err := s.CountCalls(t.Context(), orgID, f, 100)
	if wantCode(t, "CountCalls", err, ""); n != len(ids) {
		t.Errorf("%d calls are counted that need a person, %d are listed", n, len(ids))
	}
	return ids
}

// needsPerson: a call is marked for follow-up by its outcome or by staff, taken, released and completed; only open
// marks are listed.
func needsPerson(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	var all []call.Call
	for i := range 4 {
		c := newCall("bakery", time.Duration(i)*time.Minute)
		bookCalls(t, s, c)
		all = append(all, finishCall(t, s, c, call.Completed, c.ScheduledAt))
	}
	found := newCall("bakery", 9*time.Minute)
	bookCalls(t, s, found)
	releaseCall(t, s, found, found.ScheduledAt)
	o := newOutcome(call.Failed)
	o.Need = call.NeedAsked
	ended, err := s.FinishCall(t.Context(), "bakery", found.ID, o, nil, found.ScheduledAt)
	wantCode(t, "FinishCall", err, "")
	if n := ended.Need; !n.IsOpen() || n.Reason != call.NeedAsked || !n.At.Equal(found.ScheduledAt) {
		t.Errorf("an outcome leaves the mark %+v", n)
	}
	amendCall(t, s, all[0], call.Amendment{Kind: call.AmendTake}, store.CodeConflict)
	amendCall(t, s, all[2], call.Amendment{Kind: call.AmendMark, Text: "تسأل عن الفاتورة"}, "")
	marked := amendCall(t, s, all[1], call.Amendment{Kind: call.AmendMark}, "")
	if n := marked.Need; n.Reason != call.NeedStaff || n.By != asked {
		t.Errorf("staff leave the mark %+v", n)
	}
	amendCall(t, s, call.Call{OrgID: "airline", ID: all[1].ID}, call.Amendment{Kind: call.AmendDone}, store.CodeNotFound)
	if got, want := listNeeds(t, s, "bakery"), []string{all[1].ID, all[2].ID, found.ID}; !slices.Equal(got, want) {
		t.Errorf("%v need a person, want %v", got, want)
	}
	taken := amendCall(t, s, all[1], call.Amendment{Kind: call.AmendTake}, "")
	if taken.Need.TakenBy != asked || taken.Need.TakenAt == nil || !taken.Need.IsOpen() {
		t.Errorf("taken: %+v", taken.Need)
	}
	if left := amendCall(t, s, all[1], call.Amendment{Kind: call.AmendLeave}, ""); left.Need.TakenBy != "" {
		t.Errorf("left: %+v", left.Need)
	}
	done := amendCall(t, s, all[1], call.Amendment{Kind: call.AmendDone, Text: "رددت عليها"}, "")
	if done.Need.IsOpen() || done.Need.DoneBy != asked || len(done.Notes) != 1 {
		t.Errorf("done: %+v, notes %+v", done.Need, done.Notes)
	}
	amendCall(t, s, all[1], call.Amendment{Kind: call.AmendDone}, "") // again changes nothing
	if got, want := listNeeds(t, s, "bakery"), []string{all[2].ID, found.ID}; !slices.Equal(got, want) {
		t.Errorf("then %v need a person, want %v", got, want)
	}
	if events := timelineEvents(t, s, all[1]); !slices.Equal(events[len(events)-4:], []string{
		"needs_person", "taken", "left", "done",
	}) {
		t.Errorf("the timeline is %v", events)
	}
	if got := listNeeds(t, s, "airline"); len(got) > 0 {
		t.Errorf("another organization sees %v", got)
	}
}

// callNotes: notes are stored in order, up to the maximum number.
func callNotes(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	c := newCall("bakery", 0)
	bookCalls(t, s, c)
	for i := range call.MaxNotes {
		amendCall(t, s, c, call.Amendment{Kind: call.AmendNote, Text: strings.Repeat("م", i+1)}, "")
	}
	amendCall(t, s, c, call.Amendment{Kind: call.AmendNote, Text: "one too many"}, store.CodeConflict)
	got := wantCall(t, s, c, call.Scheduled)
	if len(got.Notes) != call.MaxNotes || got.Notes[0].Text != "م" || got.Notes[0].By != asked {
		t.Errorf("the notes are %+v", got.Notes)
	}
	amendCall(t, s, c, correctAnswer("ok", "false"), store.CodeConflict) // the call has not ended
}

// correctedAnswers: lists, counters and campaigns follow a corrected answer; the recognized words stay.
func correctedAnswers(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	c, all := newCampaign("bakery", 2, 1)
	_, err := s.CreateCampaign(t.Context(), c, all, asked, nil)
	wantCode(t, "CreateCampaign", err, "")
	for i := range all {
		all[i] = finishCall(t, s, all[i], call.Completed, all[i].ScheduledAt)
	}
	amendCall(t, s, all[0], correctAnswer("ok", "false"), "")
	amendCall(t, s, all[0], correctWords(0, "لا"), "")
	after := amendCall(t, s, all[0], correctAnswer("ok", `"later"`), "")
	if string(after.Report) != `{"ok":true}` || string(after.CurrentReport()) != `{"ok":"later"}` {
		t.Errorf("the report is %s, corrected %s", after.Report, after.CurrentReport())
	}
	got := wantCall(t, s, all[0], call.Completed)
	if got.Messages[0].Content != "نعم" || got.CurrentMessages()[0].Content != "لا" || len(got.Corrections) != 3 {
		t.Errorf("the turn is %+v, corrected %+v", got.Messages, got.CurrentMessages())
	}
	for value, want := range map[string][]string{"true": {all[1].ID}, "false": nil, "later": {all[0].ID}} {
		f := store.CallFilter{AnswerSlot: "ok", AnswerValue: value, Sort: store.SortByDueTime, Limit: 9}
		if ids := listCalls(t, s, "bakery", f); !slices.Equal(ids, want) {
			t.Errorf("the answer %s has %v, want %v", value, ids, want)
		}
	}
	want := map[string]int{"true": 1, "later": 1}
	for _, until := range []time.Time{{}, startTime().AddDate(1, 0, 0)} {
		from := startTime().Truncate(call.TallyStep).Add(-time.Hour)
		if until.IsZero() {
			from = until
		}
		tallies, err := s.TallyCalls(t.Context(), "bakery", from, until)
		wantCode(t, "TallyCalls", err, "")
		var sum call.CallTally
		for _, one := range tallies {
			sum.MergeTally(one)
		}
		wantCounts(t, "the counters", sum.Answers["ok"], want)
		some, err := s.TallyCalls(t.Context(), "bakery", from, until, "other", "ok")
		if wantCode(t, "TallyCalls", err, ""); !reflect.DeepEqual(some, tallies) {
			t.Errorf("with its slot a question's answers are %+v, want %+v", some, tallies)
		}
		none, err := s.TallyCalls(t.Context(), "bakery", from, until, "other")
		wantCode(t, "TallyCalls", err, "")
		for i, tally := range none {
			if len(tally.Answers) > 0 || !reflect.DeepEqual(tally.Counts, tallies[i].Counts) {
				t.Errorf("without its slot they are %+v", tally)
			}
		}
	}
	found, err := s.FindCampaign(t.Context(), "bakery", c.ID)
	wantCode(t, "FindCampaign", err, "")
	wantCounts(t, "the campaign", found.Tally.Answers["ok"], want)
}

// wantCounts fails unless the counts are the wanted ones.
func wantCounts(t *testing.T, what string, got, want map[string]int) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
	for value, n := range want {
		if got[value] != n {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
}

// erasedAmendments: an erasure removes notes, corrections and the mark; the end of their retention removes notes and
// corrections. Counters keep the corrected answer.
func erasedAmendments(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	amended := func(after time.Duration, phone string) call.Call {
		c := newCall("bakery", after)
		c.PhoneNumber = phone
		bookCalls(t, s, c)
		c = finishCall(t, s, c, call.Completed, c.ScheduledAt)
		amendCall(t, s, c, call.Amendment{Kind: call.AmendMark, Text: "private"}, "")
		amendCall(t, s, c, correctAnswer("ok", `"private"`), "")
		amendCall(t, s, c, correctWords(0, "private"), "")
		return c
	}
	erased, expired := amended(0, number), amended(time.Minute, "+966500000009")
	_, err := s.ErasePerson(t.Context(), "bakery", number, asked, startTime().Add(2*time.Hour))
	wantCode(t, "ErasePerson", err, "")
	_, err = s.ExpireWords(t.Context(), "bakery", startTime().AddDate(1, 0, 0), 10)
	wantCode(t, "ExpireWords", err, "")
	for _, c := range []call.Call{erased, expired} {
		got := wantCall(t, s, c, call.Completed)
		text, err := json.Marshal(got)
		if wantCode(t, "Marshal", err, ""); strings.Contains(string(text), "private") {
			t.Errorf("left: %s", text)
		}
	}
	amendCall(t, s, erased, call.Amendment{Kind: call.AmendNote, Text: "again"}, store.CodeConflict)
	amendCall(t, s, expired, correctAnswer("ok", "true"), store.CodeConflict)
	f := store.CallFilter{NeedsPerson: true, Limit: 9}
	if ids := listCalls(t, s, "bakery", f); !slices.Equal(ids, []string{expired.ID}) {
		t.Errorf("%v need a person", ids)
	}
	tallies, err := s.TallyCalls(t.Context(), "bakery", time.Time{}, time.Time{})
	wantCode(t, "TallyCalls", err, "")
	wantCounts(t, "the counters", tallies[0].Answers["ok"], map[string]int{"private": 2})
}
