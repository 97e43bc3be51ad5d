package badger

import (
	"context"
	"slices"

	"munadi/store"
	"munadi/store/scenario"
)

func versionKey(orgID, id string, number int) []byte {
	return joinKey(kindVersion, orgID, id, encodeRank(uint64(max(0, number))))
}

// addVersions writes versions of a scenario and removes the oldest beyond [scenario.MaxVersions]. It returns the newest
// number.
func addVersions(e writeTx, added []scenario.ScenarioVersion, orgID string) (newest int) {
	for _, one := range added {
		newest = one.Number
		e.putRecord(versionKey(orgID, one.Scenario.ID, newest), one)
		if old := newest - scenario.MaxVersions; old > 0 {
			e.deleteKey(versionKey(orgID, one.Scenario.ID, old))
		}
	}
	return newest
}

// ListScenarioVersions implements [store.ScenarioStore].
func (s *BadgerStore) ListScenarioVersions(
	ctx context.Context, orgID, id string,
) (all []scenario.VersionHead, err error) {
	if !isKeyPart(orgID) || !isKeyPart(id) {
		return nil, nil
	}
	err = s.readSnapshot(ctx, func(v snapshotView) (err error) {
		all, err = listRecords[scenario.VersionHead](v, joinPrefix(kindVersion, orgID, id))
		return err
	})
	slices.Reverse(all)
	return all, err
}

// FindScenarioVersion implements [store.ScenarioStore].
func (s *BadgerStore) FindScenarioVersion(
	ctx context.Context, orgID, id string, number int,
) (one scenario.ScenarioVersion, err error) {
	missing := store.Errorf(store.CodeNotFound, "there is no version %d of the scenario %q", number, id)
	if !isKeyPart(orgID) || !isKeyPart(id) {
		return one, missing
	}
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		found, err := v.getRecord(versionKey(orgID, id, number), &one)
		if err == nil && !found {
			err = missing
		}
		return err
	})
	return one.RestoredIn(orgID), err
}
