package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/record"
	"munadi/store/scenario"
)

// ListScenarios implements [store.ScenarioStore].
func (s *BadgerStore) ListScenarios(ctx context.Context, orgID string) ([]scenario.Scenario, error) {
	all := []scenario.Scenario{}
	if !isKeyPart(orgID) {
		return all, nil
	}
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		some, err := listRecords[scenario.StoredScenario](v, joinPrefix(kindScenario, orgID))
		for _, one := range some {
			all = append(all, one.Restored(orgID))
		}
		return err
	})
	return all, err
}

// FindScenario implements [store.ScenarioStore].
func (s *BadgerStore) FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	var sc scenario.Scenario
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		sc, err = findScenario(writeTx{v, &changeSet{}}, orgID, id)
		return err
	})
	return sc, err
}

// findScenario returns an organization's scenario.
func findScenario(e writeTx, orgID, id string) (scenario.Scenario, error) {
	var kept scenario.StoredScenario
	missing := store.Errorf(store.CodeNotFound, "there is no scenario %q", id)
	if !isKeyPart(orgID) || !isKeyPart(id) {
		return kept.Scenario, missing
	}
	found, err := e.getRecord(joinKey(kindScenario, orgID, id), &kept)
	if err == nil && !found {
		return kept.Scenario, missing
	}
	return kept.Restored(orgID), err
}

// CreateScenario implements [store.ScenarioStore].
func (s *BadgerStore) CreateScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.create", actor, now, func(there *scenario.Scenario) error {
		if there != nil {
			return store.Errorf(store.CodeConflict, "there is already a scenario %q", sc.ID)
		}
		return nil
	})
}

// PutScenario implements [store.ScenarioStore].
func (s *BadgerStore) PutScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.put", actor, now, func(*scenario.Scenario) error { return nil })
}

// ReplaceScenario implements [store.ScenarioStore].
func (s *BadgerStore) ReplaceScenario(
	ctx context.Context, sc scenario.Scenario, version int, actor string, now time.Time,
) error {
	return s.saveScenario(ctx, sc, "scenario.put", actor, now, func(there *scenario.Scenario) error {
		return record.CheckScenarioVersion(there, version)
	})
}

// saveScenario writes a scenario if judge accepts the existing one (nil without one). The first creation time is kept.
func (s *BadgerStore) saveScenario(
	ctx context.Context, sc scenario.Scenario, action, actor string, now time.Time, judge func(*scenario.Scenario) error,
) error {
	if !isKeyPart(sc.ID) {
		return store.Errorf(store.CodeInvalid, "a scenario's id must not contain '/'")
	}
	return s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(sc.OrgID); err != nil {
			return err
		}
		kept, before := sc, (*scenario.Scenario)(nil)
		kept.CreatedAt, kept.UpdatedAt = now, now
		there, err := findScenario(e, sc.OrgID, sc.ID)
		if err == nil {
			before, kept.CreatedAt = &there, there.CreatedAt
		}
		if err == nil || store.CodeOf(err) == store.CodeNotFound {
			err = judge(before)
		}
		if err != nil {
			return err
		}
		number := addVersions(e, scenario.NextVersions(before, kept, actor, now), sc.OrgID)
		e.putRecord(joinKey(kindScenario, sc.OrgID, sc.ID), scenario.StoredScenario{Scenario: kept, Number: number})
		return e.addAudit(sc.OrgID, store.AuditEntry{At: now, Actor: actor, Action: action, Subject: sc.ID})
	})
}

// DeleteScenario implements [store.ScenarioStore].
func (s *BadgerStore) DeleteScenario(ctx context.Context, orgID, id, actor string, now time.Time) error {
	return s.updateTx(ctx, func(e writeTx) error {
		there, err := findScenario(e, orgID, id)
		if err != nil {
			return err
		}
		e.deleteKey(joinKey(kindScenario, orgID, id))
		for n := max(1, there.Version-scenario.MaxVersions+1); n <= there.Version; n++ {
			e.deleteKey(versionKey(orgID, id, n))
		}
		return e.addAudit(orgID, store.AuditEntry{At: now, Actor: actor, Action: "scenario.delete", Subject: id})
	})
}
