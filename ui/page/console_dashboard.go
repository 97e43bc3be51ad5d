package page

import (
	"munadi/ui/component"
	uidashboard "munadi/ui/dashboard"
	"munadi/ui/layout"
)

// DashboardView is the dashboard: today at a glance.
type DashboardView struct {
	layout.ConsolePage
	Date, Zone  string // 2026-11-21, Asia/Riyadh
	First       bool   // no call was ever made
	MayCall     bool
	Day         component.DayTimeline
	Figures     []component.KeyFigure
	Needs       []UrgentNeed
	ByHour      component.StackedBars
	NewCallHref string
}

// UrgentNeed is a problem that needs attention now.
type UrgentNeed struct {
	State       string
	Title, Text string
	Href, Do    string // empty: no button
}

// firstCall invites to one, and reports whether a telephone rings.
func (d DashboardView) firstCall() string {
	if d.Simulated {
		return uidashboard.First.In(d.Lang)
	}
	return uidashboard.FirstReal.In(d.Lang)
}
