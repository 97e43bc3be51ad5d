package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// queryCondition collects the conditions of a query and their arguments.
type queryCondition struct {
	parts []string
	args  []any
}

// addCondition adds a condition; each %s becomes the placeholder of one argument.
func (c *queryCondition) addCondition(sql string, args ...any) {
	places := make([]any, len(args))
	for i, arg := range args {
		c.args = append(c.args, arg)
		places[i] = fmt.Sprintf("$%d", len(c.args))
	}
	c.parts = append(c.parts, fmt.Sprintf(sql, places...))
}

// joinConditions returns the conditions joined by AND.
func (c *queryCondition) joinConditions() string { return strings.Join(c.parts, " AND ") }

// lastPlace returns the placeholder of the last argument.
func (c *queryCondition) lastPlace() string { return fmt.Sprintf("$%d", len(c.args)) }

// CallsPage implements [store.CallStore].
func (s *PostgresStore) CallsPage(
	ctx context.Context, orgID string, f store.CallFilter,
) (store.ListPage[call.Call], error) {
	if err := record.CheckFilter(f); err != nil {
		return store.ListPage[call.Call]{}, err
	}
	page, err := readPage(ctx, s, record.CallsList(orgID, f), f.Limit, f.Cursor,
		func(e *dbTx, place string, rows int) (pagedRows[record.CallRecord], error) {
			return readCalls(e, orgID, f, place, rows)
		})
	listed := store.ListPage[call.Call]{Items: []call.Call{}, Next: page.Next}
	for _, r := range page.Items {
		listed.Items = append(listed.Items, r.Call)
	}
	return listed, err
}

// readCalls reads some calls of a filter in its order, after a place; empty for the beginning.
func readCalls(
	e *dbTx, orgID string, f store.CallFilter, place string, rows int,
) (pagedRows[record.CallRecord], error) {
	order, columns := "made %s, id %s", "made, id"
	if f.Sort == store.SortByDueTime {
		order, columns = "due %s, made %s, id %s", "due, made, id"
	}
	direction, follows := "DESC", "<"
	if f.Ascending {
		direction, follows = "ASC", ">"
	}
	order = strings.ReplaceAll(order, "%s", direction)
	part := f.NumberContains
	if f.MaxExamined > 0 {
		f.NumberContains = "" // applied to the examined calls only
	}
	where := conditionOf(orgID, f)
	if after := splitPlace(place, strings.Count(columns, ",")); after != nil {
		places := strings.TrimSuffix(strings.Repeat("%s, ", len(after)), ", ")
		where.addCondition("("+columns+") "+follows+" ("+places+")", after...)
	}
	from := "calls WHERE " + where.joinConditions() + " ORDER BY " + order
	if f.MaxExamined > 0 {
		return readExamined(e, from, columns, order, part, f.MaxExamined, rows, where.args)
	}
	return queryCalls(e, columns, fmt.Sprintf("%s LIMIT %d", from, rows), where.args)
}

// queryCalls reads calls and their places.
func queryCalls(e *dbTx, columns, from string, args []any) (pagedRows[record.CallRecord], error) {
	return readPlaces[record.CallRecord](e, calls.name, "SELECT "+calls.selected()+", "+columns+" FROM "+from, args...)
}

// readExamined reads the calls whose number contains a part, among the first most calls of an ordered list.
func readExamined(
	e *dbTx, from, columns, order, part string, most, rows int, args []any,
) (pagedRows[record.CallRecord], error) {
	examined := fmt.Sprintf("(SELECT * FROM %s LIMIT %d) examined WHERE position($%d in number) > 0 ORDER BY %s LIMIT %d",
		from, most, len(args)+1, order, rows)
	found, err := queryCalls(e, columns, examined, append(slices.Clone(args), searchableText(part)))
	if err != nil || found.countRows() == rows {
		return found, err
	}
	last, err := queryCalls(e, columns, fmt.Sprintf("%s LIMIT 1 OFFSET %d", from, most-1), args)
	found.examined = last.last
	return found, err
}

// conditionOf returns the SQL condition of a filter.
func conditionOf(orgID string, f store.CallFilter) (where queryCondition) {
	where.addCondition("org = %s", orgID)
	if len(f.Statuses) > 0 {
		names := make([]string, len(f.Statuses))
		for i, status := range f.Statuses {
			names[i] = string(status)
		}
		where.addCondition("status = ANY(%s)", names)
	}
	for column, wanted := range map[string]string{
		"scenario": f.ScenarioID, "campaign": f.CampaignID, "number": f.PhoneNumber, "ended_by": string(f.EndedBy),
	} {
		if wanted != "" {
			where.addCondition(column+" = %s", searchableText(wanted))
		}
	}
	switch f.People {
	case "":
	case store.AllPeople:
		where.parts = append(where.parts, "person <> ''")
	default:
		where.addCondition("person = %s", string(f.People))
	}
	if f.NeedsPerson {
		where.parts = append(where.parts, "need")
	}
	where.addNumber(f)
	if f.NotEndedBy != "" {
		where.addCondition("ended_by <> %s", string(f.NotEndedBy))
	}
	if f.AnswerSlot != "" {
		where.addCondition("answers @> ARRAY[%s::text]", searchableText(answerText(f.AnswerSlot, f.AnswerValue)))
	}
	where.addTimes(f)
	return where
}

// addNumber adds the conditions on digits of the phone number.
func (c *queryCondition) addNumber(f store.CallFilter) {
	if f.NumberContains != "" {
		c.addCondition("position(%s in number) > 0", searchableText(f.NumberContains))
	}
	if f.NumberEnds != "" {
		tail := searchableText(f.NumberEnds)
		c.addCondition("reverse(number) >= reverse(%s) AND reverse(number) < reverse(%s) || chr(1114111)", tail, tail)
	}
}

// addTimes adds the bounds of the times of creation and of the due times.
func (c *queryCondition) addTimes(f store.CallFilter) {
	for _, bound := range []struct {
		sql string
		at  time.Time
	}{
		{"made >= %s", f.CreatedFrom}, {"made < %s", f.CreatedTo}, {"due >= %s", f.DueFrom}, {"due < %s", f.DueTo},
	} {
		if !bound.at.IsZero() {
			c.addCondition(bound.sql, unixNanos(bound.at))
		}
	}
}

// searchableText returns the text to search for; if the database cannot store it, one that matches no record.
func searchableText(text string) string {
	if !isStorable(text) {
		return "/"
	}
	return text
}

// isStorable reports whether the database can hold a text.
func isStorable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// CountAttempts implements [store.CallStore].
func (s *PostgresStore) CountAttempts(
	ctx context.Context, orgID, phone string, since, until time.Time,
) (n int, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		_, err := e.scanRow("SELECT count(*) FROM calls WHERE org = $1 AND number = $2 AND number <> '' "+
			"AND released BETWEEN $3 AND $4", []any{orgID, searchableText(phone), unixNanos(since), unixNanos(until)}, &n)
		return err
	})
	return n, err
}
