package suppressions

import (
	"cmp"
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"munadi/store/callrules"
	"munadi/ui/form"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// View is the page of the suppression list.
type View struct {
	layout.ConsolePage
	May     bool // add and remove
	Search  string
	Entries []callrules.SuppressionEntry
	First   string // address of the beginning of the list; empty there
	Next    string // of the next part; empty on the last one
	Zone    *time.Location
	Now     time.Time
	Form    []form.Field
	Import  []form.Field
	Report  *ImportReport
}

func (p View) at() list.At { return list.At{Lang: p.Lang, Zone: p.Zone, CSRF: p.CSRF} }

// SuppressedRow is one entry.
type SuppressedRow struct {
	Number, Reason, Source string
	Added                  time.Time
	Until                  *time.Time // nil: without an end
}

// table returns the table of the entries; people who may not change them get no buttons.
func (p View) table() list.Table[callrules.SuppressionEntry] {
	all := list.Table[callrules.SuppressionEntry]{
		{Title: locale.KitNumber, Mono: true, Text: func(e callrules.SuppressionEntry) string { return e.PhoneNumber }},
		{Title: Reason, Text: func(e callrules.SuppressionEntry) string { return ReasonText(p.Lang, e.Source, e.Reason) }},
		{Title: Source, Text: func(e callrules.SuppressionEntry) string { return SourceName(p.Lang, e.Source) }},
		{Title: Added, Time: func(e callrules.SuppressionEntry) time.Time { return e.CreatedAt }},
		{Title: Until, Cell: func(at list.At, e callrules.SuppressionEntry) templ.Component {
			return entryEnd(at, e, !e.IsActive(p.Now))
		}},
		{Title: Remove, Acts: true, Cell: func(at list.At, e callrules.SuppressionEntry) templ.Component {
			return removeLink(at.Lang, e.PhoneNumber)
		}},
	}
	if !p.May {
		return all.WithoutActs()
	}
	return all
}

// lastDay returns the day that was chosen as the last one, for an entry that ends with a day; empty for others.
func lastDay(e callrules.SuppressionEntry, zone *time.Location) string {
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

// NewEntry is what the form of a number asks for.
type NewEntry struct{ Number, Reason, Until string }

var entryFields = []form.Declared[*NewEntry]{
	{
		Name: "number", Label: locale.KitNumber, Help: NumberHint, Kind: form.Phone, Usual: "+966501234567", Most: 40,
		Required: true, Fault: BadNumber, Value: func(e *NewEntry) any { return &e.Number },
	},
	{
		Name: "reason", Label: Reason, Help: ReasonHint, Most: 500, Fault: BadReason,
		Value: func(e *NewEntry) any { return &e.Reason },
	},
	{Name: "until", Label: Until, Help: UntilHint, Kind: form.Date, Value: func(e *NewEntry) any { return &e.Until }},
}

// BindEntry binds the form of a number.
func BindEntry(b *form.Binder, e *NewEntry) []form.Field {
	return form.BindDeclared(b, "", e, entryFields)
}

// importForm is the form of a file.
func importForm(l locale.Language) []form.Field {
	return form.BindDeclared(form.NewBinder(l, nil, nil), "", struct{}{}, []form.Declared[struct{}]{{
		Name: "file", Label: ImportFile, Help: ImportHint, Kind: form.File, Required: true,
		Attributes: templ.Attributes{"accept": ".csv,text/csv"},
	}})
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

var refusedTable = list.Table[RefusedLine]{
	{Title: Row, Class: "tight", Mono: true, Text: func(r RefusedLine) string { return strconv.Itoa(r.Line) }},
	{Title: locale.KitNumber, Mono: true, Text: func(r RefusedLine) string { return r.Text }},
	{Title: Problem, Text: func(r RefusedLine) string { return r.Problem }},
}

// RemovePath returns the path of the page that takes a number off the list.
func RemovePath(number string) string {
	return "/console/rules/suppressions/remove?number=" + url.QueryEscape(number)
}
