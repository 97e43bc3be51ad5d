package scenario

import (
	"cmp"
	"time"
)

// MaxVersions is the maximum number of stored versions of a scenario. Saving another one removes the oldest, except the
// published one.
const MaxVersions = 100

// VersionHead records who saved a version of a scenario, and when.
type VersionHead struct {
	Number  int       `json:"number"` // from 1
	Name    string    `json:"name"`   // of the scenario
	SavedAt time.Time `json:"saved_at"`
	SavedBy string    `json:"saved_by,omitempty"` // actor; empty: saved before versions were kept
	Draft   bool      `json:"draft,omitempty"`    // saved as a draft
}

// ScenarioVersion is one saved version of a scenario.
type ScenarioVersion struct {
	VersionHead
	Scenario Scenario `json:"scenario"`
}

// StoredScenario is the stored form of a scenario: the published one with the draft beside it, or one that was only
// ever a draft. Its version number is not a field of the API.
type StoredScenario struct {
	Scenario
	Number int             `json:"version,omitempty"`
	Beside *StoredScenario `json:"draft,omitempty"` // the draft; nil: none
}

// Restored returns the scenario with the fields that its stored form leaves out.
func (s StoredScenario) Restored(orgID string) Scenario {
	s.OrgID, s.Version, s.Status = orgID, s.Number, cmp.Or(s.Status, PublishedStatus)
	if s.Beside != nil {
		draft := s.Beside.Restored(orgID)
		s.Draft = &draft
	}
	return s.Scenario
}

// WithSaved returns what is stored after next was saved as the version of a number: a draft is kept beside a published
// scenario, anything else replaces all.
func (s StoredScenario) WithSaved(next Scenario, number int) StoredScenario {
	saved := StoredScenario{Scenario: next, Number: number}
	if next.IsPublished() || s.ID == "" || !s.IsPublished() {
		return saved
	}
	s.Number, s.Beside = max(s.Number, firstVersion), &saved
	return s
}

// firstVersion is the number of the first version.
const firstVersion = 1

// NextVersions returns the versions that saving next adds, numbers included: one, and before it that of an existing
// scenario that was saved before versions were kept. before is nil for a new scenario.
func NextVersions(before *Scenario, next Scenario, actor string, now time.Time) []ScenarioVersion {
	var added []ScenarioVersion
	last := 0
	if before != nil {
		if last = before.Latest().Version; last == 0 {
			last = firstVersion
			added = append(added, newVersion(*before, last, "", before.UpdatedAt))
		}
	}
	return append(added, newVersion(next, last+1, actor, now))
}

func newVersion(s Scenario, number int, actor string, at time.Time) ScenarioVersion {
	s.Version = number
	head := VersionHead{Number: number, Name: s.Name, SavedAt: at, SavedBy: actor, Draft: !s.IsPublished()}
	return ScenarioVersion{head, s}
}

// RestoredIn returns the version with the fields that its stored form leaves out.
func (v ScenarioVersion) RestoredIn(orgID string) ScenarioVersion {
	v.Scenario.OrgID, v.Scenario.Version = orgID, v.Number
	v.Scenario.Status = cmp.Or(v.Scenario.Status, PublishedStatus)
	return v
}
