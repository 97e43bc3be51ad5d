package campaign

import "slices"

// maxMappings is the maximum number of column mappings stored for an organization.
const maxMappings = 50

// ImportMemory stores how an organization's contact files are read, so that the import form is filled in the next time.
type ImportMemory struct {
	Region   string          `json:"region,omitempty"` // of numbers without a country code, as ISO 3166; empty: none
	Mappings []ColumnMapping `json:"mappings,omitempty"`
}

// ColumnMapping maps the columns of files with these headers, for one scenario.
type ColumnMapping struct {
	Headers    []string `json:"headers"`
	ScenarioID string   `json:"scenario_id"`
	Fields     []string `json:"fields"` // of each column: phone_number, a variable's name, or empty for none
}

// FindMapping returns the mapping of files with these headers, preferably that of the scenario, else that of another
// one; false if there is none.
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

// AddMapping stores a mapping as the newest and removes the oldest beyond [maxMappings].
func (m *ImportMemory) AddMapping(kept ColumnMapping) {
	m.Mappings = slices.DeleteFunc(m.Mappings, func(one ColumnMapping) bool {
		return one.ScenarioID == kept.ScenarioID && slices.Equal(one.Headers, kept.Headers)
	})
	m.Mappings = slices.Insert(m.Mappings, 0, kept)
	m.Mappings = m.Mappings[:min(len(m.Mappings), maxMappings)]
}
