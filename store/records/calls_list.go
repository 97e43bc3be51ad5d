package records

import (
	"context"
	"errors"
	"math"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/record"
)

// CallsPage implements [store.CallStore].
func (s *Records) CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error) {
	return s.findCalls(ctx, orgID, f, nil, func(call.Call) (found, more bool) { return true, true })
}

// searchChunk is the number of calls that a search reads at a time.
const searchChunk = 200

// SearchCalls implements [store.CallStore].
func (s *Records) SearchCalls(
	ctx context.Context, orgID string, f store.CallFilter, words string, examine func(call.Call) (found, more bool),
) (store.ListPage[call.Call], error) {
	return s.findCalls(ctx, orgID, f, []string{"search", words}, examine)
}

// findCalls returns the calls of a filter that examine accepts. search is what the cursors of a search contain besides
// those of a list; then the calls are examined with their messages, or without where these cannot be read.
func (s *Records) findCalls(
	ctx context.Context, orgID string, f store.CallFilter, search []string, examine func(call.Call) (found, more bool),
) (page store.ListPage[call.Call], err error) {
	page.Items = []call.Call{}
	q := queryCalls(orgID, f)
	list := append(record.CallsList(orgID, f), search...)
	q.After, err = record.PlaceOfCursor(list, f.Cursor)
	err = errors.Join(err, record.CheckLimit(f.Limit), record.CheckFilter(f))
	if err != nil || !record.IsKeyPart(orgID) {
		return page, err
	}
	if f.Name != "" {
		if err := s.warnUnnamed(ctx); err != nil {
			return page, err
		}
	}
	if q.Limit = f.Limit + 1; search != nil {
		q.With, q.Limit = callWords.Table, searchChunk
	}
	last := ""
	begin := func() { page, last = store.ListPage[call.Call]{Items: []call.Call{}}, "" }
	examined, err := s.db.Find(ctx, q, begin, func(tx driver.Tx, row driver.Row) (bool, error) {
		if len(page.Items) == f.Limit {
			page.Next = record.EncodeCursor(list, last)
			return false, nil
		}
		last = row.Place
		r := calls.read(tx, &row)
		if row.Err != nil {
			return true, nil //nolint:nilerr // the driver has reported it
		}
		if row.With != nil {
			words := driver.Row{Key: row.Key, Raw: row.With}
			r.Call.Messages = callWords.read(tx, &words)
		}
		if f.Direction == call.Outbound && r.Call.Way() != call.Outbound {
			return true, nil
		}
		found, more := examine(r.Call)
		if found {
			page.Items = append(page.Items, r.Call)
		}
		if !more {
			page.Next = record.EncodeCursor(list, last)
		}
		return more, nil
	})
	if err == nil && page.Next == "" && examined != "" {
		page.Next = record.EncodeCursor(list, examined)
	}
	return page, err
}

// CountCalls implements [store.CallStore].
func (s *Records) CountCalls(ctx context.Context, orgID string, f store.CallFilter, limit int) (int, error) {
	if err := record.CheckFilter(f); err != nil || !record.IsKeyPart(orgID) || limit <= 0 {
		return 0, err
	}
	if f.Name != "" {
		if err := s.warnUnnamed(ctx); err != nil {
			return 0, err
		}
	}
	if f.Direction == call.Outbound {
		return s.countOutbound(ctx, orgID, f, limit)
	}
	q := queryCalls(orgID, f)
	q.Limit, q.Examine = limit, 0
	return s.db.CountFound(ctx, q)
}

// countOutbound counts the outbound calls of a filter: all but the inbound ones, the only direction with an index.
func (s *Records) countOutbound(ctx context.Context, orgID string, f store.CallFilter, limit int) (int, error) {
	f.Direction = call.Inbound
	inbound, err := s.CountCalls(ctx, orgID, f, math.MaxInt)
	if err != nil {
		return 0, err
	}
	f.Direction = ""
	all, err := s.CountCalls(ctx, orgID, f, min(limit, math.MaxInt-inbound)+inbound)
	return max(all-inbound, 0), err
}

// queryCalls returns the query of a filter: its order and its conditions.
func queryCalls(orgID string, f store.CallFilter) driver.Query {
	if f.Trials {
		orgID = trialsOf(orgID)
	}
	q := driver.Query{
		Table: calls.Table, Index: callsByCreation, Equal: []any{orgID}, Latest: !f.Ascending, Examine: f.MaxExamined,
	}
	switch f.Sort {
	case store.SortByDueTime:
		q.Index = callsByDueTime
	case store.SortByMark:
		q.Index = callsByMark
	}
	add := func(column string, op driver.Operator, value any) {
		q.Where = append(q.Where, driver.Condition{Column: column, Op: op, Value: value})
	}
	addText := func(column string, op driver.Operator, text string) {
		if text != "" {
			add(column, op, text)
		}
	}
	addTime := func(column string, op driver.Operator, at time.Time) {
		if !at.IsZero() {
			add(column, op, record.UnixNanos(at))
		}
	}
	if f.AnswerSlot != "" {
		add("answers", driver.Contains, driver.Pair{Name: f.AnswerSlot, Value: f.AnswerValue})
	}
	if f.NeedsPerson && q.Index != callsByMark { // which has no others
		add("need", driver.Is, true)
	}
	if f.TakenBy == store.TakenByNobody {
		add("taker", driver.Is, "")
	} else {
		addText("taker", driver.Is, f.TakenBy)
	}
	addText("number", driver.Is, f.PhoneNumber)
	addText("number", driver.Ends, f.NumberEnds)
	addText("number", driver.Contains, f.NumberContains)
	for _, word := range call.NameWords(f.Name) {
		add("names", driver.Begins, word)
	}
	addText("campaign", driver.Is, f.CampaignID)
	if f.People == store.AllPeople {
		add("person", driver.OneOf, []any{string(store.OtherPeople), string(store.UnreachedPeople)})
	} else {
		addText("person", driver.Is, string(f.People))
	}
	if f.Direction == call.Inbound { // most calls are outbound: they are told apart when they are read
		add("direction", driver.Is, string(call.Inbound))
	}
	addText("ended_by", driver.Is, string(f.EndedBy))
	addText("ended_by", driver.IsNot, string(f.NotEndedBy))
	if len(f.Statuses) > 0 {
		statuses := make([]any, len(f.Statuses))
		for i, status := range f.Statuses {
			statuses[i] = string(status)
		}
		add("status", driver.OneOf, statuses)
	}
	addText("scenario", driver.Is, f.ScenarioID)
	addTime("made", driver.AtLeast, f.CreatedFrom)
	addTime("made", driver.Below, f.CreatedTo)
	addTime("due", driver.AtLeast, f.DueFrom)
	addTime("due", driver.Below, f.DueTo)
	return q
}

// CountAttempts implements [store.CallStore].
func (s *Records) CountAttempts(ctx context.Context, orgID, number string, since, until time.Time) (n int, err error) {
	if !record.IsKeyPart(orgID) || !record.IsKeyPart(number) {
		return 0, nil
	}
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		dials, err := tx.Tally(driver.Query{
			Table: calls.Table, Index: callsByDial, Equal: []any{orgID, number}, Where: []driver.Condition{
				{Column: "released", Op: driver.AtLeast, Value: record.UnixNanos(since)},
				{Column: "released", Op: driver.AtMost, Value: record.UnixNanos(until)},
			},
		}, "org")
		n = dials[orgID]
		return err
	})
	return n, err
}
