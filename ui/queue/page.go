// Package queue holds what a person sees of the queue of calls that need staff.
package queue

import (
	"time"

	"github.com/a-h/templ"

	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/list"
)

// View is the queue of calls that need staff, oldest first.
type View struct {
	layout.ConsolePage
	component.TableList
	Choices []Choice
	Rows    []Row
	Zone    *time.Location
}

func (p View) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }

// Choice shows a part of the queue.
type Choice struct {
	Name, Count, Path string
	Chosen            bool
}

// Row is a call of the queue with what its record does not say.
type Row struct {
	call.Call
	Name     string // of the person; empty: not known
	Scenario string // its name
	Reason   string // as people read it
	Taker    string // name of who has taken it; empty: nobody
	Mine     bool   // the user has
	May      bool   // the user may take it and end it
	Rings    bool   // the user has an extension, which is rung for a call-back
}

// Table is the queue, on the page and as CSV.
var Table = list.Table[Row]{
	{Key: "id", Text: func(r Row) string { return r.ID }},
	{
		Title: Person, Key: "name", Searched: true, Text: func(r Row) string { return r.Name },
		Cell: func(at list.At, r Row) templ.Component { return person(at.Lang, r) },
	},
	{Key: "phone_number", Searched: true, Text: func(r Row) string { return r.PhoneNumber }},
	{
		Title: Said, Key: "said", Searched: true, Text: Row.said,
		Cell: func(at list.At, r Row) templ.Component { return quote(at.Lang, r) },
	},
	{Title: calls.AfterWhy, Key: "reason", Text: func(r Row) string { return r.Reason }},
	{Key: "note", Searched: true, Text: Row.note},
	{Key: "scenario", Text: func(r Row) string { return r.Scenario }},
	{Title: calls.AfterSince, Key: "since", Time: func(r Row) time.Time { return r.Need.At }},
	{
		Title: calls.AfterWho, Key: "taken_by", Text: func(r Row) string { return r.Taker },
		Cell: func(at list.At, r Row) templ.Component { return taker(at.Lang, r) },
	},
	{Title: Acts, Acts: true, Cell: func(at list.At, r Row) templ.Component { return acts(at, r) }},
}

// said returns the last words of the person in the call; empty if none were heard.
func (r Row) said() (words string) {
	for _, m := range r.CurrentMessages() {
		if m.Role == call.User && m.Content != "" {
			words = m.Content
		}
	}
	return words
}

// note returns the last note of the staff; empty without one.
func (r Row) note() string {
	if n := len(r.Notes); n > 0 {
		return r.Notes[n-1].Text
	}
	return ""
}

func (r Row) callPath() string { return calls.CallsPath + "/" + r.ID }
