package page

import (
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/reports"
)

// ReportsPath is where the reports lie.
const ReportsPath = "/console/reports"

// ReportsView is the page of reports.
type ReportsView struct {
	layout.ConsolePage
	By, From, To string // the query: day, week or month; days as YYYY-MM-DD
	Zone         *time.Location
	Scenarios    []ListChoice
	CSV          string // address of the same report as a file
	Figures      []component.KeyFigure
	Chart, Hours component.StackedBars
	Periods      []ReportRow
	ByScenario   []ReportRow
	ByCampaign   []ReportRow
	Made         time.Time
}

// ReportRow is one row of a report.
type ReportRow struct {
	URL                                                              string // link of the row's name; empty: none
	Name                                                             string
	Ended, Reached, Confirmed, Unreached, Failed, Cancelled, Waiting int
	Percent                                                          string // reached of ended; empty without any
}

// periodChoices lists the lengths of a row.
func (p ReportsView) periodChoices() []ListChoice {
	choices := []ListChoice{
		{Value: "day", Name: reports.Day.In(p.Lang)},
		{Value: "week", Name: reports.Week.In(p.Lang)},
		{Value: "month", Name: reports.Month.In(p.Lang)},
	}
	for i := range choices {
		choices[i].Chosen = choices[i].Value == p.By
	}
	return choices
}
