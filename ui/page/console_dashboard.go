package page

import (
	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Dashboard is today, as the person on duty wants to see it.
type Dashboard struct {
	shell.ConsolePage
	Date, Zone  string // 2026-11-21, Asia/Riyadh
	First       bool   // there never was a call
	MayCall     bool
	Day         part.Day
	Figures     []part.Stat
	Needs       []Need
	ByHour      part.Bars
	Load        part.Line
	Factor      part.Line
	Capped      bool // only the newest calls are drawn
	NewCallHref string
}

// Need is something that a person has to look at now.
type Need struct {
	State       string
	Title, Text string
	Href, Do    string // empty: nothing to press
}

// firstCall invites to one, and says whether a telephone rings.
func (d Dashboard) firstCall() string {
	if d.Simulated {
		return d.words().First
	}
	return d.words().FirstReal
}

func (d Dashboard) words() text.Dashboard { return text.DashboardIn(d.Lang) }
