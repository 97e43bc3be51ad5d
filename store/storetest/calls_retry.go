package storetest

import (
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// retryChain: each failure books the next attempt, up to the last one; all are linked.
func retryChain(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	c := newRetriedCall("bakery", 0, 3)
	bookCalls(t, s, c)
	now := startTime()
	for n := 1; n <= 3; n++ {
		ended := finishCall(t, s, c, call.NoAnswer, now)
		if a := ended.Attempt; a.Number != n || a.Max != 3 || n > 1 && a.PreviousID == nil {
			t.Fatalf("attempt %d is %+v", n, a)
		}
		if n == 3 {
			if ended.Attempt.NextID != nil || ended.Attempt.NextRetryAt != nil {
				t.Fatalf("the last attempt has a next one: %+v", ended.Attempt)
			}
			break
		}
		if ended.Attempt.NextID == nil || !ended.Attempt.NextRetryAt.Equal(now.Add(time.Minute)) {
			t.Fatalf("attempt %d has %+v", n, ended.Attempt)
		}
		next, err := s.FindCall(t.Context(), "bakery", *ended.Attempt.NextID)
		wantCode(t, "the retry", err, "")
		if next.Status != call.Scheduled || next.Booking != call.RetryBooked || next.PhoneNumber != number ||
			*next.Attempt.PreviousID != ended.ID || next.Variables["name"] != "سارة" ||
			next.Attempt.ChainID != ended.Attempt.ChainID {
			t.Fatalf("the retry is %+v", next)
		}
		if got := timelineEvents(t, s, next); !slices.Equal(got, []string{"booked"}) {
			t.Fatalf("its timeline is %v", got)
		}
		c, now = next, now.Add(time.Minute)
	}
}

// promisedCallBack: the end of a conversation that promised a call back books it.
func promisedCallBack(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	c := newRetriedCall("bakery", 0, 2)
	bookCalls(t, s, c)
	releaseCall(t, s, c, startTime())
	_, err := s.AnswerCall(t.Context(), "bakery", c.ID, soundFile, startTime())
	wantCode(t, "the answer", err, "")
	ended, err := s.FinishCall(t.Context(), "bakery", c.ID, call.CallOutcome{Status: call.Completed, CallBack: true}, nil, startTime())
	wantCode(t, "the end", err, "")
	if ended.Attempt.NextID == nil {
		t.Fatalf("the end books nothing: %+v", ended.Attempt)
	}
	next, err := s.FindCall(t.Context(), "bakery", *ended.Attempt.NextID)
	wantCode(t, "the call back", err, "")
	if next.Status != call.Scheduled || next.CallBack {
		t.Fatalf("the call back is %+v", next)
	}
}

// retryInClosedHours: the next attempt is booked for the next open hours, the organization's and the scenario's, and
// the previous attempt's record has that time.
func retryInClosedHours(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	c := newRetriedCall("bakery", 0, 2)
	bookCalls(t, s, c)
	sunday := func(from, to string) callrules.CallingHours {
		return callrules.CallingHours{"sunday": {{From: from, To: to}}}
	}
	open := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	rules := callrules.CallRules{CallingHours: sunday("09:00", "12:00")}
	wantCode(t, "PutRules", ReplaceRules(ctx, s, "bakery", rules, asked, now), "")
	plan := scenario.Scenario{ID: c.ScenarioID, OrgID: "bakery", CallingHours: sunday("10:00", "20:00")}
	wantCode(t, "PutScenario", s.PutScenario(ctx, plan, asked, now), "")
	ended := finishCall(t, s, c, call.NoAnswer, now)
	if at := ended.Attempt.NextRetryAt; at == nil || !at.Equal(open) {
		t.Fatalf("the next attempt is planned for %v, not %v", at, open)
	}
	next, err := s.FindCall(ctx, "bakery", *ended.Attempt.NextID)
	if wantCode(t, "the retry", err, ""); !next.ScheduledAt.Equal(open) || next.Booking != call.RetryBooked {
		t.Fatalf("it is booked as %+v", next)
	}
}

// retryMovedAndCancelled: the previous attempt's record has the new time, and none after a cancellation.
func retryMovedAndCancelled(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	c := newRetriedCall("bakery", 0, 2)
	bookCalls(t, s, c)
	first := finishCall(t, s, c, call.NoAnswer, startTime())
	id, later := *first.Attempt.NextID, startTime().Add(time.Hour)
	_, err := s.RescheduleCall(t.Context(), "bakery", id, later, call.Rescheduled, asked, startTime())
	wantCode(t, "RescheduleCall", err, "")
	if got := wantCall(t, s, c, call.NoAnswer).Attempt; got.NextRetryAt == nil || !got.NextRetryAt.Equal(later) {
		t.Fatalf("after a reschedule the previous attempt has %v", got.NextRetryAt)
	}
	_, err = s.CancelCall(t.Context(), "bakery", id, asked, startTime())
	wantCode(t, "CancelCall", err, "")
	got := wantCall(t, s, c, call.NoAnswer).Attempt
	if got.NextRetryAt != nil || got.NextID == nil || *got.NextID != id {
		t.Fatalf("after a cancellation the previous attempt has %+v", got)
	}
	_, next, err := FindDueCalls(t.Context(), s, startTime().Add(100*time.Hour), 10)
	if wantCode(t, "DueCalls", err, ""); !next.IsZero() {
		t.Fatalf("something is still due at %v", next)
	}
	want := []string{"booked", "released", "ended", "retry rescheduled", "retry cancelled"}
	if got := timelineEvents(t, s, c); !slices.Equal(got, want) {
		t.Errorf("timeline %v, want %v", got, want)
	}
}

// movedMeanwhile: a due call that a user reschedules meanwhile is neither released, stopped nor moved.
func movedMeanwhile(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now, c := t.Context(), startTime(), newCall("bakery", 0)
	bookCalls(t, s, c)
	later := now.Add(time.Hour)
	_, err := s.RescheduleCall(ctx, "bakery", c.ID, later, call.Rescheduled, asked, now)
	wantCode(t, "RescheduleCall", err, "")
	_, err = s.ReleaseCall(ctx, "bakery", c.ID, now)
	wantCode(t, "ReleaseCall", err, store.CodeConflict)
	_, err = s.StopCall(ctx, "bakery", c.ID, call.AttemptLimit, now)
	wantCode(t, "StopCall", err, store.CodeConflict)
	_, err = s.RescheduleCall(ctx, "bakery", c.ID, now.Add(time.Minute), call.Moved, asked, now)
	wantCode(t, "a move into open hours", err, store.CodeConflict)
	if got := wantCall(t, s, c, call.Scheduled); !got.ScheduledAt.Equal(later) || got.Booking != call.Rescheduled {
		t.Fatalf("it is %+v", got)
	}
	_, err = s.ReleaseCall(ctx, "bakery", c.ID, later)
	wantCode(t, "ReleaseCall at its time", err, "")
}

// retryForbidden: a suppressed number gets no retry.
func retryForbidden(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now := t.Context(), startTime()
	inCall, before, lifted := newRetriedCall("bakery", 0, 2), newRetriedCall("bakery", 0, 2), newRetriedCall("bakery", 0, 2)
	before.PhoneNumber, lifted.PhoneNumber = "+966500000002", "+966500000003"
	bookCalls(t, s, inCall, before, lifted)

	releaseCall(t, s, inCall, now)
	entry := &callrules.SuppressionEntry{Reason: "asked", Source: "call", CreatedAt: now}
	ended, err := s.FinishCall(ctx, "bakery", inCall.ID, newOutcome(call.Failed), entry, now)
	if wantCode(t, "FinishCall", err, ""); ended.Attempt.NextID != nil {
		t.Error("a person who asked not to be called is called again")
	}
	if kept, err := s.FindSuppression(ctx, "bakery", number, now); err != nil || kept == nil || kept.OrgID != "bakery" {
		t.Errorf("the suppression is %v, %v", kept, err)
	}

	soon := now.Add(time.Second)
	wantCode(t, "Suppress", s.AddSuppressions(ctx, []callrules.SuppressionEntry{
		{OrgID: "bakery", PhoneNumber: before.PhoneNumber, CreatedAt: now},
		{OrgID: "bakery", PhoneNumber: lifted.PhoneNumber, CreatedAt: now, Until: &soon},
	}, asked, now), "")
	if ended := finishCall(t, s, before, call.NoAnswer, now); ended.Attempt.NextID != nil {
		t.Error("a suppressed number is called again")
	}
	if ended := finishCall(t, s, lifted, call.NoAnswer, now); ended.Attempt.NextID == nil {
		t.Error("a number whose suppression ends before the retry is not called again")
	}
}

// retryAfterStop: a call that the rules stopped is never retried.
func retryAfterStop(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	enableWebhook(t, s, "bakery")
	c := newRetriedCall("bakery", 0, 2)
	bookCalls(t, s, c)
	ended, err := s.StopCall(t.Context(), "bakery", c.ID, call.AttemptLimit, startTime())
	wantCode(t, "StopCall", err, "")
	if ended.Attempt.NextID != nil || !ended.Notify || call.ReasonOf(ended.Failure) != call.AttemptLimit {
		t.Fatalf("stopped as %+v", ended)
	}
	if d, err := s.DeliveryOf(t.Context(), "bakery", c.ID); err != nil || d == nil {
		t.Fatalf("a stopped call has the delivery %v, %v", d, err)
	}
}
