package records

import (
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
	"munadi/store/scenario"
)

var (
	scenarios = declareKind[scenario.StoredScenario](
		driver.Table{Kind: "scenario", Name: "scenarios", Key: []string{"org", "id"}}, nil,
		func(key []string) error { return store.Errorf(store.CodeNotFound, "there is no scenario %q", key[1]) })

	scenarioVersions = declareKind[scenario.ScenarioVersion](driver.Table{
		Kind: "scenario-version", Name: "scenario_versions", Key: []string{"org", "scenario", "rank"},
		Numbers: []string{"rank"},
	}, nil, nil)
	// versionHeads are the versions without their flows.
	versionHeads = kindOf[scenario.VersionHead]{Table: scenarioVersions.Table}
)

// versionKey returns the key of a version of a scenario.
func versionKey(orgID, id string, number int) []string {
	return []string{orgID, id, record.EncodeRank(uint64(max(0, number)))}
}

// ListScenarios implements [store.ScenarioStore].
func (s *Records) ListScenarios(ctx context.Context, orgID string) (all []scenario.Scenario, err error) {
	kept, err := read(ctx, s, func(tx driver.Tx) ([]scenario.StoredScenario, error) {
		return scenarios.list(tx, driver.Query{Equal: []any{orgID}})
	})
	all = make([]scenario.Scenario, len(kept))
	for i, one := range kept {
		all[i] = one.Restored(orgID)
	}
	return all, err
}

// FindScenario implements [store.ScenarioStore].
func (s *Records) FindScenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	return read(ctx, s, func(tx driver.Tx) (scenario.Scenario, error) { return scenarioOf(tx, orgID, id) })
}

// scenarioOf returns an organization's scenario in a transaction.
func scenarioOf(tx driver.Tx, orgID, id string) (scenario.Scenario, error) {
	kept, err := scenarios.need(tx, orgID, id)
	return kept.Restored(orgID), err
}

// CreateScenario implements [store.ScenarioStore].
func (s *Records) CreateScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.create", actor, now, func(there *scenario.Scenario) error {
		if there != nil {
			return store.Errorf(store.CodeConflict, "there is already a scenario %q", sc.ID)
		}
		return nil
	})
}

// PutScenario implements [store.ScenarioStore].
func (s *Records) PutScenario(ctx context.Context, sc scenario.Scenario, actor string, now time.Time) error {
	return s.saveScenario(ctx, sc, "scenario.put", actor, now, func(*scenario.Scenario) error { return nil })
}

// ReplaceScenario implements [store.ScenarioStore].
func (s *Records) ReplaceScenario(
	ctx context.Context, sc scenario.Scenario, version int, actor string, now time.Time,
) error {
	return s.saveScenario(ctx, sc, "scenario.put", actor, now, func(there *scenario.Scenario) error {
		return record.CheckScenarioVersion(there, version)
	})
}

// saveScenario writes a scenario and its next version if judge accepts the existing one (nil without one). The first
// creation time is kept.
func (s *Records) saveScenario(
	ctx context.Context, sc scenario.Scenario, action, actor string, now time.Time, judge func(*scenario.Scenario) error,
) error {
	if !record.IsKeyPart(sc.ID) {
		return store.Errorf(store.CodeInvalid, "a scenario's id must not contain '/'")
	}
	return s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		if err := lockOrganization(tx, sc.OrgID); err != nil {
			return done, err
		}
		kept, before := sc, (*scenario.Scenario)(nil)
		kept.CreatedAt, kept.UpdatedAt = now, now
		there, err := scenarios.need(tx, sc.OrgID, sc.ID)
		if err == nil {
			existing := there.Restored(sc.OrgID)
			before, kept.CreatedAt = &existing, existing.CreatedAt
		}
		if err == nil || store.CodeOf(err) == store.CodeNotFound {
			err = judge(before)
		}
		if err != nil {
			return done, err
		}
		added := scenario.NextVersions(before, kept, actor, now)
		stored := there.WithSaved(kept, added[len(added)-1].Number)
		entry := store.AuditEntry{
			At: now, Actor: actor, Action: saveAction(before, kept, action), Subject: sc.ID,
			Note: fmt.Sprintf("version %d", added[len(added)-1].Number),
		}
		return audited{sc.OrgID, entry}, errors.Join(
			addVersions(tx, added, sc.OrgID), dropOldVersions(tx, sc.OrgID, there, stored),
			scenarios.put(tx, stored, sc.OrgID, sc.ID))
	})
}

