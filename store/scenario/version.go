package scenario

import "time"

// MaxVersions is the maximum number of stored versions of a scenario. Saving another one removes the oldest.
const MaxVersions = 100

// VersionHead records who saved a version of a scenario, and when.
type VersionHead struct {
	Number  int       `json:"number"` // from 1
	Name    string    `json:"name"`   // of the scenario
	SavedAt time.Time `json:"saved_at"`
	SavedBy string    `json:"saved_by,omitempty"` // actor; empty: saved before versions were kept
}

// ScenarioVersion is one saved version of a scenario.
type ScenarioVersion struct {
	VersionHead
	Scenario Scenario `json:"scenario"`
}

// StoredScenario is the stored form of a scenario. Its version number is not a field of the API.
type StoredScenario struct {
	Scenario
	Number int `json:"version,omitempty"`
}

// Restored returns the scenario with the fields that its stored form leaves out.
func (s StoredScenario) Restored(orgID string) Scenario {
	s.OrgID, s.Version = orgID, s.Number
	return s.Scenario
}

// NextVersions returns the versions that saving next adds, numbers included: one, and before it that of an existing
// scenario that was saved before versions were kept. before is nil for a new scenario.
func NextVersions(before *Scenario, next Scenario, actor string, now time.Time) []ScenarioVersion {
	var added []ScenarioVersion
	last := 0
	if before != nil {
		if last = before.Version; last == 0 {
			last = 1
			added = append(added, newVersion(*before, last, "", before.UpdatedAt))
		}
	}
	return append(added, newVersion(next, last+1, actor, now))
}

func newVersion(s Scenario, number int, actor string, at time.Time) ScenarioVersion {
	s.Version = number
	return ScenarioVersion{VersionHead{Number: number, Name: s.Name, SavedAt: at, SavedBy: actor}, s}
}

// RestoredIn returns the version with the fields that its stored form leaves out.
func (v ScenarioVersion) RestoredIn(orgID string) ScenarioVersion {
	v.Scenario.OrgID, v.Scenario.Version = orgID, v.Number
	return v
}
