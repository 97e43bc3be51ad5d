package reports

import (
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
)

// Path is where the reports lie.
const Path = "/console/reports"

// View is the page of reports.
type View struct {
	layout.ConsolePage
	By, From, To string // the query: day, week or month; days as YYYY-MM-DD
	Zone         *time.Location
	Scenarios    []component.ListChoice
	CSV          string // address of the same report as a file
	Figures      []component.KeyFigure
	Chart, Hours component.StackedBars
	Periods      []Row
	ByScenario   []Row
	ByCampaign   []Row
	Made         time.Time
}

// Row is one row of a report.
type Row struct {
	URL                                                              string // link of the row's name; empty: none
	Name                                                             string
	Ended, Reached, Confirmed, Unreached, Failed, Cancelled, Waiting int
	Percent                                                          string // reached of ended; empty without any
}

// periodChoices lists the lengths of a row.
func (p View) periodChoices() []component.ListChoice {
	choices := []component.ListChoice{
		{Value: "day", Name: Day.In(p.Lang)},
		{Value: "week", Name: Week.In(p.Lang)},
		{Value: "month", Name: Month.In(p.Lang)},
	}
	for i := range choices {
		choices[i].Chosen = choices[i].Value == p.By
	}
	return choices
}
