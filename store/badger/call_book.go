package badger

import (
	"context"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// BookCall implements [store.CallStore].
func (s *BadgerStore) BookCall(
	ctx context.Context,
	c call.Call,
	actor string,
	once *store.IdempotencyReceipt,
) (store.IdempotencyReceipt, error) {
	var receipt store.IdempotencyReceipt
	err := s.updateTx(ctx, func(e writeTx) error {
		if once != nil {
			first, err := e.firstReceipt(c.OrgID, *once)
			if err != nil || first != nil {
				if first != nil {
					receipt = *first
				}
				return err
			}
		}
		r, err := e.bookCall(c, actor)
		if err != nil {
			return err
		}
		receipt = store.IdempotencyReceipt{CallID: c.ID, MadeAt: c.CreatedAt}
		if once != nil {
			receipt = *once
			receipt.CallID = c.ID
			r.Receipt = e.keepReceipt(c.OrgID, receipt)
		}
		if err := e.saveCall(nil, r); err != nil {
			return err
		}
		return e.addAudit(c.OrgID, store.AuditEntry{
			At: c.CreatedAt, Actor: actor, Action: "call.create", Subject: c.ID, Note: c.ScenarioID,
		})
	})
	return receipt, err
}

// bookCall returns the record of a new call with the first line of its timeline; the caller saves it.
func (e writeTx) bookCall(c call.Call, actor string) (callRecord, error) {
	r := callRecord{Call: c}
	if err := record.CheckCall(c); err != nil {
		return r, err
	}
	if err := e.needOrganization(c.OrgID); err != nil {
		return r, err
	}
	taken, err := e.hasKey(joinKey(kindCall, c.OrgID, c.ID))
	if err != nil && !store.IsUnreadable(err) { // a new UUID cannot be among the lost calls
		return r, err
	}
	if taken {
		return r, store.Errorf(store.CodeConflict, "there is already a call %q", c.ID)
	}
	e.addTimelineLine(&r, call.TimelineEntry{At: c.CreatedAt, Event: "booked", Actor: actor, Note: string(c.Booking)})
	e.touchKind(store.CallsChanged)
	return r, nil
}
