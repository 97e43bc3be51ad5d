package badger

import (
	"context"

	"munadi/store"
)

// FindInstallation implements [store.InstallationStore].
func (s *BadgerStore) FindInstallation(ctx context.Context) (*store.InstallationRecord, error) {
	var found bool
	var record store.InstallationRecord
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		found, err = v.getRecord(joinKey(kindInstall), &record)
		return err
	})
	if err != nil || !found {
		return nil, err
	}
	return &record, nil
}

// ClaimInstallation implements [store.InstallationStore].
func (s *BadgerStore) ClaimInstallation(
	ctx context.Context,
	fresh store.InstallationRecord,
) (store.InstallationRecord, error) {
	if fresh.ID == "" || len(fresh.SecretCheck) == 0 {
		return fresh, store.Errorf(store.CodeInvalid, "an installation record needs an id and a check of its secret")
	}
	var kept store.InstallationRecord
	err := s.updateTx(ctx, func(e writeTx) error {
		kept = store.InstallationRecord{}
		found, err := e.getRecord(joinKey(kindInstall), &kept)
		if err != nil || found {
			return err
		}
		kept = fresh
		e.putRecord(joinKey(kindInstall), fresh)
		return nil
	})
	return kept, err
}
