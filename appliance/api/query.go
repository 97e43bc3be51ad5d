package api

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/phonenumber"
	"munadi/store/strictjson"
)

// The page size of a list.
const (
	defaultLimit = 50
	maxLimit     = 200
)

// queryReader parses a query's parameters and collects their violations.
type queryReader struct {
	values url.Values
	found  service.FieldViolations
}

const queryKey = "munadi.api.query"

// pageParams are the query parameters of a list without filters.
var pageParams = []string{"limit", "cursor"}

// parseQuery parses the query of a route for its handler, which reports the violations with those of its own; a route
// without parameters is refused here.
func parseQuery(known ...string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			q := newQueryReader(c.Request().URL.RawQuery, known)
			if err := newValidationError(q.found); err != nil && len(known) == 0 {
				return err
			}
			c.Set(queryKey, q)
			return next(c)
		}
	}
}

// queryOf returns the query that [parseQuery] parsed.
func queryOf(c echo.Context) *queryReader {
	q, _ := c.Get(queryKey).(*queryReader)
	return q
}

// newQueryReader parses a query; unknown parameters and repeated ones are violations.
func newQueryReader(query string, known []string) *queryReader {
	q := &queryReader{values: url.Values{}}
	values, err := url.ParseQuery(query)
	if err != nil {
		q.found.AddViolation("query", "is not a valid URL query")
	}
	for name, all := range values {
		switch {
		case !slices.Contains(known, name):
			q.found.AddViolation(name, "is not a parameter of this endpoint")
		case len(all) > 1:
			q.found.AddViolation(name, "is given more than once")
		default:
			q.values[name] = all
		}
	}
	slices.SortFunc(q.found, func(a, b service.FieldViolation) int { return strings.Compare(a.Field, b.Field) })
	return q
}

// textParam returns a parameter; empty without it.
func (q *queryReader) textParam(name string) string { return q.values.Get(name) }

// plusParam returns a parameter in which a plus sign was meant literally, although a query string decodes it as a
// space.
func (q *queryReader) plusParam(name string) string {
	return strings.ReplaceAll(q.textParam(name), " ", "+")
}

// timeParam returns a parameter's time; zero without one.
func (q *queryReader) timeParam(name string) time.Time {
	text := q.plusParam(name)
	if text == "" {
		return time.Time{}
	}
	at, ok := strictjson.ParseTime(text)
	if !ok {
		q.found.AddViolation(name, "must be an RFC 3339 date-time with a time zone offset")
	}
	return at
}

// numberParam returns a parameter's telephone number.
func (q *queryReader) numberParam(name string) string {
	text := q.plusParam(name)
	if text != "" && !phonenumber.IsE164(text) {
		q.found.AddViolation(name, "%s", service.InvalidNumber)
		return ""
	}
	return text
}

// maxNumberPart is the longest part of a number: a plus sign and 15 digits.
const maxNumberPart = 16

// numberPartParam returns a part of a telephone number: digits, of which the first may follow a plus sign.
func (q *queryReader) numberPartParam(name string) string {
	text := q.plusParam(name)
	digits := strings.TrimPrefix(text, "+")
	if len(text) > maxNumberPart || strings.Trim(digits, "0123456789") != "" {
		q.found.AddViolation(name, "must be at most 15 digits of a number, with or without a leading plus sign")
		return ""
	}
	return text
}

// nameParam parses a part of a person's name; empty without the parameter.
func (q *queryReader) nameParam(name string) string {
	text := q.values.Get(name)
	if text != "" && (utf8.RuneCountInString(text) > maxNameFilter || len(call.NameWords(text)) == 0) {
		q.found.AddViolation(name, "must contain a letter or digit and have at most %d characters", maxNameFilter)
		return ""
	}
	return text
}

// checkRange refuses a range that ends before it begins.
func (q *queryReader) checkRange(fromName, toName string, from, to time.Time) {
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		q.found.AddViolation(toName, "must not be before %s", fromName)
	}
}

// limitParam returns the requested page size.
func (q *queryReader) limitParam() int {
	if !q.values.Has("limit") {
		return defaultLimit
	}
	n, err := strconv.Atoi(q.textParam("limit"))
	if err != nil || n < 1 || n > maxLimit {
		q.found.AddViolation("limit", "must be a whole number from 1 to %d", maxLimit)
		return defaultLimit
	}
	return n
}

// enumParam returns a parameter that must be one of the allowed words; empty without it.
func enumParam[T ~string](q *queryReader, name string, allowed []T) T {
	text := T(q.textParam(name))
	if text != "" && !slices.Contains(allowed, text) {
		q.found.AddViolation(name, "must be one of %s", joinWords(allowed))
		return ""
	}
	return text
}

// enumListParam returns the values of a parameter, separated by commas, in the order of allowed; nil without it.
func enumListParam[T ~string](q *queryReader, name string, allowed []T) []T {
	text := q.textParam(name)
	if text == "" {
		return nil
	}
	var found []T
	given := strings.Split(text, ",")
	for _, word := range allowed {
		if slices.Contains(given, string(word)) {
			found = append(found, word)
		}
	}
	for _, word := range given {
		if !slices.Contains(allowed, T(word)) {
			q.found.AddViolation(name, "must be one or more, separated by commas, of %s", joinWords(allowed))
			return nil
		}
	}
	return found
}

// joinWords joins words as a list.
func joinWords[T ~string](words []T) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	return strings.Join(texts, ", ")
}

// validationError returns all violations of the query; err is the store's error for the page, which may mean a cursor
// of another list.
func (q *queryReader) validationError(err error) error {
	switch {
	case store.CodeOf(err) == store.CodeInvalid:
		q.found.AddViolation("cursor", "is not a cursor of this list: "+
			"send the next_cursor of its previous page, with the same filters and order")
	case err != nil:
		return fmt.Errorf("read a page: %w", err)
	}
	return newValidationError(q.found)
}

// numberOf parses the telephone number in the path; its plus sign may be missing, or decoded as a space.
func numberOf(c echo.Context) (string, bool) {
	text, err := httpserver.DecodePathParam(c, "number")
	number := "+" + strings.TrimLeft(text, "+ ")
	return number, err == nil && phonenumber.IsE164(number)
}
