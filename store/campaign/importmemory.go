package campaign

import "slices"

// maxMappings is how many files' columns an organization remembers.
const maxMappings = 50

// ImportMemory holds an organization's answers about its contact files, so that they are asked once.
type ImportMemory struct {
	Region   string          `json:"region,omitempty"` // of numbers without a country code, as ISO 3166; empty: not asked
	Mappings []ColumnMapping `json:"mappings,omitempty"`
}

// ColumnMapping maps the columns of files with these headers, for one scenario.
type ColumnMapping struct {
	Headers    []string `json:"headers"`
	ScenarioID string   `json:"scenario_id"`
	Fields     []string `json:"fields"` // of each column: phone_number, a variable's name, or empty for none
}

// FindMapping returns the fields of files with these headers; false if there were none yet. Without the scenario's own,
// those of another scenario are returned.
func (m ImportMemory) FindMapping(headers []string, scenarioID string) (ColumnMapping, bool) {
	var other *ColumnMapping
	for i, one := range m.Mappings {
		switch {
		case !slices.Equal(one.Headers, headers):
		case one.ScenarioID == scenarioID:
			return one, true
		case other == nil:
			other = &m.Mappings[i]
		}
	}
	if other == nil {
		return ColumnMapping{}, false
	}
	return *other, true
}

// KeepMapping remembers a mapping as the newest; the oldest is forgotten where there are too many.
func (m *ImportMemory) KeepMapping(kept ColumnMapping) {
	m.Mappings = slices.DeleteFunc(m.Mappings, func(one ColumnMapping) bool {
		return one.ScenarioID == kept.ScenarioID && slices.Equal(one.Headers, kept.Headers)
	})
	m.Mappings = slices.Insert(m.Mappings, 0, kept)
	m.Mappings = m.Mappings[:min(len(m.Mappings), maxMappings)]
}
