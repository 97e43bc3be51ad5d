package badger

import (
	"context"

	"munadi/store"
	"munadi/store/call"
)

// FindCall implements [store.CallStore].
func (s *BadgerStore) FindCall(ctx context.Context, orgID, id string) (call.Call, error) {
	c, err := s.readCall(ctx, orgID, id)
	key := joinKey(kindCall, orgID, id)
	if store.CodeOf(err) == store.CodeNotFound && call.ValidID(id) && s.findDamage(ctx, keyRange{key, key}) {
		return s.readCall(ctx, orgID, id)
	}
	return c, err
}

// readCall reads a call once, without a check for new damage.
func (s *BadgerStore) readCall(ctx context.Context, orgID, id string) (call.Call, error) {
	var r callRecord
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		if r, err = findCall(writeTx{v, &changeSet{}}, orgID, id); err != nil || !r.Words {
			return err
		}
		_, err = v.getRecord(joinKey(kindCallWords, orgID, id), &r.Call.Messages)
		return err
	})
	return r.Call, err
}
