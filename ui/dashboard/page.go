package dashboard

import (
	"munadi/ui/component"
	"munadi/ui/layout"
)

// View is the dashboard: today at a glance.
type View struct {
	layout.ConsolePage
	Date, Zone  string // 2026-11-21, Asia/Riyadh
	First       bool   // no call was ever made
	MayCall     bool
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
func (d View) firstCall() string {
	if d.Simulated {
		return First.In(d.Lang)
	}
	return FirstReal.In(d.Lang)
}
