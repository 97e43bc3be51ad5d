package badger

import (
	"context"

	"munadi/store"
)

// Installation implements [store.Installations].
func (s *Store) Installation(ctx context.Context) (*store.Installation, error) {
	var found bool
	var record store.Installation
	err := s.read(ctx, func(v view) (err error) {
		found, err = v.get(key(kindInstall), &record)
		return err
	})
	if err != nil || !found {
		return nil, err
	}
	return &record, nil
}

// ClaimInstallation implements [store.Installations].
func (s *Store) ClaimInstallation(ctx context.Context, fresh store.Installation) (store.Installation, error) {
	if fresh.ID == "" || len(fresh.SecretCheck) == 0 {
		return fresh, store.Errorf(store.CodeInvalid, "an installation record has an id and a check of its secret")
	}
	var kept store.Installation
	err := s.edit(ctx, func(e edit) error {
		kept = store.Installation{}
		found, err := e.get(key(kindInstall), &kept)
		if err != nil || found {
			return err
		}
		kept = fresh
		e.put(key(kindInstall), fresh)
		return nil
	})
	return kept, err
}
