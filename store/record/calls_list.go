package record

import (
	"munadi/store"
)

// CallsList tells the lists of different filters apart, so that none takes the cursor of another.
func CallsList(orgID string, f store.CallFilter) []string {
	list := []string{
		"calls", orgID, f.ScenarioID, f.CampaignID, f.PhoneNumber, f.NumberContains, string(f.EndedBy), string(f.Sort),
		EncodeTimeBound(f.CreatedFrom), EncodeTimeBound(f.CreatedTo), EncodeTimeBound(f.DueFrom), EncodeTimeBound(f.DueTo),
	}
	if f.Ascending {
		list = append(list, "asc")
	}
	for _, status := range f.Statuses {
		list = append(list, string(status))
	}
	return list
}
