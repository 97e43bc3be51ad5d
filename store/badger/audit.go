package badger

import (
	"context"

	"munadi/store"
	"munadi/store/record"
)

// addAudit appends an entry to an organization's audit trail, in the transaction of the change that it records. Entries
// are numbered, so that none overwrites another and a gap in the numbers reveals a lost entry.
func (e writeTx) addAudit(orgID string, c store.AuditEntry) error {
	if err := record.CheckAudit(c); err != nil {
		return err
	}
	n, err := e.nextNumber(joinKey(kindAuditRank, orgID), joinPrefix(kindAudit, orgID))
	if err == nil {
		e.putRecord(joinKey(kindAudit, orgID, encodeRank(n)), c)
	}
	return err
}

// AuditTrail implements [store.AuditStore].
func (s *BadgerStore) AuditTrail(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.ListPage[store.AuditEntry], error) {
	page := store.ListPage[store.AuditEntry]{Items: []store.AuditEntry{}}
	if err := record.CheckLimit(limit); err != nil || !isKeyPart(orgID) {
		return page, err
	}
	list := []string{"audit", orgID}
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		page, err = newestPage(v, list, joinPrefix(kindAudit, orgID), limit, cursor,
			func(place string) (c store.AuditEntry, err error) {
				_, err = v.getRecord(joinKey(kindAudit, orgID, place), &c)
				return c, err
			})
		return err
	})
	return page, err
}
