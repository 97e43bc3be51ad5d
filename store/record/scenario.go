package record

import (
	"munadi/store"
	"munadi/store/scenario"
)

// CheckScenarioVersion refuses a change that is based on another version than the stored scenario's (nil: none is
// stored), for optimistic locking.
func CheckScenarioVersion(there *scenario.Scenario, version int) error {
	stored := 0
	if there != nil {
		stored = there.Latest().Version
	}
	if stored != version {
		return store.Errorf(store.CodeConflict,
			"the scenario is at version %d and the change is based on version %d: load it again and repeat the change",
			stored, version)
	}
	return nil
}
