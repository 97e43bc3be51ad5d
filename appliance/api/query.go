package api

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/body"
	"munadi/store"
)

// The size of a list's part.
const (
	defaultLimit = 50
	maxLimit     = 200
)

// query reads a query's parameters and gathers what is wrong with them.
type query struct {
	values url.Values
	found  body.Violations
}

// queryOf takes the known parameters; any other is a violation, and so is one that is given twice.
func queryOf(c echo.Context, known ...string) *query {
	q := &query{values: url.Values{}}
	values, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		q.found.Add("query", "is not a query as URLs have it")
	}
	for name, all := range values {
		switch {
		case !slices.Contains(known, name):
			q.found.Add(name, "is not a parameter that is known here")
		case len(all) > 1:
			q.found.Add(name, "is given more than once")
		default:
			q.values[name] = all
		}
	}
	slices.SortFunc(q.found, func(a, b body.Violation) int { return strings.Compare(a.Field, b.Field) })
	return q
}

// text is a parameter; empty without it.
func (q *query) text(name string) string { return q.values.Get(name) }

// plus is text for values in which a bare plus sign, which a query means as a space, stands for itself.
func (q *query) plus(name string) string { return strings.ReplaceAll(q.text(name), " ", "+") }

// time is a parameter's time; zero without one.
func (q *query) time(name string) time.Time {
	text := q.plus(name)
	if text == "" {
		return time.Time{}
	}
	at, ok := body.Time(text)
	if !ok {
		q.found.Add(name, "must be an RFC 3339 date-time with a time zone offset")
	}
	return at
}

// number is a parameter's telephone number.
func (q *query) number(name string) string {
	text := q.plus(name)
	if text != "" && !validNumber(text) {
		q.found.Add(name, "%s", badNumber)
		return ""
	}
	return text
}

// limit is how many items are wanted.
func (q *query) limit() int {
	if !q.values.Has("limit") {
		return defaultLimit
	}
	n, err := strconv.Atoi(q.text("limit"))
	if err != nil || n < 1 || n > maxLimit {
		q.found.Add("limit", "must be a whole number from 1 to %d", maxLimit)
		return defaultLimit
	}
	return n
}

// one is a parameter that must be one of a few words; empty without it.
func one[T ~string](q *query, name string, allowed []T) T {
	text := T(q.text(name))
	if text != "" && !slices.Contains(allowed, text) {
		words := make([]string, len(allowed))
		for i, word := range allowed {
			words[i] = string(word)
		}
		q.found.Add(name, "must be one of %s", strings.Join(words, ", "))
		return ""
	}
	return text
}

// verdict is everything that is wrong with the query, err being how the store took what was right of it: it alone knows
// a cursor of the list.
func (q *query) verdict(err error) error {
	switch {
	case store.CodeOf(err) == store.CodeInvalid:
		q.found.Add("cursor", "is not a cursor of this list")
	case err != nil:
		return fmt.Errorf("read a page: %w", err)
	}
	return invalid(q.found)
}
