package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/wire"
	"munadi/store"
	"munadi/store/call"
)

// listCalls answers calls, newest first.
func (s *Service) listCalls(c echo.Context) error {
	filter, q := filterOf(c)
	ctx := c.Request().Context()
	page, err := s.Store.CallsPage(ctx, principal(c).OrgID, filter)
	if err = q.verdict(err); err != nil {
		return err
	}
	list := make([]wire.Call, len(page.Items))
	for i, found := range page.Items {
		found.Messages, found.Errors = nil, nil
		if list[i], err = s.wired(ctx, found); err != nil {
			return err
		}
	}
	return answerPage(c, http.StatusOK, list, page.Next, page.Incomplete)
}

func filterOf(c echo.Context) (store.CallFilter, *query) {
	q := queryOf(c, "status", "scenario_id", "phone_number", "created_from", "created_to", "limit", "cursor")
	f := store.CallFilter{
		Status: one(q, "status", call.Statuses()), ScenarioID: q.text("scenario_id"), PhoneNumber: q.number("phone_number"),
		CreatedFrom: q.time("created_from"), CreatedTo: q.time("created_to"), Limit: q.limit(), Cursor: q.text("cursor"),
	}
	if !f.CreatedFrom.IsZero() && !f.CreatedTo.IsZero() && f.CreatedTo.Before(f.CreatedFrom) {
		q.found.Add("created_to", "must not lie before created_from")
	}
	return f, q
}
