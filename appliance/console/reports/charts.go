package reports

import (
	"fmt"
	"strconv"

	"munadi/appliance/console/kit"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/reports"
)

func reportFigures(r callReport, replies replyReport, l locale.Language) []component.KeyFigure {
	all := reportRow("", r.all)
	best := component.KeyFigure{Label: reports.BestHour.In(l), Value: "–", Note: reports.BestHourNone.In(l)}
	if hour, found := r.bestHour(); found {
		best.Value = fmt.Sprintf("%02d:00", hour)
		best.Note = locale.FillSentence(
			reports.BestHourNote.In(l), "percent", strconv.Itoa(r.hours[hour].ReachedPercent())+"%",
		)
	}
	return []component.KeyFigure{
		{Label: reports.Ended.In(l), Value: locale.FormatCount(all.Ended), Note: reports.EndedNote.In(l)},
		{Label: reports.Reached.In(l), Value: locale.FormatCount(all.Reached), Note: all.Percent},
		{Label: reports.Confirmed.In(l), Value: locale.FormatCount(all.Confirmed), Note: reports.ConfirmedNote.In(l)},
		best, replies.keyFigure(l),
	}
}

// periodChart returns the chart of periods, stacked by outcome.
func periodChart(r callReport, period reportPeriod, l locale.Language) component.StackedBars {
	out := component.StackedBars{
		ID: "by-period", Title: reports.ByPeriod.In(l), Empty: reports.None.In(l), Every: (len(r.starts) + 7) / 8,
	}
	form := map[reportPeriod]string{dailyReport: "01-02", weeklyReport: "01-02", monthlyReport: "2006-01"}[period]
	for _, start := range r.starts {
		out.Slots = append(out.Slots, start.Format(form))
	}
	out.Series = outcomeSeries(r.periods, l)
	return out
}

// hourChart returns the chart of hours of the day, stacked by outcome.
func hourChart(r callReport, l locale.Language) component.StackedBars {
	out := component.StackedBars{ID: "by-hour", Title: reports.ByHour.In(l), Empty: reports.None.In(l), Every: 3}
	for h := range r.hours {
		out.Slots = append(out.Slots, fmt.Sprintf("%02d:00", h))
	}
	out.Series = outcomeSeries(r.hours[:], l)
	return out
}

// outcomeSeries returns one series for each outcome in charts.
func outcomeSeries(rows []kit.ReportCount, l locale.Language) []component.ChartSeries {
	var all []component.ChartSeries
	for _, state := range kit.OutcomeNames() {
		series := component.ChartSeries{State: state, Label: locale.StatusWord(l, state)}
		for _, row := range rows {
			counts := kit.OutcomesOf(row.CallTally)
			series.Values = append(series.Values, float64(counts[state]))
		}
		all = append(all, series)
	}
	return all
}
