package system

import (
	"slices"
	"strconv"
	"time"

	"munadi/appliance/console/kit"
	"munadi/ui/component"
	"munadi/ui/dashboard"
	"munadi/ui/locale"
)

// engineCharts are the recognizer's figures of the last hour, for the system page.
type engineCharts struct {
	vitals kit.ApplianceVitals
	lang   locale.Language
	zone   *time.Location
}

// recognitionSpeed returns the recognizer's speed in the last hour as a multiple of real time.
func (d engineCharts) recognitionSpeed() component.KeyFigure {
	out := component.KeyFigure{
		Label: dashboard.Speed.In(d.lang), Value: "–", Note: dashboard.Queue.In(d.lang).Fill(d.vitals.Queue),
	}
	audio, work := 0.0, 0.0
	for _, s := range d.vitals.Load {
		audio, work = audio+s.Audio, work+s.Work
	}
	if audio > 0 && work > 0 {
		out.Value, out.Unit = formatMultiple(audio/work), dashboard.SpeedUnit.In(d.lang)
	} else if d.vitals.Queue == 0 {
		out.Note = dashboard.Idle.In(d.lang)
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
func (d engineCharts) loadSeries() component.SparkLine {
	out := component.SparkLine{
		ID: "load", Title: dashboard.Load.In(d.lang), Empty: dashboard.LoadNone.In(d.lang),
		From: dashboard.HourAgo.In(d.lang), To: dashboard.Now.In(d.lang), Max: 1,
	}
	for _, s := range d.vitals.Load {
		out.Values = append(out.Values, s.Work/max(s.Length.Seconds(), 1))
	}
	if n := len(out.Values); n > 0 {
		now, top := formatMultiple(out.Values[n-1]), formatMultiple(slices.Max(out.Values))
		out.Summary = locale.FillSentence(dashboard.LoadSum.In(d.lang), "now", now, "top", top)
		out.From = d.vitals.Load[0].At.In(d.zone).Format("15:04")
	}
	return out
}

// realTimeFactorSeries returns the real-time factor of each interval with speech.
func (d engineCharts) realTimeFactorSeries() component.SparkLine {
	out := component.SparkLine{
		ID: "factor", Title: dashboard.Factor.In(d.lang), Empty: dashboard.FactorNone.In(d.lang),
		To: dashboard.Now.In(d.lang),
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
		now, top := formatRounded(out.Values[n-1]), formatRounded(slices.Max(out.Values))
		out.Summary = locale.FillSentence(dashboard.FactorSum.In(d.lang), "now", now, "top", top)
		out.From = since.In(d.zone).Format("15:04")
		out.Empty = dashboard.LoadNone.In(d.lang) // a single point is no line, but there was speech
	}
	return out
}
