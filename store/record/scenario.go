package record

import (
	"munadi/store"
	"munadi/store/scenario"
)

// CheckScenarioVersion refuses to replace a stored scenario (nil: none) by a change of another version (optimistic
// locking).
func CheckScenarioVersion(there *scenario.Scenario, version int) error {
	stored := 0
	if there != nil {
		stored = there.Version
	}
	if stored != version {
		return store.Errorf(store.CodeConflict, "version %d of the scenario was saved after version %d", stored, version)
	}
	return nil
}
