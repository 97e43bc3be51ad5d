package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/dialling"
)

// Rules implements [store.Dialling].
func (s *Store) Rules(ctx context.Context, orgID string) (dialling.Rules, error) {
	var r dialling.Rules
	err := s.read(ctx, func(v view) error {
		if !plain(orgID) {
			return nil
		}
		_, err := v.get(key(kindRules, orgID), &r)
		return err
	})
	return r, err
}

// PutRules implements [store.Dialling]. It wakes those who release calls: what waited may go now.
func (s *Store) PutRules(ctx context.Context, orgID string, r dialling.Rules, actor string, now time.Time) error {
	return s.edit(ctx, func(e edit) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		kept := r
		kept.UpdatedAt = now
		e.put(key(kindRules, orgID), kept)
		e.touch(store.CallsChanged)
		note := ""
		if r.KillSwitch {
			note = "kill switch on"
		}
		return e.audit(orgID, store.Change{At: now, Actor: actor, Action: "rules.put", Subject: "rules", Note: note})
	})
}
