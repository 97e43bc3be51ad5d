package page

import (
	"time"

	"munadi/ui/layout"
)

// AuditView is a page of the audit log.
type AuditView struct {
	layout.ConsolePage
	Zone   *time.Location
	Lines  []AuditLine
	Filter string
	Next   string // URL of older entries; empty: none
	First  string // URL of the newest entries; empty: this is the first page
	Partly bool   // the search was not complete
	CSV    string
}

// AuditLine is one change.
type AuditLine struct {
	At                           time.Time
	Who, Action, Subject, Detail string
}
