package page

import (
	"cmp"
	"net/url"
	"time"

	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Suppressions is the page of the suppression list.
type Suppressions struct {
	shell.ConsolePage
	May     bool // add and remove
	Search  string
	Entries []Suppressed
	First   string // address of the beginning of the list; empty there
	Next    string // of the next part; empty on the last one
	Zone    *time.Location

	Typed  Suppressed // the form, as it was typed
	Until  string
	Faults map[string]string // by field
	Report *SuppressReport
}

// Suppressed is one entry.
type Suppressed struct {
	Number, Reason, Source string
	Added                  time.Time
	Until                  *time.Time // nil: for good
	Expired                bool
}

// lastDay is the day that was chosen as the last one, for an entry that ends with a day; empty for others.
func (e Suppressed) lastDay(zone *time.Location) string {
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

// SuppressReport is what an import did.
type SuppressReport struct {
	Fault   string // why nothing of the file was read
	Added   int
	Refused int
	Lines   []RefusedLine // the first ones
	More    bool
}

// RefusedLine is a line of a file that was not taken.
type RefusedLine struct {
	Line    int
	Text    string // the number as it stands there
	Problem string
}

func (p Suppressions) words() text.Suppressions { return text.SuppressionsIn(p.Lang) }

func removeAddress(number string) string {
	return "/console/rules/suppressions/remove?number=" + url.QueryEscape(number)
}

// Unsuppress asks before a number is taken off the list.
type Unsuppress struct {
	shell.ConsolePage
	Number string
}

func unsuppressQuestion(p Unsuppress, w text.Suppressions) part.Question {
	return part.Question{
		Title: w.RemoveTitle, Text: w.RemoveText, Action: "/console/rules/suppressions/remove", CSRF: p.CSRF, Do: w.Remove,
		Danger: true, Back: "/console/rules/suppressions", Leave: w.Back,
	}
}
