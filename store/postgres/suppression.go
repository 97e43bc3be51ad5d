package postgres

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/record"
)

var suppressions = tableOf[callrules.SuppressionEntry]{name: "suppressions", keys: []string{"org", "number"}}

// FindSuppression implements [store.CallRulesStore].
func (s *PostgresStore) FindSuppression(
	ctx context.Context, orgID, phone string, now time.Time,
) (active *callrules.SuppressionEntry, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		entry, found, err := suppressions.find(e, orgID, phone)
		if found && entry.IsActive(now) {
			active = &entry
		}
		return err
	})
	return active, err
}

// ListSuppressions implements [store.CallRulesStore].
func (s *PostgresStore) ListSuppressions(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.ListPage[callrules.SuppressionEntry], error) {
	list := []string{"suppressions", orgID}
	return readPage(ctx, s, list, limit, cursor,
		func(e *dbTx, place string, rows int) (pagedRows[callrules.SuppressionEntry], error) {
			return readPlaces[callrules.SuppressionEntry](e, suppressions.name, "SELECT "+suppressions.selected()+
				", number FROM suppressions WHERE org = $1 AND number > $2 ORDER BY number LIMIT $3", orgID, place, rows)
		})
}

// suppressBatch is the number of entries that one transaction adds.
const suppressBatch = 500

// AddSuppressions implements [store.CallRulesStore]. A long list is added in batches of [suppressBatch], each atomic
// and audited; after an error the caller may submit the whole list again.
func (s *PostgresStore) AddSuppressions(
	ctx context.Context, entries []callrules.SuppressionEntry, actor string, now time.Time,
) error {
	if err := record.CheckSuppressions(entries...); err != nil {
		return err
	}
	for part := range slices.Chunk(entries, suppressBatch) {
		if err := s.updateTx(ctx, func(e *dbTx) error { return addSuppressions(e, part, actor, now) }); err != nil {
			return err
		}
	}
	return nil
}

// addSuppressions adds entries, with an audit entry for each organization.
func addSuppressions(e *dbTx, entries []callrules.SuppressionEntry, actor string, now time.Time) error {
	exists := func(orgID string) error { return needOrganization(e, orgID) }
	audits, err := record.SuppressionAudits(entries, actor, now, exists)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		suppressions.put(e, entry, entry.OrgID, entry.PhoneNumber)
	}
	for owner, line := range audits {
		addAudit(e, owner, line)
	}
	return nil
}

// suppressInCall adds the suppression that the callee asked for; an empty number means the call's own.
func suppressInCall(e *dbTx, entry callrules.SuppressionEntry, c call.Call, now time.Time) error {
	entry, err := record.CalleeSuppression(entry, c)
	if err != nil {
		return err
	}
	return addSuppressions(e, []callrules.SuppressionEntry{entry}, record.ByCaller, now)
}

// RemoveSuppression implements [store.CallRulesStore].
func (s *PostgresStore) RemoveSuppression(ctx context.Context, orgID, phone, actor string, now time.Time) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		missing := store.Errorf(store.CodeNotFound, "this number is not suppressed")
		if _, err := lockIn(e, suppressions, missing, orgID, phone); err != nil {
			return err
		}
		suppressions.remove(e, orgID, phone)
		addAudit(e, orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "suppression.delete", Subject: call.MaskNumber(phone),
		})
		return nil
	})
}
