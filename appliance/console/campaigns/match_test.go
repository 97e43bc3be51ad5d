package campaigns

import (
	"slices"
	"testing"

	"munadi/appliance/contactfile"
	"munadi/store/campaign"
	"munadi/store/scenario"
)

// TestColumnsOfAnotherScenario checks that columns which a campaign with another scenario left out are recognized anew,
// and that what was chosen for this scenario stays.
func TestColumnsOfAnotherScenario(t *testing.T) {
	t.Parallel()
	table := contactfile.ContactTable{
		Header: []string{"الاسم", "الجوال", "اليوم"}, Rows: [][]string{{"سارة", "0512345601", "2026-12-03"}},
	}
	memory := campaign.ImportMemory{Mappings: []campaign.ColumnMapping{
		{Headers: table.Header, ScenarioID: "survey", Fields: []string{"", "phone_number", ""}},
	}}
	d := campaignDraft{table: table, plan: scenario.Scenario{ID: "reminder", Variables: []scenario.ScenarioVariable{
		{Name: "name", Label: scenario.Label{Arabic: "الاسم"}}, {Name: "date", Label: scenario.Label{Arabic: "اليوم"}},
	}}}
	if d.matchFields(memory); !slices.Equal(d.fields, []string{"name", "phone_number", "date"}) {
		t.Errorf("another scenario's columns are taken for %q", d.fields)
	}
	memory.AddMapping(campaign.ColumnMapping{Headers: table.Header, ScenarioID: "reminder", Fields: []string{"", "phone_number", "date"}})
	if d.matchFields(memory); !slices.Equal(d.fields, []string{"", "phone_number", "date"}) {
		t.Errorf("this scenario's columns are taken for %q", d.fields)
	}
}
