package record

import (
	"reflect"

	"munadi/store"
	"munadi/store/call"
)

// CheckFilter validates a filter: an answer requires the order by dial time, people require a campaign, a name a
// letter or digit; the order by mark allows few conditions.
func CheckFilter(f store.CallFilter) error {
	if f.AnswerSlot != "" && f.Sort != store.SortByDueTime {
		return store.Errorf(store.CodeInvalid, "a filter by answer requires the sort order due_at")
	}
	if f.People != "" && f.CampaignID == "" {
		return store.Errorf(store.CodeInvalid, "a filter by people requires a campaign")
	}
	if f.Sort == store.SortByMark && !isMarkedList(f) || f.Sort != store.SortByMark && f.TakenBy != "" {
		return store.Errorf(store.CodeInvalid,
			"the sort order marked_at lists the calls that need a person; its only further filter is who took them")
	}
	if f.Name != "" && len(call.NameWords(f.Name)) == 0 {
		return store.Errorf(store.CodeInvalid, "a filter by name requires a letter or digit")
	}
	return nil
}

// isMarkedList reports whether a filter has no condition that the order by mark lacks an index for.
func isMarkedList(f store.CallFilter) bool {
	return reflect.DeepEqual(f, store.CallFilter{
		NeedsPerson: true, TakenBy: f.TakenBy, Sort: f.Sort, Ascending: f.Ascending, Limit: f.Limit,
		MaxExamined: f.MaxExamined, Cursor: f.Cursor,
	})
}

// CallsList identifies a list by its filter, so that cursors of other lists are rejected.
func CallsList(orgID string, f store.CallFilter) []string {
	list := []string{
		"calls", orgID, f.ScenarioID, f.CampaignID, f.PhoneNumber, f.NumberContains, string(f.EndedBy), string(f.Sort),
		f.NumberEnds, string(f.NotEndedBy), f.AnswerSlot, f.AnswerValue,
		encodeTimeBound(f.CreatedFrom), encodeTimeBound(f.CreatedTo), encodeTimeBound(f.DueFrom), encodeTimeBound(f.DueTo),
	}
	if f.Ascending {
		list = append(list, "asc")
	}
	if f.Trials {
		list = append(list, "trials")
	}
	if f.NeedsPerson {
		list = append(list, "needs person", f.TakenBy)
	}
	if f.People != "" {
		list = append(list, "people", string(f.People))
	}
	if f.Name != "" {
		list = append(list, "name", f.Name)
	}
	if f.Direction != "" {
		list = append(list, "direction", string(f.Direction))
	}
	for _, status := range f.Statuses {
		list = append(list, string(status))
	}
	return list
}
