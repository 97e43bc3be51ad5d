package api

import (
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store/strictjson"
)

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
	list := make([]apimodel.SuppressionBody, len(added))
	for i, e := range added {
		list[i] = apimodel.SuppressionOf(e)
	}
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
