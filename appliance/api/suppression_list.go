package api

import (
	"context"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
)

const typeCSV = "text/csv"

// listSuppressions answers a page of the suppression list by number; a client that accepts text/csv gets all of it as
// a file.
func (s *APIService) listSuppressions(c echo.Context) error {
	q := queryOf(c, "limit", "cursor")
	limit, cursor := q.limitParam(), q.textParam("cursor")
	ctx, orgID := c.Request().Context(), requestPrincipal(c).OrgID
	if len(q.found) == 0 && strings.Contains(c.Request().Header.Get(echo.HeaderAccept), typeCSV) {
		return s.suppressionsCSV(ctx, c, orgID)
	}
	page, err := s.Store.ListSuppressions(ctx, orgID, limit, cursor)
	return answerList(c, q, page, err, apimodel.SuppressionOf)
}

// suppressionsCSV streams the whole list. Its first page is read before the response begins, so that a failure gets an
// error response; a later failure truncates the file.
func (s *APIService) suppressionsCSV(ctx context.Context, c echo.Context, orgID string) error {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, typeCSV+"; charset=utf-8")
	h.Set(echo.HeaderContentDisposition, `attachment; filename="suppressions.csv"`)
	err := s.UseCases.WriteSuppressions(ctx, c.Response(), orgID, func(key string) string { return key })
	if err != nil && !c.Response().Committed {
		h.Del(echo.HeaderContentDisposition)
	}
	return err
}