// saveAction returns the audit action of saving a scenario: that a draft was saved, that one was published, or action.
func saveAction(before *scenario.Scenario, saved scenario.Scenario, action string) string {
	switch {
	case !saved.IsPublished():
		return "scenario.draft"
	case before != nil && !before.Latest().IsPublished():
		return "scenario.publish"
	}
	return action
}

// addVersions writes versions of a scenario.
func addVersions(tx driver.Tx, added []scenario.ScenarioVersion, orgID string) (err error) {
	for _, one := range added {
		err = errors.Join(err, scenarioVersions.put(tx, one, versionKey(orgID, one.Scenario.ID, one.Number)...))
	}
	return err
}

// dropOldVersions removes the oldest version beyond [scenario.MaxVersions], and the one that was in force and kept
// for that alone.
func dropOldVersions(tx driver.Tx, orgID string, before, saved scenario.StoredScenario) (err error) {
	last := newestVersion(saved) - scenario.MaxVersions
	for _, old := range []int{last, before.Number} {
		if old > 0 && old <= last && old != saved.Number {
			err = errors.Join(err, dropVersion(tx, orgID, saved.ID, old))
		}
	}
	return err
}

// newestVersion returns the number of the newest version of a scenario.
func newestVersion(s scenario.StoredScenario) int {
	if s.Beside != nil {
		return s.Beside.Number
	}
	return s.Number
}

// dropVersion deletes a version, if it exists.
func dropVersion(tx driver.Tx, orgID, id string, number int) error {
	return tx.Delete(scenarioVersions.Table, driver.Row{Key: versionKey(orgID, id, number)})
}

// DeleteScenario implements [store.ScenarioStore].
func (s *Records) DeleteScenario(ctx context.Context, orgID, id, actor string, now time.Time) error {
	return s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		kept, err := scenarios.lock(tx, orgID, id)
		if err != nil {
			return done, err
		}
		newest := newestVersion(kept)
		for n := max(1, newest-scenario.MaxVersions+1); n <= newest; n++ {
			err = errors.Join(err, dropVersion(tx, orgID, id, n))
		}
		if kept.Number > 0 && kept.Number <= newest-scenario.MaxVersions {
			err = errors.Join(err, dropVersion(tx, orgID, id, kept.Number))
		}
		entry := store.AuditEntry{At: now, Actor: actor, Action: "scenario.delete", Subject: id}
		return audited{orgID, entry}, errors.Join(err, scenarios.remove(tx, kept, orgID, id))
	})
}

// ListScenarioVersions implements [store.ScenarioStore].
func (s *Records) ListScenarioVersions(ctx context.Context, orgID, id string) ([]scenario.VersionHead, error) {
	return read(ctx, s, func(tx driver.Tx) ([]scenario.VersionHead, error) {
		return versionHeads.list(tx, driver.Query{Equal: []any{orgID, id}, Latest: true})
	})
}

// FindScenarioVersion implements [store.ScenarioStore].
func (s *Records) FindScenarioVersion(
	ctx context.Context, orgID, id string, number int,
) (one scenario.ScenarioVersion, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		found := false
		one, found, err = scenarioVersions.find(tx, versionKey(orgID, id, number)...)
		if err == nil && !found {
			err = store.Errorf(store.CodeNotFound, "there is no version %d of the scenario %q", number, id)
		}
		return err
	})
	return one.RestoredIn(orgID), err
}
