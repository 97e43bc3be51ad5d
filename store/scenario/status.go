package scenario

// ScenarioStatus says whether calls use a scenario.
type ScenarioStatus string

// The statuses.
const (
	DraftStatus     ScenarioStatus = "draft"     // work in progress: it can be tried, and no call uses it
	PublishedStatus ScenarioStatus = "published" // in force
)

// IsPublished reports whether calls use the scenario; a draft may lie beside it.
func (s Scenario) IsPublished() bool { return s.Status != DraftStatus }

// Latest returns the draft beside a published scenario, or the scenario itself without one: what is edited, tested and
// shown.
func (s Scenario) Latest() Scenario {
	if s.Draft == nil {
		return s
	}
	return *s.Draft
}

// PublishedVersion returns the number of the version in force (0: built in, or saved before versions were kept); nil
// for a scenario that was only ever a draft.
func (s Scenario) PublishedVersion() *int {
	if !s.IsPublished() {
		return nil
	}
	return &s.Version
}

// WithBuiltIn returns what is in force for an organization under a built-in scenario's id: its own scenario if that is
// published, else the built-in one with the organization's draft beside it.
func (s Scenario) WithBuiltIn(builtIn Scenario) Scenario {
	if s.IsPublished() {
		return s
	}
	builtIn.BuiltIn, builtIn.Draft = true, &s
	return builtIn
}
