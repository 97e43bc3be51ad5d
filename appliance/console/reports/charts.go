package reports

import (
	"fmt"
	"strconv"

	"munadi/appliance/console/kit"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/reports"
)

func reportFigures(
	r callReport, before earlierPeriod, replies replyReport, l locale.Language,
) []component.KeyFigure {
	all, was := reportRow("", r.all), reportRow("", before.count)
	best := component.KeyFigure{Label: reports.BestHour.In(l), Value: "–", Note: reports.BestHourNone.In(l)}
	if hour, found := r.bestHour(); found {
		best.Value = fmt.Sprintf("%02d:00", hour)
		best.Note = locale.FillSentence(
			reports.BestHourNote.In(l), "percent", strconv.Itoa(r.hours[hour].ReachedPercent())+"%",
		)
	}
	ended := component.KeyFigure{
		Label: reports.Ended.In(l), Value: locale.FormatCount(all.Ended), Note: reports.EndedNote.In(l),
	}
	reached := component.KeyFigure{
		Label: reports.Reached.In(l), Value: locale.FormatCount(all.Reached), Note: all.Percent,
	}
	confirmed := component.KeyFigure{
		Label: reports.Confirmed.In(l), Value: locale.FormatCount(all.Confirmed), Note: reports.ConfirmedNote.In(l),
	}
	if before.answered {
		confirmed = before.compare(confirmed, locale.FormatCount(was.Confirmed), l)
	}
	return []component.KeyFigure{
		before.compare(ended, locale.FormatCount(was.Ended), l),
		before.compare(reached, locale.FormatCount(was.Reached)+" ("+was.Percent+")", l),
		confirmed, best, replies.keyFigure(l),
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
	out.Series = kit.OutcomeSeries(r.periods, l)
	return out
}

// hourChart returns the chart of hours of the day, stacked by outcome.
func hourChart(r callReport, l locale.Language) component.StackedBars {
	out := component.StackedBars{ID: "by-hour", Title: reports.ByHour.In(l), Empty: reports.None.In(l), Every: 3}
	for h := range r.hours {
		out.Slots = append(out.Slots, fmt.Sprintf("%02d:00", h))
	}
	out.Series = kit.OutcomeSeries(r.hours[:], l)
	return out
}
