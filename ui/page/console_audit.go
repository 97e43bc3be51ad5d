package page

import (
	"time"

	"munadi/ui/layout"
	"munadi/ui/locale"
)

// AuditView is a page of the audit log.
type AuditView struct {
	layout.ConsolePage
	Zone   *time.Location
	Lines  []AuditLine
	Filter string
	Next   string // address of the older lines; empty: there are none
	First  string // address of the newest; empty: these are they
	Partly bool   // not all that is asked for was searched
	CSV    string
}

// AuditLine is one change.
type AuditLine struct {
	At                           time.Time
	Who, Action, Subject, Detail string
}

func (p AuditView) pageWords() locale.AuditWords { return locale.AuditIn(p.Lang) }
