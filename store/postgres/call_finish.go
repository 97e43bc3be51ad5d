package postgres

import (
	"context"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/record"
	"munadi/store/records"
)

// FinishCall implements [store.CallStore].
func (s *PostgresStore) FinishCall(
	ctx context.Context, orgID, id string, o call.CallOutcome, suppress *callrules.SuppressionEntry, now time.Time,
) (call.Call, error) {
	return endCall(ctx, orgID, id, s.changeOwnCall, func(e *dbTx, r *record.CallRecord) (err error) {
		reopened, err := reopenInterrupted(e, r, o, now)
		if err != nil {
			return err
		}
		if r.Call, err = r.Call.EndWith(o, now); err != nil {
			return err
		}
		if suppress != nil {
			if err := records.SuppressInCall(e, *suppress, r.Call, now); err != nil {
				return err
			}
		}
		if err := concludeCall(e, r, "ended", record.ByDialler, now); err != nil || !reopened {
			return err
		}
		return supersedeLater(e, r)
	})
}

// StopCall implements [store.CallStore].
func (s *PostgresStore) StopCall(
	ctx context.Context, orgID, id string, reason call.FailureReason, now time.Time,
) (call.Call, error) {
	return endCall(ctx, orgID, id, s.changeCall, func(e *dbTx, r *record.CallRecord) (err error) {
		if r.Call, err = r.Call.StopAtRelease(reason, now); err != nil {
			return err
		}
		return concludeCall(e, r, "stopped", record.ByScheduler, now)
	})
}

// callChange is [PostgresStore.changeCall] or [PostgresStore.changeOwnCall].
type callChange func(
	ctx context.Context, orgID, id string, step func(*dbTx, *record.CallRecord) error,
) (call.Call, error)

// endCall changes a call and returns it with its messages.
func endCall(
	ctx context.Context, orgID, id string, change callChange, step func(*dbTx, *record.CallRecord) error,
) (call.Call, error) {
	var messages []call.Message
	c, err := change(ctx, orgID, id, func(e *dbTx, r *record.CallRecord) error {
		err := step(e, r)
		messages = r.Call.Messages
		return err
	})
	if err == nil {
		c.Messages = messages
	}
	return c, err
}

// RescueCalls implements [store.CallStore]: the calls that this appliance owns.
func (s *PostgresStore) RescueCalls(ctx context.Context, now time.Time) ([]call.Call, error) {
	if err := s.resumeCampaignSweeps(ctx, now); err != nil {
		return nil, err
	}
	return s.rescueCalls(ctx, now, nil, "owner = $1", s.appliance)
}

// rescueCalls fails the running calls that meet a condition on their owner (its arguments are args), except those in
// held; nil: none.
func (s *PostgresStore) rescueCalls(
	ctx context.Context, now time.Time, held func(id string) bool, whose string, args ...any,
) ([]call.Call, error) {
	return sweepBatches(ctx, s, func(e *dbTx) ([]call.Call, error) {
		running, err := calls.readFirst(e, sweepBatch, "WHERE status IN ('dialing', 'in_progress') AND "+whose+
			" ORDER BY org, id FOR UPDATE SKIP LOCKED", args...)
		if err != nil {
			return nil, err
		}
		var rescued []call.Call
		for _, row := range running {
			orgID, id, _ := strings.Cut(row.key, "/")
			if held != nil && held(id) {
				continue // this appliance released it meanwhile
			}
			if row.err != nil { // it no longer counts as running
				e.queueWrite("UPDATE calls SET status = 'failed' WHERE org = $1 AND id = $2", orgID, id)
				continue
			}
			before, after := row.record, row.record
			if after.Call, err = before.Call.RescueInterrupted(now); err != nil {
				return nil, err
			}
			if err := concludeCall(e, &after, "rescued", record.ByScheduler, now); err != nil {
				return nil, err
			}
			if err := saveCall(e, before, after); err != nil {
				return nil, err
			}
			rescued = append(rescued, after.Call)
		}
		return rescued, nil
	})
}

// concludeCall applies the effects of a call's end in the same transaction: the next attempt, the outbox row, the
// timeline line, and the erasure of a call whose person was erased while it ran.
func concludeCall(e *dbTx, r *record.CallRecord, event, actor string, now time.Time) error {
	addLine(e, r, r.EndLine(event, actor, now))
	e.touchKind(store.CallsChanged)
	if err := supersedeEarlierCall(e, r); err != nil {
		return err
	}
	if err := bookRetry(e, r, now); err != nil {
		return err
	}
	if err := addNotification(e, r, now); err != nil {
		return err
	}
	if r.Erase {
		return eraseEndedCall(e, r, actor, now)
	}
	return nil
}

// bookRetry books the next attempt (retry with backoff), unless the number is suppressed or erased.
func bookRetry(e *dbTx, r *record.CallRecord, now time.Time) error {
	ended, next, due := r.Call.NextAttempt(now)
	if !due || r.Call.Attempt.NextID != nil || r.Erase || r.Call.PhoneNumber == "" {
		return nil
	}
	open, err := records.NextOpen(e, next)
	if err != nil {
		return err
	}
	next.ScheduledAt, ended.Attempt.NextRetryAt = open, &open
	if allowed, err := campaignAllows(e, next); err != nil || !allowed {
		return err
	}
	entry, err := records.ActiveSuppression(e, r.Call.OrgID, r.Call.PhoneNumber, next.ScheduledAt)
	if exceptUnreadable(err) != nil || entry != nil { // one that cannot be read is checked again at release
		return err
	}
	r.Call = ended
	return bookRecord(e, record.CallRecord{Call: next, Superseded: r.IsSuperseding()}, record.ByScheduler)
}

// addNotification enqueues a webhook delivery in the outbox, if the organization has an enabled webhook. If the setting
// cannot be read, the delivery is enqueued and its attempts fail.
func addNotification(e *dbTx, r *record.CallRecord, now time.Time) error {
	hook, err := records.WebhookOf(e, r.Call.OrgID)
	if !store.IsUnreadable(err) && (err != nil || !hook.Enabled || hook.URL == "") {
		return err
	}
	r.Call.Notify = true
	d := delivery.NewDelivery(r.Call.OrgID, delivery.CallEnded, r.Call.ID, now)
	return records.EnqueueDelivery(e, d, record.LaneOfCalls)
}
