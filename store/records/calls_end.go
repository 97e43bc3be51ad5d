package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/driver"
	"munadi/store/record"
	"munadi/store/scenario"
)

// FinishCall implements [store.CallStore].
func (s *Records) FinishCall(
	ctx context.Context, orgID, id string, o call.CallOutcome, suppress *callrules.SuppressionEntry, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, driver.OwnLock, func(tx driver.Tx, r *record.CallRecord) error {
		tx.MarkUrgent()
		err := reopenInterrupted(tx, r, o, now)
		if err != nil {
			return err
		}
		if r.Call, err = r.Call.EndWith(o, now); err != nil {
			return err
		}
		if suppress != nil && !r.Call.Trial {
			if err := suppressInCall(tx, *suppress, r.Call, now); err != nil {
				return err
			}
		}
		if err := concludeCall(tx, r, "ended", record.ByDialler, now); err != nil {
			return err
		}
		return keepTrace(tx, r, o.Trace)
	}, func(tx driver.Tx, c call.Call) error {
		return cancelSettledRetry(tx, c, now) // once c counts in its campaign, which this may finish
	})
}

// StopCall implements [store.CallStore].
func (s *Records) StopCall(
	ctx context.Context, orgID, id string, reason call.FailureReason, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, driver.RowLock, func(tx driver.Tx, r *record.CallRecord) (err error) {
		tx.MarkUrgent()
		if r.Call, err = r.Call.StopAtRelease(reason, now); err != nil {
			return err
		}
		return concludeCall(tx, r, "stopped", record.ByScheduler, now)
	})
}

// RescueCalls implements [store.CallStore], for the calls that this appliance owns.
func (s *Records) RescueCalls(ctx context.Context, now time.Time) ([]call.Call, error) {
	if err := s.resumeCampaignSweeps(ctx, now); err != nil {
		return nil, err
	}
	return s.rescueCalls(ctx, driver.ThisOwner, nil, now)
}

// RescueDead is [Records.RescueCalls] for the calls of appliances that have lost their lease.
func (s *Records) RescueDead(ctx context.Context, now time.Time) ([]call.Call, error) {
	return s.rescueCalls(ctx, driver.DeadOwner, nil, now)
}

// RescueLost fails the running calls of this appliance that have no line of it: their release was committed, but its
// answer was lost.
func (s *Records) RescueLost(ctx context.Context, holds func(id string) bool, now time.Time) ([]call.Call, error) {
	lost := false
	err := s.db.Read(ctx, func(tx driver.Tx) error {
		running, err := tx.Tally(driver.Query{Table: calls.Table, Index: callsRunning, Owner: driver.ThisOwner}, "id")
		for id := range running {
			lost = lost || !holds(id)
		}
		return err
	})
	if err != nil || !lost {
		return nil, err
	}
	return s.rescueCalls(ctx, driver.ThisOwner, holds, now)
}

// rescueCalls fails the running calls of an owner, except those for which held is true; nil: none.
func (s *Records) rescueCalls(
	ctx context.Context, owner driver.Owner, held func(id string) bool, now time.Time,
) ([]call.Call, error) {
	q := driver.Query{Index: callsRunning, Owner: owner, SkipLocked: true}
	return sweepKind(ctx, s.db, calls, q, func(
		tx driver.Tx, _ driver.Row, before record.CallRecord,
	) (c call.Call, ended bool, err error) {
		if held != nil && held(before.Call.ID) {
			return c, false, nil // this appliance released it meanwhile
		}
		after := before
		if after.Call, err = before.Call.RescueInterrupted(now); err == nil {
			err = concludeCall(tx, &after, "rescued", record.ByScheduler, now)
		}
		if err == nil {
			err = saveCall(tx, &before, after)
		}
		return after.Call, true, err
	})
}

// concludeCall applies the effects of a call's end in the same transaction: the next attempt, the outbox row, the
// timeline line, and the erasure of a call whose person was erased while it ran.
func concludeCall(tx driver.Tx, r *record.CallRecord, event, actor string, now time.Time) error {
	tx.Announce(store.CallsChanged)
	if err := addLine(tx, r, r.EndLine(event, actor, now)); err != nil {
		return err
	}
	if err := supersedeEarlierCall(tx, r); err != nil {
		return err
	}
	if r.IsFollowed() {
		if err := supersedeLater(tx, r); err != nil {
			return err
		}
	}
	if err := joinCampaign(tx, r); err != nil {
		return err
	}
	if err := bookRetry(tx, r, now); err != nil {
		return err
	}
	if err := addNotification(tx, r, now); err != nil {
		return err
	}
	if r.Erase {
		return eraseEndedCall(tx, r, actor, now)
	}
	return nil
}

