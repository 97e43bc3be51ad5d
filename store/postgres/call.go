package postgres

import (
	"context"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

var (
	calls = tableOf[record.CallRecord]{
		sqlTable: sqlTable{
			name: "calls", keys: []string{"org", "id"}, owned: true,
			others: []string{
				"status", "number", "scenario", "campaign", "ended_by", "made", "due",
				"released", "ended", "sound", "worded", "erase", "answers", "need", "person",
			},
		},
		derive: callColumns,
	}
	callWords = plainTable[[]call.Message]("call_words", "org", "call")
	callLines = plainTable[call.TimelineEntry]("call_lines", "org", "call", "rank")
)

// callColumns returns the values of the columns that queries use.
func callColumns(r record.CallRecord) []any {
	c := r.Call
	return []any{
		string(c.Status), c.PhoneNumber, c.ScenarioID, c.CampaignID, string(c.EndedBy), unixNanos(c.CreatedAt),
		unixNanos(c.ScheduledAt), optionalNanos(c.ReleasedAt), optionalNanos(c.EndedAt), c.Recording != "", r.HasWords(),
		r.Erase, answerColumn(c), c.Need.IsOpen(), string(r.PersonGroup()),
	}
}

// BookCall implements [store.CallStore].
func (s *PostgresStore) BookCall(
	ctx context.Context, c call.Call, actor string, once *store.IdempotencyReceipt,
) (receipt store.IdempotencyReceipt, err error) {
	err = s.updateTx(ctx, func(e *dbTx) error {
		name := ""
		if once != nil {
			if err := lockReceipt(e, c.OrgID, *once); err != nil {
				return err
			}
			if first, err := firstReceipt(e, c.OrgID, *once); err != nil || first != nil {
				if first != nil {
					receipt = *first
				}
				return err
			}
			name = record.ReceiptName(once.Key)
		}
		if err := bookCall(e, c, actor, name); err != nil {
			return err
		}
		addAudit(e, c.OrgID, store.AuditEntry{
			At: c.CreatedAt, Actor: actor, Action: "call.create", Subject: c.ID, Note: c.ScenarioID,
		})
		receipt = store.IdempotencyReceipt{CallID: c.ID, MadeAt: c.CreatedAt}
		if once != nil {
			receipt = *once
			receipt.CallID = c.ID
			receipts.put(e, receipt, c.OrgID, name, unixNanos(receipt.MadeAt))
		}
		return nil
	})
	return receipt, err
}

// bookCall writes a new call under the name of an idempotency receipt; empty without one.
func bookCall(e *dbTx, c call.Call, actor, receipt string) error {
	return bookRecord(e, record.CallRecord{Call: c, Receipt: receipt}, actor)
}

// bookRecord writes the record of a new call with the first line of its timeline.
func bookRecord(e *dbTx, r record.CallRecord, actor string) error {
	c := r.Call
	if err := record.CheckCall(c); err != nil {
		return err
	}
	if err := needOrganization(e, c.OrgID); err != nil {
		return err
	}
	r.Lines = 1
	added, err := calls.add(e, r, c.OrgID, c.ID)
	if err := needAdded(added, err, "there is already a call %q", c.ID); err != nil {
		return err
	}
	line := call.TimelineEntry{At: c.CreatedAt, Event: "booked", Actor: actor, Note: string(c.Booking)}
	callLines.put(e, line, c.OrgID, c.ID, int64(1))
	e.touchKind(store.CallsChanged)
	countCall(e, nil, c)
	return tallyCall(e, nil, r)
}

// saveCall writes a changed call: record, messages and the counts of its campaign. Messages are written when there are
// any, and deleted when the record no longer has any.
func saveCall(e *dbTx, before, after record.CallRecord) error {
	c := after.Call
	if len(c.Messages) > 0 {
		after.Words = true
		callWords.put(e, c.Messages, c.OrgID, c.ID)
	} else if before.Words && !after.Words {
		callWords.remove(e, c.OrgID, c.ID)
	}
	after.Call.Messages = nil
	calls.put(e, after, c.OrgID, c.ID)
	countCall(e, &before, c)
	return tallyCall(e, &before, after)
}

// changeCall applies one state transition to an organization's call and returns the call after it, without its
// messages. step may change the record in place; its error aborts the transaction.
func (s *PostgresStore) changeCall(
	ctx context.Context, orgID, id string, step func(*dbTx, *record.CallRecord) error,
) (call.Call, error) {
	return s.changeLockedCall(ctx, orgID, id, lockIn[record.CallRecord], step)
}

// changeOwnCall is [PostgresStore.changeCall] for a call that this appliance owns.
func (s *PostgresStore) changeOwnCall(
	ctx context.Context, orgID, id string, step func(*dbTx, *record.CallRecord) error,
) (call.Call, error) {
	return s.changeLockedCall(ctx, orgID, id, lockOwn[record.CallRecord], step)
}

func (s *PostgresStore) changeLockedCall(
	ctx context.Context, orgID, id string, lock rowLock[record.CallRecord],
	step func(*dbTx, *record.CallRecord) error,
) (call.Call, error) {
	var after record.CallRecord
	err := s.updateTx(ctx, func(e *dbTx) error {
		before, err := lock(e, calls, record.NoCall(id), orgID, id)
		if err != nil {
			return err
		}
		after = before
		if err := step(e, &after); err != nil {
			return record.ToConflict(err)
		}
		return saveCall(e, before, after)
	})
	if err != nil {
		return call.Call{}, err
	}
	return after.Call, nil
}

// FindCall implements [store.CallStore].
func (s *PostgresStore) FindCall(ctx context.Context, orgID, id string) (call.Call, error) {
	var r record.CallRecord
	err := s.readRows(ctx, func(e *dbTx) (err error) {
		if r, err = findIn(e, calls, record.NoCall(id), orgID, id); err != nil || !r.Words {
			return err
		}
		r.Call.Messages, _, err = callWords.find(e, orgID, id)
		return err
	})
	return r.Call, err
}

// CallTimeline implements [store.CallStore].
func (s *PostgresStore) CallTimeline(
	ctx context.Context, orgID, id string,
) (entries []call.TimelineEntry, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		if _, err = findIn(e, calls, record.NoCall(id), orgID, id); err == nil {
			entries, err = callLines.list(e, "WHERE org = $1 AND call = $2 ORDER BY rank", orgID, id)
		}
		return err
	})
	return entries, err
}
