package api

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/call"
)

// maxExaminedCalls limits the calls examined for a page filtered by part of a number, which no index supports.
const maxExaminedCalls = 20_000

// The limits of a filter by name: its characters, and the calls examined for a page.
const (
	maxNameFilter     = 100
	maxExaminedByName = 2000
)

// listCalls answers GET /calls: a page of calls, in the order that the query requests.
func (s *APIService) listCalls(c echo.Context) error {
	filter, q := filterOf(c)
	ctx := c.Request().Context()
	page, err := s.findCalls(ctx, requestPrincipal(c).OrgID, filter, q)
	if err = q.validationError(err); err != nil {
		return err
	}
	list := make([]apimodel.CallBody, len(page.Items))
	for i, found := range page.Items {
		found.Messages, found.Errors = nil, nil
		if list[i], err = s.buildCallBody(ctx, found); err != nil {
			return err
		}
	}
	return answerPage(c, http.StatusOK, list, page.Next)
}

// findCalls returns a page of calls; with the parameter said, only those in whose transcript these words occur.
func (s *APIService) findCalls(
	ctx context.Context, orgID string, filter store.CallFilter, q *queryReader,
) (store.ListPage[call.Call], error) {
	said := q.textParam("said")
	if said == "" || len(q.found) > 0 {
		return s.Store.CallsPage(ctx, orgID, filter)
	}
	found, err := s.UseCases.SearchCalls(ctx, orgID, filter, said)
	return found.ListPage, err
}

// callParams are the query parameters of a list of calls.
var callParams = []string{
	"status", "scenario_id", "campaign_id", "people", "phone_number", "number_contains", "name", "direction", "trial",
	"ended_by", "needs_person",
	"said",
	"created_from", "created_to", "due_from", "due_to", "sort", "order", "limit", "cursor",
}

// filterOf parses the filter and order of a list of calls.
func filterOf(c echo.Context) (store.CallFilter, *queryReader) {
	q := queryOf(c)
	f := store.CallFilter{
		Statuses: enumListParam(q, "status", call.AllStatuses()), ScenarioID: q.textParam("scenario_id"),
		CampaignID: q.textParam("campaign_id"), PhoneNumber: q.numberParam("phone_number"),
		NumberContains: q.numberPartParam("number_contains"), Name: q.nameParam("name"),
		EndedBy: enumParam(q, "ended_by",
			[]call.EndedBy{call.ByCustomer, call.ByPlatform, call.ByOperator, call.ByCarrier}),
		Direction:   enumParam(q, "direction", []call.CallDirection{call.Outbound, call.Inbound}),
		Trials:      enumParam(q, "trial", []string{"true", "false"}) == "true",
		People:      enumParam(q, "people", []store.PeopleGroup{store.AllPeople, store.UnreachedPeople}),
		NeedsPerson: enumParam(q, "needs_person", []string{"true", "false"}) == "true",
		CreatedFrom: q.timeParam("created_from"), CreatedTo: q.timeParam("created_to"),
		DueFrom: q.timeParam("due_from"), DueTo: q.timeParam("due_to"),
		Sort:      enumParam(q, "sort", []store.CallSort{store.SortByCreation, store.SortByDueTime}),
		Ascending: enumParam(q, "order", []string{"desc", "asc"}) == "asc",
		Limit:     q.limitParam(), Cursor: q.textParam("cursor"),
	}
	if f.Name != "" {
		f.MaxExamined = maxExaminedByName
	}
	if f.NumberContains != "" {
		f.MaxExamined = maxExaminedCalls
	}
	if f.People != "" && f.CampaignID == "" {
		q.found.AddViolation("people", "requires campaign_id")
		f.People = ""
	}
	if said := q.textParam("said"); said != "" && !service.IsSearchable(said) {
		q.found.AddViolation("said", "must contain a letter or digit and have at most %d characters", service.MaxSearch)
	}
	q.checkRange("created_from", "created_to", f.CreatedFrom, f.CreatedTo)
	q.checkRange("due_from", "due_to", f.DueFrom, f.DueTo)
	return f, q
}
