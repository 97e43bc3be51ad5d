package audit

import (
	"time"

	"github.com/a-h/templ"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// View is a page of the audit log.
type View struct {
	layout.ConsolePage
	component.TableList
	Zone     *time.Location
	Lines    []Line
	Partly   bool   // the search was not complete
	Verified bool   // it was verified for this page
	Fault    string // what the verification found; empty: nothing
	Chains   string // address of the file with the hashes
	Key      string // the public key that signs it
}

// Line is one change.
type Line struct {
	At                           time.Time
	Actor                        string // as it is stored
	Who, Action, Subject, Detail string
	Stored                       string // subject and detail as they are stored, for the search
	Href                         string // of the subject; empty: none
}

// DeclareTable declares the audit log in a language: the page, its search, and the CSV file.
func DeclareTable(l locale.Language) list.Table[Line] {
	return list.Table[Line]{
		{Title: When, Key: "at", Time: func(e Line) time.Time { return e.At }},
		{Key: "actor", Text: func(e Line) string { return e.Actor }},
		{Title: Who, Key: "who", Searched: true, Text: func(e Line) string { return e.Who }},
		{Title: What, Key: "action", Searched: true, Text: func(e Line) string { return ActionName(l, e.Action) }},
		{
			Title: On, Key: "subject", Searched: true, Class: "cut", Text: func(e Line) string { return e.Subject },
			Cell: func(_ list.At, e Line) templ.Component { return subject(e) },
		},
		{Title: Note, Key: "detail", Searched: true, Class: "cut", Text: func(e Line) string { return e.Detail }},
		{Searched: true, Text: func(e Line) string { return e.Action + "\n" + e.Stored }},
	}
}
