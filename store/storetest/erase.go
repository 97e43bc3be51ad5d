package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
)

// testErasure: an erasure removes a person's data from every record, and leaves other people's calls unchanged.
func testErasure(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	enableWebhook(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	var ended []call.Call
	for range 3 {
		c := newCall("bakery", 0)
		_, err := s.BookCall(ctx, c, asked, newReceipt("for "+c.ID, 0))
		wantCode(t, "Book", err, "")
		ended = append(ended, finishCall(t, s, c, call.Completed, now))
		d, err := s.DeliveryOf(ctx, "bakery", c.ID)
		wantCode(t, "DeliveryOf", err, "")
		_, err = s.RecordTry(ctx, "bakery", d.ID, delivery.DeliveryTry{At: now, Request: number, Response: number, Error: "x"}, now)
		wantCode(t, "RecordTry", err, "")
	}
	waiting, foreign, other := newCall("bakery", 0), newCall("airline", 0), newCall("bakery", 0)
	other.PhoneNumber = number + "1"
	bookCalls(t, s, waiting, foreign, other)
	got, err := s.ErasePerson(ctx, "bakery", number, asked, now.Add(time.Hour))
	wantCode(t, "ErasePerson", err, "")
	if got.Calls != 3 || got.Cancelled != 1 || !slices.Equal(got.Recordings, []string{soundFile, soundFile, soundFile}) {
		t.Fatalf("erased %+v", got)
	}
	for _, c := range append(ended, waiting) {
		left, err := s.FindCall(ctx, "bakery", c.ID)
		wantCode(t, "a tombstone", err, "")
		if said := fmt.Sprintf("%+v", left); left.ErasedAt == nil || strings.Contains(said, number) ||
			left.Messages != nil || left.Report != nil || left.Variables != nil || left.Metadata != nil ||
			left.Recording != "" || left.RecordingSum != nil || left.ResponseBody != nil || !left.Status.IsFinal() {
			t.Errorf("left of a call: %s", said)
		}
		r, err := s.FindReceipt(ctx, "bakery", "for "+c.ID, now)
		if err != nil || c.ID != waiting.ID && (r == nil || r.Answer != nil || r.CallID != c.ID) {
			t.Errorf("left of its receipt: %+v, %v", r, err)
		}
		d, err := s.DeliveryOf(ctx, "bakery", c.ID)
		if err != nil || d != nil && (len(d.Tries) != 1 || d.Tries[0].Request+d.Tries[0].Response != "") {
			t.Errorf("left of its delivery: %+v, %v", d, err)
		}
	}
	if n, err := s.CountAttempts(ctx, "bakery", number, now.Add(-time.Hour), now.Add(time.Hour)); err != nil || n != 0 {
		t.Errorf("%d dials to the number are known, %v", n, err)
	}
	if ids := listCalls(t, s, "bakery", store.CallFilter{PhoneNumber: number, Limit: 10}); len(ids) != 0 {
		t.Errorf("calls to the number are found: %v", ids)
	}
	if ids := listCalls(t, s, "bakery", store.CallFilter{Limit: 10}); len(ids) != 5 {
		t.Errorf("%d calls are listed, want 5", len(ids))
	}
	wantCall(t, s, foreign, call.Scheduled)
	if kept := wantCall(t, s, other, call.Scheduled); kept.PhoneNumber != other.PhoneNumber {
		t.Errorf("another person's call is %+v", kept)
	}
	if got, err := s.ErasePerson(ctx, "bakery", number, asked, now); err != nil || got.Calls+got.Cancelled != 0 {
		t.Errorf("erased again: %+v, %v", got, err)
	}
	page, err := s.AuditTrail(ctx, "bakery", 2, "")
	if wantCode(t, "AuditTrail", err, ""); page.Items[0].Action != "person.erase" ||
		page.Items[1].Action != "person.erase" {
		t.Errorf("an erasure that found nothing is not on the trail: %+v", page.Items)
	}
}

// erasedWhileRunning: a running call ends normally, is emptied then, and gets no retry.
func erasedWhileRunning(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	enableWebhook(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	c := newRetriedCall("bakery", 0, 3)
	bookCalls(t, s, c)
	releaseCall(t, s, c, now)
	_, err := s.AnswerCall(ctx, "bakery", c.ID, soundFile, now)
	wantCode(t, "AnswerCall", err, "")
	got, err := s.ErasePerson(ctx, "bakery", number, asked, now)
	if wantCode(t, "ErasePerson", err, ""); got.Calls != 0 || got.Cancelled != 0 {
		t.Fatalf("erased %+v", got)
	}
	wantCall(t, s, c, call.InProgress)
	o := newOutcome(call.Failed)
	o.Messages, o.Recording = newOutcome(call.Completed).Messages, soundFile
	ended, err := s.FinishCall(ctx, "bakery", c.ID, o, nil, now.Add(time.Minute))
	wantCode(t, "FinishCall", err, "")
	left := wantCall(t, s, c, call.Failed)
	for _, c := range []call.Call{ended, left} {
		if c.ErasedAt == nil || c.PhoneNumber != "" || c.Messages != nil || c.Recording != "" ||
			c.Attempt.NextID != nil || !c.Notify {
			t.Errorf("it ended as %+v", c)
		}
	}
	d, err := s.DeliveryOf(ctx, "bakery", c.ID)
	wantCode(t, "DeliveryOf", err, "")
	tried, err := s.RecordTry(ctx, "bakery", d.ID, delivery.DeliveryTry{At: now, Request: "words"}, now)
	if wantCode(t, "RecordTry", err, ""); tried.Tries[0].Request != "" {
		t.Error("a try after the erasure keeps its body")
	}
	for _, want := range [][]string{{soundFile}, nil} {
		names, err := s.ExpireRecordings(ctx, "bakery", time.Time{}, false, 10)
		if wantCode(t, "ExpireRecordings", err, ""); !slices.Equal(names, want) {
			t.Errorf("recordings to be removed: %v, want %v", names, want)
		}
	}
}

// manyErased: an erasure of more calls than fit in one transaction.
func manyErased(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	const many = 150
	for i := range many {
		c := newCall("bakery", time.Duration(i))
		c.Metadata["long"] = strings.Repeat("x", 1000)
		bookCalls(t, s, c)
	}
	got, err := s.ErasePerson(t.Context(), "bakery", number, asked, startTime())
	if wantCode(t, "ErasePerson", err, ""); got.Cancelled != many {
		t.Fatalf("erased %+v", got)
	}
	wantEntry(t, s, "0 calls emptied, 150 cancelled")
	if due, next := dueIDs(t, s, startTime().Add(time.Hour), 10); len(due) != 0 || !next.IsZero() {
		t.Errorf("%d erased calls are due", len(due))
	}
}

// testExpiry: recordings and transcripts expire by the time of the call's end, each after its own period, within the
// limit.
func testExpiry(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	ctx := t.Context()
	var all []call.Call
	for i := range 4 {
		c := newCall("bakery", 0)
		bookCalls(t, s, c)
		all = append(all, finishCall(t, s, c, call.Completed, startTime().Add(time.Duration(i)*time.Hour)))
	}
	foreign, running := newCall("airline", 0), callIn(t, s, call.InProgress)
	bookCalls(t, s, foreign)
	finishCall(t, s, foreign, call.Completed, startTime())
	for _, c := range []struct {
		before time.Duration
		limit  int
		want   int
	}{{0, 10, 0}, {3 * time.Hour, 2, 2}, {3 * time.Hour, 10, 1}, {3 * time.Hour, 10, 0}, {9 * time.Hour, 0, 0}} {
		names, err := s.ExpireRecordings(ctx, "bakery", startTime().Add(c.before), false, c.limit)
		if wantCode(t, "ExpireRecordings", err, ""); len(names) != c.want || c.want > 0 && names[0] != soundFile {
			t.Errorf("before %v, at most %d: %v", c.before, c.limit, names)
		}
	}
	if got := wantCall(t, s, all[0], call.Completed); got.Recording != "" || got.RecordingSum != nil || len(got.Messages) != 1 || got.Report == nil {
		t.Errorf("with its recording went %+v", got)
	}
	n, err := s.ExpireWords(ctx, "bakery", startTime().Add(2*time.Hour), 10)
	if wantCode(t, "ExpireWords", err, ""); n != 2 {
		t.Errorf("the words of %d calls expired, want 2", n)
	}
	if got := wantCall(t, s, all[1], call.Completed); got.Messages != nil || got.Report != nil ||
		got.PhoneNumber != number {
		t.Errorf("after its words expired: %+v", got)
	}
	if got := wantCall(t, s, all[2], call.Completed); len(got.Messages) != 1 {
		t.Error("words expired too early")
	}
	names, err := s.ExpireRecordings(ctx, "bakery", startTime().Add(9*time.Hour), true, 10)
	if wantCode(t, "ExpireRecordings", err, ""); len(names) != 1 {
		t.Errorf("in the end: %v", names)
	}
	if got := wantCall(t, s, all[3], call.Completed); got.Recording != "" || got.Messages != nil {
		t.Errorf("recording and words together: %+v", got)
	}
	if got := wantCall(t, s, running, call.InProgress); got.Recording == "" {
		t.Error("a running call lost its recording")
	}
	if got := wantCall(t, s, foreign, call.Completed); got.Recording == "" || got.RecordingSum == nil || len(got.Messages) != 1 {
		t.Error("another organization's call expired")
	}
}

// callsSeparate: no method finds or changes another organization's records.
func callsSeparate(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "bakery2")
	enableWebhook(t, s, "bakery")
	ctx, now, c := t.Context(), startTime(), newCall("bakery", 0)
	bookCalls(t, s, c)
	d := addPendingDelivery(t, s, "bakery", now)
	for name, ask := range map[string]func(orgID string) error{
		"Call":     func(o string) error { _, err := s.FindCall(ctx, o, c.ID); return err },
		"Timeline": func(o string) error { _, err := s.CallTimeline(ctx, o, c.ID); return err },
		"Trace":    func(o string) error { _, err := s.FindTrace(ctx, o, c.ID); return err },
		"Reschedule": func(o string) error {
			_, err := s.RescheduleCall(ctx, o, c.ID, now, call.Rescheduled, asked, now)
			return err
		},
		"Cancel":  func(o string) error { _, err := s.CancelCall(ctx, o, c.ID, asked, now); return err },
		"Hangup":  func(o string) error { _, err := s.HangupCall(ctx, o, c.ID, asked, now); return err },
		"Release": func(o string) error { _, err := s.ReleaseCall(ctx, o, c.ID, now); return err },
		"Return":  func(o string) error { _, err := s.ReturnCall(ctx, o, c.ID, now, "", now); return err },
		"Stop":    func(o string) error { _, err := s.StopCall(ctx, o, c.ID, call.NoVoice, now); return err },
		"Answer":  func(o string) error { _, err := s.AnswerCall(ctx, o, c.ID, "", now); return err },
		"Finish": func(o string) error {
			_, err := s.FinishCall(ctx, o, c.ID, newOutcome(call.Failed), nil, now)
			return err
		},
		"Delivery":  func(o string) error { _, err := s.FindDelivery(ctx, o, d.ID); return err },
		"RecordTry": func(o string) error { _, err := s.RecordTry(ctx, o, d.ID, delivery.DeliveryTry{}, now); return err },
		"Redeliver": func(o string) error { _, err := s.RedeliverWebhook(ctx, o, d.ID, asked, now); return err },
	} {
		for _, orgID := range []string{"bakery2", "baker", "", "bakery/" + c.ID} {
			wantCode(t, name+" by "+orgID, ask(orgID), store.CodeNotFound)
		}
	}
	if got, err := s.DeliveryOf(ctx, "bakery2", d.CallID); err != nil || got != nil {
		t.Errorf("another's delivery: %v, %v", got, err)
	}
	if ids := listCalls(t, s, "bakery2", store.CallFilter{Limit: 10}); len(ids) != 0 {
		t.Errorf("another's calls: %v", ids)
	}
	if got, err := s.ErasePerson(ctx, "bakery2", number, asked, now); err != nil || got.Calls+got.Cancelled != 0 {
		t.Errorf("another erased %+v, %v", got, err)
	}
}
