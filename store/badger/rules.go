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

// PutRules implements [store.Dialling].
func (s *Store) PutRules(ctx context.Context, orgID string, r dialling.Rules, actor string, now time.Time) error {
	return s.ChangeRules(ctx, orgID, actor, now, func(kept *dialling.Rules) error {
		*kept = r
		return nil
	})
}

// ChangeRules implements [store.Dialling]. It wakes those who release calls: what waited may go now.
func (s *Store) ChangeRules(
	ctx context.Context, orgID, actor string, now time.Time, change func(*dialling.Rules) error,
) error {
	return s.edit(ctx, func(e edit) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		var r dialling.Rules
		if _, err := e.get(key(kindRules, orgID), &r); err != nil {
			return err
		}
		stopped := r.KillSwitch
		if err := change(&r); err != nil {
			return err
		}
		r.UpdatedAt = now
		e.put(key(kindRules, orgID), r)
		e.touch(store.CallsChanged)
		note := ""
		switch {
		case r.KillSwitch:
			note = "kill switch on"
		case stopped:
			note = "kill switch off"
		}
		return e.audit(orgID, store.Change{At: now, Actor: actor, Action: "rules.put", Subject: "rules", Note: note})
	})
}
