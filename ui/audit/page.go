package audit

import (
	"time"

	"munadi/ui/layout"
)

// View is a page of the audit log.
type View struct {
	layout.ConsolePage
	Zone   *time.Location
	Lines  []Line
	Filter string
	Next   string // URL of older entries; empty: none
	First  string // URL of the newest entries; empty: this is the first page
	Partly bool   // the search was not complete
	CSV    string

	Verified bool   // it was verified for this page
	Fault    string // what the verification found; empty: nothing
}

// Line is one change.
type Line struct {
	At                           time.Time
	Who, Action, Subject, Detail string
	Href                         string // of the subject; empty: none
}