// bookRetry books the next attempt (retry with backoff), unless the number is suppressed or erased.
func bookRetry(tx driver.Tx, r *record.CallRecord, now time.Time) error {
	ended, next, due := r.Call.NextAttempt(now)
	if !due || r.LaterID() != nil || r.Erase || r.Call.PhoneNumber == "" {
		return nil
	}
	open, err := nextOpen(tx, next)
	if err != nil {
		return err
	}
	next.ScheduledAt, ended.Attempt.NextRetryAt = open, &open
	if allowed, err := campaignAllows(tx, next); err != nil || !allowed {
		return err
	}
	entry, err := activeSuppression(tx, r.Call.OrgID, r.Call.PhoneNumber, next.ScheduledAt)
	if store.IgnoreMissing(err) != nil || entry != nil { // one that cannot be read is checked again at release
		return err
	}
	r.Call = ended
	return bookCall(tx, record.CallRecord{Call: next, Superseded: r.IsSuperseding()}, record.ByScheduler)
}

// cancelSettledRetry cancels the retry that is booked for the person whom a call-back c has reached: the call that
// staff called back for, or a later one.
func cancelSettledRetry(tx driver.Tx, c call.Call, now time.Time) error {
	of, err := findCalledBack(tx, c)
	if err != nil || of == nil {
		return err
	}
	later, err := listLater(tx, *of)
	for _, retry := range append(later, *of) {
		if err != nil || retry.Call.Status != call.Scheduled || retry.EarlierID() == nil {
			continue
		}
		cancelled := retry
		if err = cancelCall(tx, &cancelled, record.ByDialler, now); err == nil {
			err = saveCall(tx, &retry, cancelled)
		}
	}
	return err
}

// nextOpen returns the first time, not before a call's dial time, within the calling hours of its organization and
// scenario; the dial time itself if they are never open. A scenario that is not stored restricts nothing, nor do rules
// that cannot be read; they are checked again when the call is released.
func nextOpen(tx driver.Tx, c call.Call) (time.Time, error) {
	r, err := rulesOf(tx, c.OrgID)
	if store.IgnoreMissing(err) != nil {
		return time.Time{}, err
	}
	plan, err := scenarioOf(tx, c.OrgID, c.ScenarioID)
	if store.IgnoreMissing(err) != nil {
		return time.Time{}, err
	}
	if !plan.IsPublished() {
		plan = scenario.Scenario{}
	}
	if open, ok := callrules.NextOpen(r, plan.CallingHours, plan.TimeZone, c.ScheduledAt); ok {
		return open, nil
	}
	return c.ScheduledAt, nil
}

// addNotification enqueues a webhook delivery in the outbox, if the organization has an enabled webhook. If the setting
// cannot be read, the delivery is enqueued and its attempts fail.
func addNotification(tx driver.Tx, r *record.CallRecord, now time.Time) error {
	if r.Call.Trial || r.Call.IsCallBack() { // no integrator waits for a report of it
		return nil
	}
	hook, err := webhookOf(tx, r.Call.OrgID)
	if !store.IsUnreadable(err) && (err != nil || !hook.Enabled || hook.URL == "") {
		return err
	}
	r.Call.Notify = true
	d := delivery.NewDelivery(r.Call.OrgID, delivery.CallEnded, r.Call.ID, now)
	return EnqueueDelivery(tx, d, record.LaneOfCalls)
}

// reopenInterrupted reopens a call that another appliance ended as interrupted while this one, its owner, had lost the
// database, so that its true outcome can be stored; any other call stays as it is. The retry booked for it is cancelled
// unless it has started. A second webhook follows the first.
func reopenInterrupted(tx driver.Tx, r *record.CallRecord, o call.CallOutcome, now time.Time) error {
	if !tx.Shared() {
		return nil
	}
	reopened, interrupted := r.Call.ReopenInterrupted(o, now)
	if !interrupted {
		return nil
	}
	r.Call = reopened
	line := call.TimelineEntry{At: now, Event: "reopened", Actor: record.ByDialler}
	if err := addLine(tx, r, line); err != nil {
		return err
	}
	return cancelNeedlessRetry(tx, r, now)
}

// cancelNeedlessRetry cancels the attempt after a reopened call, unless it has started.
func cancelNeedlessRetry(tx driver.Tx, r *record.CallRecord, now time.Time) error {
	if r.Call.Attempt.NextID == nil {
		return nil
	}
	before, found, err := calls.lockReadable(tx, r.Call.OrgID, *r.Call.Attempt.NextID)
	if err != nil || !found || before.Call.Status != call.Scheduled {
		return err
	}
	after := before
	if after.Call, err = before.Call.CancelAt(now); err != nil {
		return err
	}
	after.Superseded = true
	line := call.TimelineEntry{
		At: now, Event: "cancelled", Actor: record.ByDialler, Note: "the attempt before it was not interrupted",
	}
	if err := addLine(tx, &after, line); err != nil {
		return err
	}
	r.Call.Attempt.NextID, r.Call.Attempt.NextRetryAt = nil, nil
	return saveCall(tx, &before, after)
}
