package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store"
	"munadi/store/call"
)

// listCalls answers calls, newest first.
func (s *APIService) listCalls(c echo.Context) error {
	filter, q := filterOf(c)
	ctx := c.Request().Context()
	page, err := s.Store.CallsPage(ctx, requestPrincipal(c).OrgID, filter)
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
	return answerPage(c, http.StatusOK, list, page.Next, page.Incomplete)
}

func filterOf(c echo.Context) (store.CallFilter, *queryReader) {
	q := queryOf(c, "status", "scenario_id", "phone_number", "created_from", "created_to", "limit", "cursor")
	f := store.CallFilter{
		Status: enumParam(q, "status", call.AllStatuses()), ScenarioID: q.textParam("scenario_id"), PhoneNumber: q.numberParam("phone_number"),
		CreatedFrom: q.timeParam("created_from"), CreatedTo: q.timeParam("created_to"), Limit: q.limitParam(), Cursor: q.textParam("cursor"),
	}
	if !f.CreatedFrom.IsZero() && !f.CreatedTo.IsZero() && f.CreatedTo.Before(f.CreatedFrom) {
		q.found.AddViolation("created_to", "must not lie before created_from")
	}
	return f, q
}
