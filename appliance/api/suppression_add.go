package api

import (
	"mime"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
	"munadi/appliance/apimodel"
	"munadi/store/callrules"
)

const (
	maxReason  = 500  // characters
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

func (b suppressionBody) validateSuppression(path string, now time.Time, found *jsonbind.FieldViolations) {
	if !validNumber(b.PhoneNumber) {
		found.AddViolation(jsonbind.JoinPath(path, "phone_number"), "%s", badNumber)
	}
	if utf8.RuneCountInString(b.Reason) > maxReason {
		found.AddViolation(jsonbind.JoinPath(path, "reason"), "must have at most %d characters", maxReason)
	}
	if b.Until != nil && !b.Until.IsZero() && !b.Until.After(now) {
		found.AddViolation(jsonbind.JoinPath(path, "until"), "must lie in the future")
	}
}

func (b suppressionBody) newSuppression(orgID, source string, now time.Time) callrules.SuppressionEntry {
	e := callrules.SuppressionEntry{
		OrgID: orgID, PhoneNumber: b.PhoneNumber, Reason: b.Reason, Source: source, CreatedAt: now.UTC(),
	}
	if b.Until != nil && !b.Until.IsZero() {
		e.Until = b.Until
	}
	return e
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
	parsed, err := jsonbind.ParseJSON(data)
	if err != nil {
		return err
	}
	many, isList := parsed.([]any)
	_, isObject := parsed.(map[string]any)
	switch {
	case isObject:
		many = []any{parsed}
	case !isList:
		return &jsonbind.SyntaxError{Message: "The body is neither a JSON object nor a list of them"}
	}
	entries, err := s.entriesOf(c, many, isList)
	if err != nil {
		return err
	}
	if err := s.Store.AddSuppressions(c.Request().Context(), entries, auditActor(c), s.Now()); err != nil {
		return err
	}
	list := make([]apimodel.SuppressionBody, len(entries))
	for i, e := range entries {
		list[i] = apimodel.SuppressionOf(e)
	}
	if isList {
		return answerPage(c, http.StatusCreated, list, "", false)
	}
	return writeSuccess(c, http.StatusCreated, list[0])
}

// entriesOf parses entries; violations are prefixed with the entry's index if they came as a list.
func (s *APIService) entriesOf(c echo.Context, many []any, isList bool) ([]callrules.SuppressionEntry, error) {
	if len(many) > maxAtOnce {
		return nil, newFieldViolation("", "has more than %d entries; send text/csv", maxAtOnce)
	}
	var (
		found   jsonbind.FieldViolations
		entries []callrules.SuppressionEntry
		now     = s.Now()
	)
	for i, one := range many {
		path := ""
		if isList {
			path = jsonbind.JoinPath("", i)
		}
		var b suppressionBody
		for _, v := range jsonbind.BindValue(one, &b) {
			found.AddViolation(joinFieldPath(path, v.Field), "%s", v.Message)
		}
		b.validateSuppression(path, now, &found)
		entries = append(entries, b.newSuppression(requestPrincipal(c).OrgID, sourceAPI, now))
	}
	return entries, newValidationError(found)
}

// joinFieldPath joins a path and a field, either of which may be empty.
func joinFieldPath(path, field string) string {
	if path == "" || field == "" {
		return path + field
	}
	return jsonbind.JoinPath(path, field)
}
