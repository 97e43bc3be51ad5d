package service

import (
	"context"
	"strings"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
)

// PeopleFilter selects the people of a campaign that one of its counts includes, see [campaign.PeopleTally]; the zero
// value selects all.
type PeopleFilter struct {
	Status       call.CallStatus // of the call that decides
	Unreached    bool
	Slot, Answer string // an answer in that call's report, as campaigns count it
}

// CountIn returns the count of the people that the filter selects.
func (f PeopleFilter) CountIn(people campaign.PeopleTally) int {
	switch {
	case f.Slot != "":
		return people.Answers[f.Slot][f.Answer]
	case f.Unreached:
		return people.Unreached
	case f.Status != "":
		return people.Counts[f.Status]
	}
	return people.Total()
}

// FindPeople returns a page of the people of a campaign, as their deciding calls, by dial time. Answers that are not
// indexed (texts of more than 64 bytes, lists, objects) are searched in [maxExamined] reports a page, which then may
// be short, with a cursor to continue.
func (u *UseCases) FindPeople(
	ctx context.Context, orgID, id string, f PeopleFilter, limit int, cursor string,
) (store.ListPage[call.Call], error) {
	filter := store.CallFilter{
		CampaignID: id, People: store.AllPeople, Sort: store.SortByDueTime, Ascending: true, Limit: limit, Cursor: cursor,
	}
	switch {
	case f.Slot != "" && !isIndexed(f.Slot, f.Answer):
		examined := 0
		return u.Store.SearchCalls(ctx, orgID, filter, "answer/"+f.Slot+"/"+f.Answer, func(c call.Call) (bool, bool) {
			examined++
			return campaign.HasAnswer(c.CountedReport(), f.Slot, f.Answer), examined < maxExamined
		})
	case f.Slot != "":
		filter.AnswerSlot, filter.AnswerValue = f.Slot, f.Answer
	case f.Unreached:
		filter.People = store.UnreachedPeople
	case f.Status != "":
		filter.Statuses = []call.CallStatus{f.Status}
	}
	return u.Store.CallsPage(ctx, orgID, filter)
}

// isIndexed reports whether the store finds calls by an answer, see [call.ReportAnswers].
func isIndexed(slot, value string) bool {
	return !strings.ContainsAny(slot, "/\x00") && call.IsListedAnswer(value)
}
