package console

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"munadi/store/call"
	"munadi/ui/part"
	"munadi/ui/text"
)

// The outcomes as charts show them: those that never reached the person are one colour.
func outcomes() []string {
	return []string{"completed", "talking", "scheduled", "unanswered", "failed", "cancelled"}
}

func outcome(s call.Status) string {
	switch s {
	case call.Scheduled, call.Completed, call.Failed, call.Cancelled:
		return string(s)
	case call.Dialing, call.InProgress:
		return "talking"
	default:
		return "unanswered"
	}
}

// slots is how many marks stand beside each other on the line of a day.
const slots = 96

// line puts each call on the day's line of time; those of one quarter of an hour stand on each other.
func (d today) line() part.Day {
	out := part.Day{ID: "day", Title: d.words.Day, Empty: d.words.DayNone, Slots: slots}
	length := d.begin.AddDate(0, 0, 1).Sub(d.begin)
	out.Now = d.now.Sub(d.begin).Seconds() / length.Seconds()
	for _, state := range outcomes() {
		for _, c := range d.calls {
			if outcome(c.Status) != state {
				continue
			}
			at := dialled(c).Sub(d.begin).Seconds() / length.Seconds()
			out.Marks = append(out.Marks, part.DayMark{
				Slot: min(int(at*slots), slots-1), State: state,
				Title: dialled(c).In(d.zone).Format("15:04") + " · " + text.Status(d.lang, string(c.Status)),
			})
		}
	}
	return out
}

// byHour counts the day's calls by hour and outcome.
func (d today) byHour() part.Bars {
	out := part.Bars{ID: "by-hour", Title: d.words.ByHour, Empty: d.words.ByHourNone, Every: 3}
	for h := range 24 {
		out.Slots = append(out.Slots, fmt.Sprintf("%02d:00", h))
	}
	for _, state := range outcomes() {
		series := part.Series{State: state, Label: text.Status(d.lang, state), Values: make([]float64, 24)}
		for _, c := range d.calls {
			if outcome(c.Status) == state {
				series.Values[dialled(c).In(d.zone).Hour()]++
			}
		}
		out.Series = append(out.Series, series)
	}
	return out
}

// figures are the four that matter.
func (d today) figures() []part.Stat {
	w, count := d.words, map[string]int{}
	for _, c := range d.calls {
		count[outcome(c.Status)]++
	}
	ended := count["completed"] + count["unanswered"] + count["failed"]
	return []part.Stat{
		{
			Label: w.Reached, Value: strconv.Itoa(count["completed"]), Note: text.Fill(w.OfEnded, "all", ended),
			Href: Root + "/calls?status=completed",
		},
		{
			Label: w.Running, Value: strconv.Itoa(count["talking"]), Note: text.Fill(w.OfLines, "all", d.vitals.Lines),
			Href: Root + "/calls?status=in_progress",
		},
		{
			Label: w.Waiting, Value: strconv.Itoa(count["scheduled"]), Note: text.Fill(w.Ahead, "n", d.ahead()),
			Href: Root + "/calls?status=scheduled",
		},
		d.speed(),
	}
}

// ahead counts the calls that are booked for the rest of the day.
func (d today) ahead() (n int) {
	for _, c := range d.calls {
		if c.Status == call.Scheduled && dialled(c).After(d.now) {
			n++
		}
	}
	return n
}

// speed is how much faster than speech the recognizer was in the last hour.
func (d today) speed() part.Stat {
	out := part.Stat{Label: d.words.Speed, Value: "–", Note: text.Fill(d.words.Queue, "n", d.vitals.Queue)}
	audio, work := 0.0, 0.0
	for _, s := range d.vitals.Load {
		audio, work = audio+s.Audio, work+s.Work
	}
	if audio > 0 && work > 0 {
		out.Value, out.Unit = times(audio/work), d.words.SpeedUnit
	} else if d.vitals.Queue == 0 {
		out.Note = d.words.Idle
	}
	return out
}

// times is a multiple, with a digit after the point where that says something.
func times(v float64) string {
	if v < 10 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// rounded is a number without a fraction.
func rounded(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// load is how many pieces of work the recognizer had in hand at once, on average over each stretch.
func (d today) load() part.Line {
	out := part.Line{
		ID: "load", Title: d.words.Load, Empty: d.words.LoadNone, From: d.words.HourAgo, To: d.words.Now, Max: 1,
	}
	for _, s := range d.vitals.Load {
		out.Values = append(out.Values, s.Work/max(s.Length.Seconds(), 1))
	}
	if n := len(out.Values); n > 0 {
		out.Summary = text.Fill(d.words.LoadSum, "now", times(out.Values[n-1]), "top", times(slices.Max(out.Values)))
		out.From = d.vitals.Load[0].At.In(d.zone).Format("15:04")
	}
	return out
}

// factor is how long a second of speech took, where there was any.
func (d today) factor() part.Line {
	out := part.Line{
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
		out.Summary = text.Fill(d.words.FactorSum, "now", rounded(out.Values[n-1]), "top", rounded(slices.Max(out.Values)))
		out.From = since.In(d.zone).Format("15:04")
		out.Empty = d.words.LoadNone // one point is no line yet, but there was speech
	}
	return out
}
