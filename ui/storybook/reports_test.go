package storybook

import (
	"time"

	"munadi/ui/campaigns"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/reports"
)

// reportsExample returns the page of reports with two weeks.
func reportsExample(l locale.Language) reports.View {
	row := reports.Row{Name: "2026-11-15 – 11-21", Ended: 1200, Reached: 804, Percent: "67%", Confirmed: 512, Unreached: 380, Failed: 16, CalledIn: 27, CalledInConfirmed: 9}
	before := reports.Row{Name: "2026-11-08 – 11-14"}
	series := []component.ChartSeries{
		{State: "completed", Label: locale.StatusWord(l, "completed"), Values: []float64{0, 804}},
		{State: "unanswered", Label: locale.StatusWord(l, "unanswered"), Values: []float64{0, 380}},
	}
	return reports.View{
		ConsolePage: ConsoleFrame(l, "reports", reports.Title.In(l)), By: "week", From: "2026-11-08", To: "2026-11-21",
		Zone:      time.UTC,
		Scenarios: []component.ListChoice{{Value: "appointment_confirmation", Name: "تأكيد <موعد>"}}, CSV: reports.Path + ".csv?by=week&to=2026-11-21",
		Figures: []component.KeyFigure{{Label: reports.Ended.In(l), Value: "1200", Note: reports.EndedNote.In(l), Past: locale.FillSentence(reports.Before.In(l), "was", "1,100")}, {Label: reports.Reached.In(l), Value: "804", Note: "67%"}},
		Chart:   component.StackedBars{ID: "by-period", Title: reports.ByPeriod.In(l), Slots: []string{"11-08", "11-15"}, Every: 1, Series: series},
		Hours:   component.StackedBars{ID: "by-hour", Title: reports.ByHour.In(l), Empty: reports.None.In(l)},
		Periods: []reports.Row{before, row}, ByScenario: []reports.Row{row},
		ByCampaign: []reports.Row{{Name: "حملة <الصباح>", URL: campaigns.CampaignsPath + "/camp_1", Ended: 120, Reached: 100, Percent: "83%"}}, Made: morningTime(5),
		Cut: 62, BeforeFrom: "2026-10-25", BeforeTo: "2026-11-07",
		CallersCSV: reports.Path + "/caller-numbers.csv?by=week",
		ByCaller: []reports.CallerRow{
			{Number: "+966112345678", Ended: 80, Answered: 60, Reached: 55, Percent: "75%"},
			{Number: "+966112345679", Ended: 40, Answered: 12, Reached: 10, Percent: "30%"},
		},
	}
}
