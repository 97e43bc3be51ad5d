package page

import (
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// DashboardView is today, as the person on duty wants to see it.
type DashboardView struct {
	layout.ConsolePage
	Date, Zone  string // 2026-11-21, Asia/Riyadh
	First       bool   // there never was a call
	MayCall     bool
	Day         component.DayTimeline
	Figures     []component.KeyFigure
	Needs       []UrgentNeed
	ByHour      component.StackedBars
	Load        component.SparkLine
	Factor      component.SparkLine
	Capped      bool // only the newest calls are drawn
	NewCallHref string
}

// UrgentNeed is something that a person has to look at now.
type UrgentNeed struct {
	State       string
	Title, Text string
	Href, Do    string // empty: nothing to press
}

// firstCall invites to one, and reports whether a telephone rings.
func (d DashboardView) firstCall() string {
	if d.Simulated {
		return d.pageWords().First
	}
	return d.pageWords().FirstReal
}

func (d DashboardView) pageWords() locale.DashboardWords { return locale.DashboardIn(d.Lang) }
