package records

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/driver"
	"munadi/store/record"
)

var suppressions = declareKind[callrules.SuppressionEntry](
	driver.Table{Kind: "suppression", Name: "suppressions", Key: []string{"org", "number"}}, nil,
	func([]string) error { return store.Errorf(store.CodeNotFound, "this number is not suppressed") })

// FindSuppression implements [store.CallRulesStore].
func (s *Records) FindSuppression(
	ctx context.Context, orgID, phone string, now time.Time,
) (*callrules.SuppressionEntry, error) {
	return read(ctx, s, func(tx driver.Tx) (*callrules.SuppressionEntry, error) {
		return activeSuppression(tx, orgID, phone, now)
	})
}

// activeSuppression returns the suppression of a number at a time; nil without one.
func activeSuppression(tx driver.Tx, orgID, phone string, now time.Time) (*callrules.SuppressionEntry, error) {
	entry, found, err := suppressions.find(tx, orgID, phone)
	if err != nil || !found || !entry.IsActive(now) {
		return nil, err
	}
	return &entry, nil
}

// ListSuppressions implements [store.CallRulesStore].
func (s *Records) ListSuppressions(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.ListPage[callrules.SuppressionEntry], error) {
	return read(ctx, s, func(tx driver.Tx) (store.ListPage[callrules.SuppressionEntry], error) {
		return suppressions.page(tx, driver.Query{Equal: []any{orgID}}, []string{"suppressions", orgID}, limit, cursor)
	})
}

// suppressBatch is the number of entries that one transaction adds.
const suppressBatch = 500

// AddSuppressions implements [store.CallRulesStore]. A long list is added in batches of [suppressBatch], each atomic
// and audited; after an error the caller may submit the whole list again.
func (s *Records) AddSuppressions(
	ctx context.Context, entries []callrules.SuppressionEntry, actor string, now time.Time,
) error {
	if err := record.CheckSuppressions(entries...); err != nil {
		return err
	}
	for part := range slices.Chunk(entries, suppressBatch) {
		err := s.db.Update(ctx, func(tx driver.Tx) error { return addSuppressions(tx, part, actor, now) })
		if err != nil {
			return err
		}
	}
	return nil
}

// addSuppressions adds entries, with an audit entry for each organization.
func addSuppressions(tx driver.Tx, entries []callrules.SuppressionEntry, actor string, now time.Time) error {
	exists := func(orgID string) error { return needOrganization(tx, orgID) }
	audits, err := record.SuppressionAudits(entries, actor, now, exists)
	for _, entry := range entries {
		if err == nil {
			err = suppressions.put(tx, entry, entry.OrgID, entry.PhoneNumber)
		}
	}
	for owner, line := range audits {
		if err == nil {
			err = addAudit(tx, owner, line)
		}
	}
	return err
}

// suppressInCall adds the suppression that the callee of a call asked for; an empty number means the call's own.
func suppressInCall(tx driver.Tx, entry callrules.SuppressionEntry, c call.Call, now time.Time) error {
	entry, err := record.CalleeSuppression(entry, c)
	if err != nil {
		return err
	}
	return addSuppressions(tx, []callrules.SuppressionEntry{entry}, record.ByCaller, now)
}

// RemoveSuppression implements [store.CallRulesStore].
func (s *Records) RemoveSuppression(ctx context.Context, orgID, phone, actor string, now time.Time) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		entry, err := suppressions.lock(tx, orgID, phone)
		if err != nil {
			return audited{}, err
		}
		tx.OweCompaction()
		line := store.AuditEntry{At: now, Actor: actor, Action: "suppression.delete", Subject: call.MaskNumber(phone)}
		return audited{orgID, line}, suppressions.remove(tx, entry, orgID, phone)
	})
}
