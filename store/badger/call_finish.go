package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/record"
	"munadi/store/records"
)

// FinishCall implements [store.CallStore].
func (s *BadgerStore) FinishCall(
	ctx context.Context, orgID, id string, o call.CallOutcome, suppress *callrules.SuppressionEntry, now time.Time,
) (call.Call, error) {
	return s.endCall(ctx, orgID, id, func(e writeTx, r *callRecord) (err error) {
		if r.Call, err = r.Call.EndWith(o, now); err != nil {
			return err
		}
		if suppress != nil {
			if err := records.SuppressInCall(e, *suppress, r.Call, now); err != nil {
				return err
			}
		}
		return e.concludeCall(r, "ended", record.ByDialler, now)
	})
}

// StopCall implements [store.CallStore].
func (s *BadgerStore) StopCall(
	ctx context.Context, orgID, id string, reason call.FailureReason, now time.Time,
) (call.Call, error) {
	return s.endCall(ctx, orgID, id, func(e writeTx, r *callRecord) (err error) {
		if r.Call, err = r.Call.StopAtRelease(reason, now); err != nil {
			return err
		}
		return e.concludeCall(r, "stopped", record.ByScheduler, now)
	})
}

// endCall is changeCall that also returns the messages of the ended call.
func (s *BadgerStore) endCall(
	ctx context.Context, orgID, id string, step func(writeTx, *callRecord) error,
) (call.Call, error) {
	var messages []call.Message
	c, err := s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) error {
		e.markUrgent()
		err := step(e, r)
		messages = r.Call.Messages
		return err
	})
	if err == nil {
		c.Messages = messages
	}
	return c, err
}

// RescueCalls implements [store.CallStore].
func (s *BadgerStore) RescueCalls(ctx context.Context, now time.Time) ([]call.Call, error) {
	var rescued, batch []call.Call
	if err := s.resumeCampaignSweeps(ctx, now); err != nil {
		return nil, err
	}
	err := sweepBatches(ctx, s, runningPlaces, func(e writeTx, places [][]string) error {
		batch = nil
		for _, place := range places {
			before, err := findCall(e, place[0], place[1])
			if err != nil {
				if err = ignoreMissing(err); err != nil {
					return err
				}
				e.deleteKey(joinKey(kindCallRunning, place[0], place[1])) // it no longer counts as running
				continue
			}
			after := before
			if after.Call, err = before.Call.RescueInterrupted(now); err != nil {
				e.deleteKey(joinKey(kindCallRunning, place[0], place[1])) // it has ended
				continue
			}
			if err := e.concludeCall(&after, "rescued", record.ByScheduler, now); err != nil {
				return err
			}
			if err := e.saveCall(&before, after); err != nil {
				return err
			}
			batch = append(batch, after.Call)
		}
		return nil
	}, func(int) { rescued = append(rescued, batch...) })
	return rescued, err
}

// runningPlaces returns the first running calls, as organization and id.
func runningPlaces(v snapshotView, most int) (places [][]string, _ error) {
	v.visitKeys(joinPrefix(kindCallRunning), func(rest string) bool {
		if parts := splitKey(rest, 2); len(parts) == 2 {
			places = append(places, parts)
		}
		return len(places) < most
	})
	return places, nil
}

// concludeCall applies the effects of a call's end in the same transaction: the next attempt, the outbox row, the
// timeline line, and the erasure of a call whose person was erased while it ran.
func (e writeTx) concludeCall(r *callRecord, event, actor string, now time.Time) error {
	e.addTimelineLine(r, record.CallRecord(*r).EndLine(event, actor, now))
	e.touchKind(store.CallsChanged)
	if err := e.supersedeEarlierCall(r); err != nil {
		return err
	}
	if err := e.bookRetry(r, now); err != nil {
		return err
	}
	if err := e.addNotification(r, now); err != nil {
		return err
	}
	if r.Erase {
		return e.eraseEndedCall(r, actor, now)
	}
	return nil
}

// bookRetry books the next attempt (retry with backoff), unless the number is suppressed or erased.
func (e writeTx) bookRetry(r *callRecord, now time.Time) error {
	ended, next, due := r.Call.NextAttempt(now)
	if !due || r.Erase || r.Call.PhoneNumber == "" {
		return nil
	}
	open, err := records.NextOpen(e, next)
	if err != nil {
		return err
	}
	next.ScheduledAt, ended.Attempt.NextRetryAt = open, &open
	if allowed, err := e.campaignAllows(next); err != nil || !allowed {
		return err
	}
	entry, err := records.ActiveSuppression(e, r.Call.OrgID, r.Call.PhoneNumber, next.ScheduledAt)
	if ignoreMissing(err) != nil || entry != nil { // one that cannot be read is checked again at release
		return err
	}
	r.Call = ended
	planned, err := e.bookCall(next, record.ByScheduler)
	if err != nil {
		return err
	}
	planned.Superseded = record.CallRecord(*r).IsSuperseding()
	return e.saveCall(nil, planned)
}

// campaignAllows reports whether the campaign of a planned retry, if it has one, still books retries at its dial time.
func (e writeTx) campaignAllows(next call.Call) (bool, error) {
	if next.CampaignID == "" {
		return true, nil
	}
	owner, err := findCampaign(e, next.OrgID, next.CampaignID)
	if err = ignoreMissing(err); err != nil || owner.ID == "" {
		return err == nil, err
	}
	return owner.AllowsRetry(next.ScheduledAt), nil
}

// addNotification enqueues a webhook delivery in the outbox, if the organization has an enabled webhook. If the setting
// cannot be read, the delivery is enqueued and its attempts fail.
func (e writeTx) addNotification(r *callRecord, now time.Time) error {
	hook, err := records.WebhookOf(e, r.Call.OrgID)
	if !store.IsUnreadable(err) && (err != nil || !hook.Enabled || hook.URL == "") {
		return err
	}
	r.Call.Notify = true
	return e.addDelivery(delivery.NewDelivery(r.Call.OrgID, delivery.CallEnded, r.Call.ID, now), record.LaneOfCalls)
}
