package badger

import (
	"context"

	"munadi/store"
)

// audit adds a line to an organization's trail, in the transaction of what it tells of. Lines are numbered, so that
// none hides another and one that is missing shows.
func (e edit) audit(orgID string, c store.Change) error {
	n, err := e.next(key(kindAuditRank, orgID))
	if err == nil {
		e.put(key(kindAudit, orgID, rank(n)), c)
	}
	return err
}

// AuditTrail implements [store.Audit].
func (s *Store) AuditTrail(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.Page[store.Change], error) {
	page := store.Page[store.Change]{Items: []store.Change{}}
	if err := checkLimit(limit); err != nil || !plain(orgID) {
		return page, err
	}
	list := []string{"audit", orgID}
	err := s.read(ctx, func(v view) (err error) {
		page, err = newestPage(v, list, prefix(kindAudit, orgID), limit, cursor,
			func(place string) (c store.Change, err error) {
				_, err = v.get(key(kindAudit, orgID, place), &c)
				return c, err
			})
		return err
	})
	return page, err
}
