package page

import (
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
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

func (p ReportsView) pageWords() locale.ReportWords { return locale.ReportsIn(p.Lang) }

// ReportRow is one row of a report.
type ReportRow struct {
	URL                                                              string // link of the row's name; empty: none
	Name                                                             string
	Ended, Reached, Confirmed, Unreached, Failed, Cancelled, Waiting int
	Percent                                                          string // reached of ended; empty without any
}

// periodChoices lists the lengths of a row.
func (p ReportsView) periodChoices(w locale.ReportWords) []ListChoice {
	choices := []ListChoice{{Value: "day", Name: w.Day}, {Value: "week", Name: w.Week}, {Value: "month", Name: w.Month}}
	for i := range choices {
		choices[i].Chosen = choices[i].Value == p.By
	}
	return choices
}
