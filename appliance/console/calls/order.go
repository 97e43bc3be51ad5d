package calls

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/call"
	"munadi/ui/calls"
)

// isUsualOrder reports whether a list is in the order of [handlers.findUsual]: one of all statuses whose order nobody
// chose.
func isUsualOrder(f calls.CallsFilter) bool { return f.Status == "" && f.Order == "" && f.Said == "" }

// findUsual returns one page of a list of all statuses: the running calls, on the first page only; those that have
// ended, the latest first; then the scheduled ones, the next first; and those that ended before their time, such as
// cancelled ones. So what is booked for later does not push today's results off the first page.
func (s handlers) findUsual(
	ctx context.Context, orgID string, filter store.CallFilter,
) (found store.ListPage[call.Call], err error) {
	running, err := s.findRunning(ctx, orgID, filter)
	if err == nil {
		found, err = s.findParts(ctx, orgID, filter, listParts)
	}
	found.Items = append(running, found.Items...)
	return found, err
}

// findParts returns one page of a list that consists of parts.
func (s handlers) findParts(
	ctx context.Context, orgID string, filter store.CallFilter,
	divide func(filter store.CallFilter, until time.Time) []store.CallFilter,
) (found store.ListPage[call.Call], err error) {
	at, room := parseListPlace(filter.Cursor, s.Now()), filter.Limit
	for parts := divide(filter, at.until); at.part < len(parts); at = (listPlace{at.part + 1, at.until, ""}) {
		part := parts[at.part]
		part.Cursor, part.Limit = at.cursor, max(room, 1)
		page, err := s.Store.CallsPage(ctx, orgID, part)
		if err != nil {
			return found, err
		}
		if room == 0 && (len(page.Items) > 0 || page.Next != "") {
			found.Next = at.encode()
			return found, nil
		}
		found.Items, room = append(found.Items, page.Items...), room-len(page.Items)
		if page.Next != "" {
			at.cursor = page.Next
			found.Next = at.encode()
			return found, nil
		}
	}
	return found, nil
}

// listParts returns the parts of a list in the usual order behind its running calls, of which no two have a call in
// common; until divides those that ended.
func listParts(filter store.CallFilter, until time.Time) (parts []store.CallFilter) {
	isOpen := func(status call.CallStatus) bool { return !status.IsFinal() }
	halves, planned := fileParts(filter, until), filter
	planned.Statuses, planned.Ascending = []call.CallStatus{call.Scheduled}, true
	for i := range halves {
		halves[i].Statuses = slices.DeleteFunc(call.AllStatuses(), isOpen)
	}
	return slices.Insert(halves, 1, planned)
}

// fileParts returns the parts of a file of calls: those whose dial time has come, the latest first, and the others, the
// next first. It does not regard the status, which changes while the file is read: a call that is dialled meanwhile
// would be missing, and one that ends be there twice.
func fileParts(filter store.CallFilter, until time.Time) []store.CallFilter {
	past, coming := filter, filter
	if past.DueTo.IsZero() || until.Before(past.DueTo) {
		past.DueTo = until
	}
	coming.DueFrom, coming.Ascending = kit.LaterTime(coming.DueFrom, until), true
	return []store.CallFilter{past, coming}
}

// listPlace is a place in a list in the usual order: a cursor in one of its parts, which are divided by the time at
// which the first page was read.
type listPlace struct {
	part   int
	until  time.Time // in seconds
	cursor string
}

// encode returns the place as a cursor of the list.
func (p listPlace) encode() string { return fmt.Sprintf("%d.%d.%s", p.part, p.until.Unix(), p.cursor) }

// parseListPlace parses a cursor of the list; an empty one is the first page, read now. Any other text becomes a cursor
// of the first part, which the store refuses.
func parseListPlace(cursor string, now time.Time) listPlace {
	if cursor == "" {
		return listPlace{until: now.Truncate(time.Second).Add(time.Second)}
	}
	fields := strings.SplitN(cursor, ".", 3)
	if len(fields) == 3 {
		part, broken := strconv.ParseUint(fields[0], 10, 8)
		until, broken2 := strconv.ParseInt(fields[1], 10, 64)
		if broken == nil && broken2 == nil {
			return listPlace{int(part), time.Unix(until, 0), fields[2]}
		}
	}
	return listPlace{until: now, cursor: cursor}
}
