package badger

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/record"
)

// FindSuppression implements [store.CallRulesStore].
func (s *BadgerStore) FindSuppression(
	ctx context.Context, orgID, phone string, now time.Time,
) (*callrules.SuppressionEntry, error) {
	var entry *callrules.SuppressionEntry
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		entry, err = writeTx{v, &changeSet{}}.findSuppression(orgID, phone)
		return err
	})
	if err != nil || entry == nil || !entry.IsActive(now) {
		return nil, err
	}
	return entry, nil
}

// findSuppression returns the entry of a number, active or not; nil without one.
func (e writeTx) findSuppression(orgID, phone string) (*callrules.SuppressionEntry, error) {
	if !isKeyPart(orgID) || !isKeyPart(phone) {
		return nil, nil
	}
	var entry callrules.SuppressionEntry
	found, err := e.getRecord(joinKey(kindSuppression, orgID, phone), &entry)
	if err != nil || !found {
		return nil, err
	}
	return &entry, nil
}

// ListSuppressions implements [store.CallRulesStore].
func (s *BadgerStore) ListSuppressions(
	ctx context.Context, orgID string, limit int, after string,
) (store.ListPage[callrules.SuppressionEntry], error) {
	page := store.ListPage[callrules.SuppressionEntry]{Items: []callrules.SuppressionEntry{}}
	if err := record.CheckLimit(limit); err != nil || !isKeyPart(orgID) {
		return page, err
	}
	names := []string{"suppressions", orgID}
	from, err := record.PlaceOfCursor(names, after)
	if err != nil {
		return page, err
	}
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		visit := func(number string, entry callrules.SuppressionEntry) (bool, error) {
			switch {
			case number == from:
				return true, nil
			case len(page.Items) == limit:
				page.Next = record.EncodeCursor(names, page.Items[limit-1].PhoneNumber)
				return false, nil
			}
			page.Items = append(page.Items, entry)
			return true, nil
		}
		return eachRecord(v, joinPrefix(kindSuppression, orgID), from, visit)
	})
	return page, err
}

// suppressBatch is the number of entries that one transaction adds.
const suppressBatch = 500

// AddSuppressions implements [store.CallRulesStore]. A long list is added in batches of [suppressBatch], each atomic
// and audited; after an error the caller may submit the whole list again.
func (s *BadgerStore) AddSuppressions(
	ctx context.Context,
	entries []callrules.SuppressionEntry,
	actor string,
	now time.Time,
) error {
	if err := record.CheckSuppressions(entries...); err != nil {
		return err
	}
	for part := range slices.Chunk(entries, suppressBatch) {
		if err := s.updateTx(ctx, func(e writeTx) error { return e.addSuppressions(part, actor, now) }); err != nil {
			return err
		}
	}
	return nil
}

// addSuppressions adds entries, with an audit entry for each organization.
func (e writeTx) addSuppressions(entries []callrules.SuppressionEntry, actor string, now time.Time) error {
	audits, err := record.SuppressionAudits(entries, actor, now, e.needOrganization)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		e.putRecord(joinKey(kindSuppression, entry.OrgID, entry.PhoneNumber), entry)
	}
	for owner, line := range audits {
		if err := e.addAudit(owner, line); err != nil {
			return err
		}
	}
	return nil
}

// suppressInCall adds the suppression that the callee asked for; an empty number means the call's own.
func (e writeTx) suppressInCall(entry callrules.SuppressionEntry, c call.Call, now time.Time) error {
	entry, err := record.CalleeSuppression(entry, c)
	if err != nil {
		return err
	}
	return e.addSuppressions([]callrules.SuppressionEntry{entry}, record.ByCaller, now)
}

// RemoveSuppression implements [store.CallRulesStore].
func (s *BadgerStore) RemoveSuppression(ctx context.Context, orgID, phone, actor string, now time.Time) error {
	return s.updateTx(ctx, func(e writeTx) error {
		entry, err := e.findSuppression(orgID, phone)
		if err != nil {
			return err
		}
		if entry == nil {
			return store.Errorf(store.CodeNotFound, "this number is not suppressed")
		}
		e.oweCompaction()
		e.deleteKey(joinKey(kindSuppression, orgID, phone))
		line := store.AuditEntry{At: now, Actor: actor, Action: "suppression.delete", Subject: call.MaskNumber(phone)}
		return e.addAudit(orgID, line)
	})
}
