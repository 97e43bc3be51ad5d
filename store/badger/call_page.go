package badger

import (
	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// callPageReader fills a page of calls during one walk over the indexes of a filter.
type callPageReader struct {
	view     snapshotView
	orgID    string
	filter   store.CallFilter
	search   callSearch
	list     []string // identity of the list, for cursors
	page     store.ListPage[call.Call]
	last     string // the last examined place
	examined int
	err      error

	unreadable int // calls left out because they cannot be read
}

// visitPlace examines the place of a call, which matches the whole filter if fits is true. It returns false at the end
// of the page.
func (p *callPageReader) visitPlace(place string, fits bool) bool {
	full := fits && len(p.page.Items) == p.filter.Limit
	if full || p.filter.MaxExamined > 0 && p.examined == p.filter.MaxExamined {
		p.page.Next = record.EncodeCursor(p.list, p.last)
		return false
	}
	p.last = place
	if p.examined++; !fits {
		return true
	}
	return p.addCall(place)
}

// addCall loads the call at a place and adds it to the page if the search accepts it. It returns false when the search
// ends the page, or after an error.
func (p *callPageReader) addCall(place string) bool {
	r, err := findIndexed(p.view, p.orgID, lastPart(place))
	if store.IsUnreadable(err) {
		p.unreadable++
		return true
	}
	var found, more bool
	if err == nil {
		found, more, err = p.search.examineCall(p.view, &r)
	}
	if err != nil {
		p.err = err
		return false
	}
	if found {
		p.page.Items = append(p.page.Items, r.Call)
	}
	if !more {
		p.page.Next = record.EncodeCursor(p.list, place)
	}
	return more
}
