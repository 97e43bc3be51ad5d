package suppressions

import (
	"cmp"
	"net/url"
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
)

// View is the page of the suppression list.
type View struct {
	layout.ConsolePage
	May     bool // add and remove
	Search  string
	Entries []SuppressedRow
	First   string // address of the beginning of the list; empty there
	Next    string // of the next part; empty on the last one
	Zone    *time.Location

	Typed  SuppressedRow // the form, as it was typed
	Until  string
	Faults map[string]string // by field
	Report *ImportReport
}

// SuppressedRow is one entry.
type SuppressedRow struct {
	Number, Reason, Source string
	Added                  time.Time
	Until                  *time.Time // nil: without an end
	Expired                bool
}

// lastDay returns the day that was chosen as the last one, for an entry that ends with a day; empty for others.
func (e SuppressedRow) lastDay(zone *time.Location) string {
	if e.Until == nil {
		return ""
	}
	end := e.Until.In(cmp.Or(zone, time.UTC))
	year, month, day := end.Date()
	if !end.Equal(time.Date(year, month, day, 0, 0, 0, 0, end.Location())) {
		return ""
	}
	return end.AddDate(0, 0, -1).Format(time.DateOnly)
}

// ImportReport is the result of an import.
type ImportReport struct {
	Fault   string // why the file could not be read
	Added   int
	Refused int
	Lines   []RefusedLine // the first ones
	More    bool
}

// RefusedLine is a line of a file that was not taken.
type RefusedLine struct {
	Line    int
	Text    string // the number as written in the list
	Problem string
}

// RemovePath returns the path of the page that takes a number off the list.
func RemovePath(number string) string {
	return "/console/rules/suppressions/remove?number=" + url.QueryEscape(number)
}

// RemoveView asks before a number is taken off the list.
type RemoveView struct {
	layout.ConsolePage
	Number string
}

func unsuppressQuestion(p RemoveView) component.AskQuestion {
	return component.AskQuestion{
		Title: RemoveTitle.In(p.Lang), Text: RemoveText.In(p.Lang),
		Action: "/console/rules/suppressions/remove", CSRF: p.CSRF, Do: Remove.In(p.Lang),
		Danger: true, Back: "/console/rules/suppressions", Leave: Back.In(p.Lang),
	}
}
