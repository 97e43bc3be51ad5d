package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/scenario"
)

// Scenarios implements [store.Scenarios].
func (s *Store) Scenarios(ctx context.Context, orgID string) ([]scenario.Scenario, error) {
	all := []scenario.Scenario{}
	if !plain(orgID) {
		return all, nil
	}
	err := s.read(ctx, func(v view) error {
		some, err := list[scenario.Scenario](v, prefix(kindScenario, orgID))
		for i := range some {
			some[i].OrgID = orgID
		}
		all = append(all, some...)
		return err
	})
	return all, err
}

// Scenario implements [store.Scenarios].
func (s *Store) Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	var sc scenario.Scenario
	err := s.read(ctx, func(v view) (err error) {
		sc, err = findScenario(edit{v, &changes{}}, orgID, id)
		return err
	})
	return sc, err
}

// findScenario is an organization's scenario.
func findScenario(e edit, orgID, id string) (scenario.Scenario, error) {
	var sc scenario.Scenario
	missing := store.Errorf(store.CodeNotFound, "there is no scenario %q", id)
	if !plain(orgID) || !plain(id) {
		return sc, missing
	}
	found, err := e.get(key(kindScenario, orgID, id), &sc)
	if err == nil && !found {
		return sc, missing
	}
	sc.OrgID = orgID
	return sc, err
}

// CreateScenario implements [store.Scenarios].
func (s *Store) CreateScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.create", actor, now, func(there *scenario.Scenario) error {
		if there != nil {
			return store.Errorf(store.CodeConflict, "there is already a scenario %q", sc.ID)
		}
		return nil
	})
}

// PutScenario implements [store.Scenarios].
func (s *Store) PutScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.put", actor, now, func(*scenario.Scenario) error { return nil })
}

// saveScenario writes a scenario if judge lets it replace what is there. Its first creation time stays.
func (s *Store) saveScenario(
	ctx context.Context, sc scenario.Scenario, action, actor string, now time.Time, judge func(*scenario.Scenario) error,
) error {
	if !plain(sc.ID) {
		return store.Errorf(store.CodeInvalid, "a scenario's id has no '/'")
	}
	return s.edit(ctx, func(e edit) error {
		if err := e.needOrganization(sc.OrgID); err != nil {
			return err
		}
		there, err := findScenario(e, sc.OrgID, sc.ID)
		made, found := now, err == nil
		switch {
		case found:
			made, err = there.CreatedAt, judge(&there)
		case store.CodeOf(err) == store.CodeNotFound:
			err = judge(nil)
		}
		if err != nil {
			return err
		}
		kept := sc
		kept.CreatedAt, kept.UpdatedAt = made, now
		e.put(key(kindScenario, sc.OrgID, sc.ID), kept)
		return e.audit(sc.OrgID, store.Change{At: now, Actor: actor, Action: action, Subject: sc.ID})
	})
}

// DeleteScenario implements [store.Scenarios].
func (s *Store) DeleteScenario(ctx context.Context, orgID, id, actor string, now time.Time) error {
	return s.edit(ctx, func(e edit) error {
		if _, err := findScenario(e, orgID, id); err != nil {
			return err
		}
		e.drop(key(kindScenario, orgID, id))
		return e.audit(orgID, store.Change{At: now, Actor: actor, Action: "scenario.delete", Subject: id})
	})
}
