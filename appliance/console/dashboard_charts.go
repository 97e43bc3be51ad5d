package console

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"munadi/store/call"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// outcomeNames returns the call outcomes as charts group them: those that never reached the person are one.
func outcomeNames() []string {
	return []string{"completed", "talking", "scheduled", "unanswered", "failed", "cancelled"}
}

func callOutcome(s call.CallStatus) string {
	switch s {
	case call.Scheduled, call.Completed, call.Failed, call.Cancelled:
		return string(s)
	case call.Dialing, call.InProgress:
		return "talking"
	default:
		return "unanswered"
	}
}

// slots is the number of marks side by side on the day's timeline.
const slots = 96

// dayTimeline places each call on the day's timeline; those of one quarter of an hour are stacked.
func (d dashboardData) dayTimeline() component.DayTimeline {
	out := component.DayTimeline{ID: "day", Title: d.words.Day, Empty: d.words.DayNone, Slots: slots}
	length := d.begin.AddDate(0, 0, 1).Sub(d.begin)
	out.Now = d.now.Sub(d.begin).Seconds() / length.Seconds()
	for _, state := range outcomeNames() {
		for _, c := range d.calls {
			if callOutcome(c.Status) != state {
				continue
			}
			at := dialTimeOf(c).Sub(d.begin).Seconds() / length.Seconds()
			out.Marks = append(out.Marks, component.DayMark{
				Slot: min(int(at*slots), slots-1), State: state,
				Title: dialTimeOf(c).In(d.zone).Format("15:04") + " · " + locale.StatusWord(d.lang, string(c.Status)),
			})
		}
	}
	return out
}

// byHour counts the day's calls by hour and outcome.
func (d dashboardData) byHour() component.StackedBars {
	out := component.StackedBars{ID: "by-hour", Title: d.words.ByHour, Empty: d.words.ByHourNone, Every: 3}
	for h := range 24 {
		out.Slots = append(out.Slots, fmt.Sprintf("%02d:00", h))
	}
	for _, state := range outcomeNames() {
		series := component.ChartSeries{State: state, Label: locale.StatusWord(d.lang, state), Values: make([]float64, 24)}
		for _, c := range d.calls {
			if callOutcome(c.Status) == state {
				series.Values[dialTimeOf(c).In(d.zone).Hour()]++
			}
		}
		out.Series = append(out.Series, series)
	}
	return out
}

// keyFigures returns the four main figures.
func (d dashboardData) keyFigures() []component.KeyFigure {
	w, count := d.words, map[string]int{}
	for _, c := range d.calls {
		count[callOutcome(c.Status)]++
	}
	ended := count["completed"] + count["unanswered"] + count["failed"]
	return []component.KeyFigure{
		{
			Label: w.Reached, Value: strconv.Itoa(count["completed"]), Note: w.OfEnded.Fill(ended),
			Href: Root + "/calls?status=completed",
		},
		{
			Label: w.Running, Value: strconv.Itoa(count["talking"]), Note: w.OfLines.Fill(d.vitals.Lines),
			Href: Root + "/calls?status=in_progress",
		},
		{
			Label: w.Waiting, Value: strconv.Itoa(count["scheduled"]), Note: w.Ahead.Fill(d.countAhead()),
			Href: Root + "/calls?status=scheduled",
		},
		d.recognitionSpeed(),
	}
}

// countAhead counts the calls that are scheduled for the rest of the day.
func (d dashboardData) countAhead() (n int) {
	for _, c := range d.calls {
		if c.Status == call.Scheduled && dialTimeOf(c).After(d.now) {
			n++
		}
	}
	return n
}

// recognitionSpeed returns how much faster than real time the recognizer was in the last hour.
func (d dashboardData) recognitionSpeed() component.KeyFigure {
	out := component.KeyFigure{
		Label: d.words.Speed,
		Value: "–",
		Note:  d.words.Queue.Fill(d.vitals.Queue),
	}
	audio, work := 0.0, 0.0
	for _, s := range d.vitals.Load {
		audio, work = audio+s.Audio, work+s.Work
	}
	if audio > 0 && work > 0 {
		out.Value, out.Unit = formatMultiple(audio/work), d.words.SpeedUnit
	} else if d.vitals.Queue == 0 {
		out.Note = d.words.Idle
	}
	return out
}

// formatMultiple formats a multiple, with one decimal below 10.
func formatMultiple(v float64) string {
	if v < 10 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// formatRounded formats a number without decimals.
func formatRounded(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// loadSeries returns the recognizer's average concurrency in each interval.
func (d dashboardData) loadSeries() component.SparkLine {
	out := component.SparkLine{
		ID: "load", Title: d.words.Load, Empty: d.words.LoadNone, From: d.words.HourAgo, To: d.words.Now, Max: 1,
	}
	for _, s := range d.vitals.Load {
		out.Values = append(out.Values, s.Work/max(s.Length.Seconds(), 1))
	}
	if n := len(out.Values); n > 0 {
		out.Summary = locale.FillSentence(
			d.words.LoadSum,
			"now",
			formatMultiple(out.Values[n-1]),
			"top",
			formatMultiple(slices.Max(out.Values)),
		)
		out.From = d.vitals.Load[0].At.In(d.zone).Format("15:04")
	}
	return out
}

// realTimeFactorSeries returns the real-time factor of each interval with speech.
func (d dashboardData) realTimeFactorSeries() component.SparkLine {
	out := component.SparkLine{
		ID: "factor", Title: d.words.Factor, Empty: d.words.FactorNone, To: d.words.Now,
	}
	var since time.Time
	for _, s := range d.vitals.Load {
		if s.Audio <= 0 {
			continue
		}
		if since.IsZero() {
			since = s.At
		}
		out.Values = append(out.Values, 1000*s.Work/s.Audio)
	}
	if n := len(out.Values); n > 0 {
		out.Summary = locale.FillSentence(
			d.words.FactorSum,
			"now",
			formatRounded(out.Values[n-1]),
			"top",
			formatRounded(slices.Max(out.Values)),
		)
		out.From = since.In(d.zone).Format("15:04")
		out.Empty = d.words.LoadNone // one point makes no line yet, but there was speech
	}
	return out
}
