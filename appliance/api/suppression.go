package api

import (
	"context"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store/strictjson"
)

const typeCSV = "text/csv"

// listSuppressions answers a page of the suppression list by number; a client that accepts text/csv gets all of it as
// a file.
func (s *APIService) listSuppressions(c echo.Context) error {
	q := queryOf(c)
	limit, cursor := q.limitParam(), q.textParam("cursor")
	ctx, orgID := c.Request().Context(), requestPrincipal(c).OrgID
	if len(q.found) == 0 && strings.Contains(c.Request().Header.Get(echo.HeaderAccept), typeCSV) {
		return s.suppressionsCSV(ctx, c, orgID)
	}
	page, err := s.Store.ListSuppressions(ctx, orgID, limit, cursor)
	return answerList(c, q, page, err, apimodel.SuppressionOf)
}

// suppressionsCSV streams the whole list. Its first page is read before the response begins, so that a failure gets an
// error response; after a later one the last row of the file says so.
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

const (
	maxAtOnce  = 1000 // entries of one JSON body
	sourceAPI  = "api"
	sourceFile = "csv"
)

// suppressionBody is one suppression list entry in a request. Read-only fields are accepted and ignored.
type suppressionBody struct {
	PhoneNumber string     `json:"phone_number"`
	Reason      string     `json:"reason"`
	Until       *time.Time `json:"until"`
	Source      string     `json:"source"`
	CreatedAt   time.Time  `json:"created_at"`
}

// addSuppressions adds one entry, a list of them, or a CSV file to the suppression list (do not call); an entry of
// the same number is replaced.
func (s *APIService) addSuppressions(c echo.Context) error {
	if kind, _, _ := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType)); kind == typeCSV {
		return s.importSuppressions(c)
	}
	data, err := readBody(c, maxJSON)
	if err != nil {
		return err
	}
	parsed, err := strictjson.ParseJSON(data)
	if err != nil {
		return err
	}
	many, isList := parsed.([]any)
	_, isObject := parsed.(map[string]any)
	switch {
	case isObject:
		many = []any{parsed}
	case !isList:
		return &strictjson.SyntaxError{Message: "The body is neither a JSON object nor a list of them"}
	}
	entries, err := entriesOf(many, isList)
	if err != nil {
		return err
	}
	added, _, err := s.UseCases.AddSuppressions(c.Request().Context(), requestCaller(c), sourceAPI, entries, false)
	if err != nil {
		return err
	}
	list := bodiesOf(added, apimodel.SuppressionOf)
	if isList {
		return answerPage(c, http.StatusCreated, list, "")
	}
	return writeSuccess(c, http.StatusCreated, list[0])
}

// entriesOf parses entries; violations are prefixed with the entry's index if they came as a list.
func entriesOf(many []any, isList bool) ([]service.SuppressionRequest, error) {
	if len(many) > maxAtOnce {
		return nil, newFieldViolation("", "has more than %d entries; send text/csv", maxAtOnce)
	}
	entries := make([]service.SuppressionRequest, len(many))
	for i, one := range many {
		var b suppressionBody
		found := strictjson.BindValue(one, &b)
		r := service.SuppressionRequest{PhoneNumber: b.PhoneNumber, Reason: b.Reason, Until: b.Until}
		if isList {
			r.Path = strconv.Itoa(i)
		}
		for _, v := range found {
			r.Violations.AddViolation(strictjson.PrefixPath(r.Path, v.Field), "%s", v.Message)
		}
		entries[i] = r
	}
	return entries, nil
}

// importResult is the answer to a CSV import.
type importResult struct {
	Imported int `json:"imported"`
}

// importSuppressions imports a CSV file: all of its entries, or none if a line is invalid. The field of a violation
// contains the line: lines.3.phone_number.
func (s *APIService) importSuppressions(c echo.Context) error {
	data, err := readBody(c, maxCSV)
	if err != nil {
		return err
	}
	entries, err := readSuppressions(data)
	if err != nil {
		return err
	}
	added, _, err := s.UseCases.AddSuppressions(c.Request().Context(), requestCaller(c), sourceFile, entries, false)
	return answer(c, http.StatusCreated, importResult{len(added)}, err)
}

// readSuppressions parses a CSV file.
func readSuppressions(data []byte) ([]service.SuppressionRequest, error) {
	entries, err := service.ReadSuppressions(data, nil, func(text string) *time.Time {
		if at, ok := strictjson.ParseTime(text); ok {
			return &at
		}
		return nil
	})
	if err != nil {
		return nil, &strictjson.SyntaxError{Message: "The body cannot be read: " + err.Error()}
	}
	return entries, nil
}

// deletedSuppression is the answer of DELETE /suppressions/{number}.
type deletedSuppression struct {
	PhoneNumber string `json:"phone_number"`
	Deleted     bool   `json:"deleted"`
}

// deleteSuppression removes a number from the suppression list, so that it may be called again.
func (s *APIService) deleteSuppression(c echo.Context) error {
	number, ok := numberOf(c)
	if !ok {
		return notFound()
	}
	err := s.UseCases.RemoveSuppression(c.Request().Context(), requestCaller(c), number)
	return answer(c, http.StatusOK, deletedSuppression{number, true}, err)
}
