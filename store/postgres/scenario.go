package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/record"
	"munadi/store/scenario"
)

var (
	scenarios        = tableOf[scenario.StoredScenario]{name: "scenarios", keys: []string{"org", "id"}}
	scenarioVersions = tableOf[scenario.ScenarioVersion]{
		name: "scenario_versions", keys: []string{"org", "scenario", "rank"},
	}
)

// ListScenarios implements [store.ScenarioStore].
func (s *PostgresStore) ListScenarios(ctx context.Context, orgID string) (all []scenario.Scenario, err error) {
	all = []scenario.Scenario{}
	err = s.readRows(ctx, func(e *dbTx) error {
		some, err := scenarios.list(e, "WHERE org = $1 ORDER BY id", orgID)
		for _, one := range some {
			all = append(all, one.Restored(orgID))
		}
		return err
	})
	return all, err
}

// FindScenario implements [store.ScenarioStore].
func (s *PostgresStore) FindScenario(ctx context.Context, orgID, id string) (sc scenario.Scenario, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		sc, err = findScenario(e, orgID, id)
		return err
	})
	return sc, err
}

// findScenario returns an organization's scenario.
func findScenario(e *dbTx, orgID, id string) (scenario.Scenario, error) {
	kept, err := findIn(e, scenarios, store.Errorf(store.CodeNotFound, "there is no scenario %q", id), orgID, id)
	return kept.Restored(orgID), err
}

// CreateScenario implements [store.ScenarioStore].
func (s *PostgresStore) CreateScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.create", actor, now, func(there *scenario.Scenario) error {
		if there != nil {
			return store.Errorf(store.CodeConflict, "there is already a scenario %q", sc.ID)
		}
		return nil
	})
}

// PutScenario implements [store.ScenarioStore].
func (s *PostgresStore) PutScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.put", actor, now, func(*scenario.Scenario) error { return nil })
}

// ReplaceScenario implements [store.ScenarioStore].
func (s *PostgresStore) ReplaceScenario(
	ctx context.Context, sc scenario.Scenario, version int, actor string, now time.Time,
) error {
	return s.saveScenario(ctx, sc, "scenario.put", actor, now, func(there *scenario.Scenario) error {
		return record.CheckScenarioVersion(there, version)
	})
}

// saveScenario writes a scenario if judge accepts the existing one (nil without one). The first creation time is kept.
func (s *PostgresStore) saveScenario(
	ctx context.Context, sc scenario.Scenario, action, actor string, now time.Time, judge func(*scenario.Scenario) error,
) error {
	if !record.IsKeyPart(sc.ID) {
		return store.Errorf(store.CodeInvalid, "a scenario's id must not contain '/'")
	}
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := lockOrganization(e, sc.OrgID); err != nil {
			return err
		}
		kept, before := sc, (*scenario.Scenario)(nil)
		kept.CreatedAt, kept.UpdatedAt = now, now
		there, err := findScenario(e, sc.OrgID, sc.ID)
		switch {
		case err == nil:
			before, kept.CreatedAt = &there, there.CreatedAt
		case store.CodeOf(err) != store.CodeNotFound:
			return err
		}
		if err := judge(before); err != nil {
			return err
		}
		number := addVersions(e, scenario.NextVersions(before, kept, actor, now), sc.OrgID)
		scenarios.put(e, scenario.StoredScenario{Scenario: kept, Number: number}, sc.OrgID, sc.ID)
		addAudit(e, sc.OrgID, store.AuditEntry{At: now, Actor: actor, Action: action, Subject: sc.ID})
		return nil
	})
}

// DeleteScenario implements [store.ScenarioStore].
func (s *PostgresStore) DeleteScenario(ctx context.Context, orgID, id, actor string, now time.Time) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		missing := store.Errorf(store.CodeNotFound, "there is no scenario %q", id)
		if _, err := lockIn(e, scenarios, missing, orgID, id); err != nil {
			return err
		}
		scenarios.remove(e, orgID, id)
		e.queueWrite("DELETE FROM scenario_versions WHERE org = $1 AND scenario = $2", orgID, id)
		addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "scenario.delete", Subject: id})
		return nil
	})
}

// addVersions writes versions of a scenario and removes the oldest beyond [scenario.MaxVersions]. It returns the newest
// number.
func addVersions(e *dbTx, added []scenario.ScenarioVersion, orgID string) (newest int) {
	for _, one := range added {
		newest = one.Number
		scenarioVersions.put(e, one, orgID, one.Scenario.ID, int64(newest))
		e.queueWrite("DELETE FROM scenario_versions WHERE org = $1 AND scenario = $2 AND rank <= $3",
			orgID, one.Scenario.ID, int64(newest-scenario.MaxVersions))
	}
	return newest
}

// ListScenarioVersions implements [store.ScenarioStore].
func (s *PostgresStore) ListScenarioVersions(
	ctx context.Context, orgID, id string,
) (all []scenario.VersionHead, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		rows, err := readRecords[scenario.VersionHead](e, scenarioVersions.name, "SELECT "+scenarioVersions.selected()+
			" FROM scenario_versions WHERE org = $1 AND scenario = $2 ORDER BY rank DESC", orgID, id)
		all = readableOf(rows)
		return err
	})
	return all, err
}

// FindScenarioVersion implements [store.ScenarioStore].
func (s *PostgresStore) FindScenarioVersion(
	ctx context.Context, orgID, id string, number int,
) (one scenario.ScenarioVersion, err error) {
	missing := store.Errorf(store.CodeNotFound, "there is no version %d of the scenario %q", number, id)
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		found := false
		if one, found, err = scenarioVersions.find(e, orgID, id, int64(number)); err == nil && !found {
			err = missing
		}
		return err
	})
	return one.RestoredIn(orgID), err
}
