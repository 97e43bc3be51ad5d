package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/record"
	"munadi/store/scenario"
)

var scenarios = tableOf[scenario.Scenario]{name: "scenarios", keys: []string{"org", "id"}}

// ListScenarios implements [store.ScenarioStore].
func (s *PostgresStore) ListScenarios(ctx context.Context, orgID string) (all []scenario.Scenario, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		all, err = scenarios.list(e, "WHERE org = $1 ORDER BY id", orgID)
		return err
	})
	for i := range all {
		all[i].OrgID = orgID
	}
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
	sc, err := findIn(e, scenarios, store.Errorf(store.CodeNotFound, "there is no scenario %q", id), orgID, id)
	sc.OrgID = orgID
	return sc, err
}

// CreateScenario implements [store.ScenarioStore].
func (s *PostgresStore) CreateScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.create", actor, now)
}

// PutScenario implements [store.ScenarioStore].
func (s *PostgresStore) PutScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.put", actor, now)
}

// saveScenario writes a scenario; a creation replaces none. The first creation time is kept.
func (s *PostgresStore) saveScenario(
	ctx context.Context, sc scenario.Scenario, action, actor string, now time.Time,
) error {
	if !record.IsKeyPart(sc.ID) {
		return store.Errorf(store.CodeInvalid, "a scenario's id has no '/'")
	}
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := lockOrganization(e, sc.OrgID); err != nil {
			return err
		}
		there, err := findScenario(e, sc.OrgID, sc.ID)
		made := now
		switch {
		case err == nil && action == "scenario.create":
			return store.Errorf(store.CodeConflict, "there is already a scenario %q", sc.ID)
		case err == nil:
			made = there.CreatedAt
		case store.CodeOf(err) != store.CodeNotFound:
			return err
		}
		kept := sc
		kept.CreatedAt, kept.UpdatedAt = made, now
		scenarios.put(e, kept, sc.OrgID, sc.ID)
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
		addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: "scenario.delete", Subject: id})
		return nil
	})
}
