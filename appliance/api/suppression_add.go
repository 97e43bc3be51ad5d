package api

import (
	"mime"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/body"
	"munadi/appliance/wire"
	"munadi/store/dialling"
)

const (
	maxReason  = 500  // characters
	maxAtOnce  = 1000 // entries of one JSON body
	sourceAPI  = "api"
	sourceFile = "csv"
)

// suppressionBody is one entry. What only the platform sets may be sent back, and is ignored.
type suppressionBody struct {
	PhoneNumber string     `json:"phone_number"`
	Reason      string     `json:"reason"`
	Until       *time.Time `json:"until"`
	Source      string     `json:"source"`
	CreatedAt   time.Time  `json:"created_at"`
}

func (b suppressionBody) check(path string, now time.Time, found *body.Violations) {
	if !validNumber(b.PhoneNumber) {
		found.Add(body.Join(path, "phone_number"), "%s", badNumber)
	}
	if utf8.RuneCountInString(b.Reason) > maxReason {
		found.Add(body.Join(path, "reason"), "must have at most %d characters", maxReason)
	}
	if b.Until != nil && !b.Until.IsZero() && !b.Until.After(now) {
		found.Add(body.Join(path, "until"), "must lie in the future")
	}
}

func (b suppressionBody) entry(orgID, source string, now time.Time) dialling.Suppression {
	e := dialling.Suppression{
		OrgID: orgID, PhoneNumber: b.PhoneNumber, Reason: b.Reason, Source: source, CreatedAt: now.UTC(),
	}
	if b.Until != nil && !b.Until.IsZero() {
		e.Until = b.Until
	}
	return e
}

// addSuppressions adds one entry, a list of them, or a CSV file; a number that is listed already gets the new entry.
func (s *Service) addSuppressions(c echo.Context) error {
	if kind, _, _ := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType)); kind == typeCSV {
		return s.importSuppressions(c)
	}
	data, err := receive(c, maxJSON)
	if err != nil {
		return err
	}
	parsed, err := body.Parse(data)
	if err != nil {
		return err
	}
	many, isList := parsed.([]any)
	_, isObject := parsed.(map[string]any)
	switch {
	case isObject:
		many = []any{parsed}
	case !isList:
		return &body.Error{Message: "The body is neither a JSON object nor a list of them"}
	}
	entries, err := s.entriesOf(c, many, isList)
	if err != nil {
		return err
	}
	if err := s.Store.Suppress(c.Request().Context(), entries, actor(c), s.Now()); err != nil {
		return err
	}
	list := make([]wire.Suppression, len(entries))
	for i, e := range entries {
		list[i] = wire.SuppressionOf(e)
	}
	if isList {
		return answerPage(c, http.StatusCreated, list, "", false)
	}
	return answer(c, http.StatusCreated, list[0])
}

// entriesOf reads entries; their fields are named by their place when they came as a list.
func (s *Service) entriesOf(c echo.Context, many []any, isList bool) ([]dialling.Suppression, error) {
	if len(many) > maxAtOnce {
		return nil, violation("", "has more than %d entries; send text/csv", maxAtOnce)
	}
	var (
		found   body.Violations
		entries []dialling.Suppression
		now     = s.Now()
	)
	for i, one := range many {
		path := ""
		if isList {
			path = body.Join("", i)
		}
		var b suppressionBody
		for _, v := range body.Bind(one, &b) {
			found.Add(below(path, v.Field), "%s", v.Message)
		}
		b.check(path, now, &found)
		entries = append(entries, b.entry(principal(c).OrgID, sourceAPI, now))
	}
	return entries, invalid(found)
}

// below puts a field behind a path, either of which may be empty.
func below(path, field string) string {
	if path == "" || field == "" {
		return path + field
	}
	return body.Join(path, field)
}
