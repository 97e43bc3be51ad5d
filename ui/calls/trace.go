package calls

import (
	"math"
	"strconv"
	"strings"

	"munadi/store/call"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// ladderRung is one message of the sequence diagram.
type ladderRung struct {
	Way       string // sent, received: the direction of the arrow
	Direction string // the same for screen readers
	Leg       string // whose leg; empty for the person's
	Class     string // of the status: 1 to 6; empty for a request
	Line      string // without the version
	Time      string // since the first message, in seconds
	Text      string // headers and session description
	Note      string // of repeats and of messages left out before it
}

// rungs returns the messages of the ladder.
func rungs(trace call.LineTrace, l locale.Language) (all []ladderRung) {
	for i, m := range trace.Messages {
		r := ladderRung{
			Way: "received", Direction: LadderReceived.In(l), Line: shortStartLine(m.Line),
			Time: "+" + strconv.FormatFloat(m.At.Sub(trace.Messages[0].At).Seconds(), 'f', 3, 64) + " s",
			Text: m.Peer + "\n" + m.Line + "\n" + strings.Join(m.Headers, "\n"),
		}
		if m.Sent {
			r.Way, r.Direction = "sent", LadderSent.In(l)
		}
		if status, isResponse := strings.CutPrefix(m.Line, "SIP/2.0 "); isResponse && status != "" {
			r.Class = status[:1]
		}
		if len(m.SDP) > 0 {
			r.Text += "\n\n" + strings.Join(m.SDP, "\n")
		}
		if m.Leg > 0 {
			r.Leg = locale.FillSentence(LadderStaff.In(l), "n", strconv.Itoa(m.Leg))
		}
		r.Note = rungNote(trace, i, l)
		all = append(all, r)
	}
	return all
}

// rungNote says what the ladder does not show of a message, or after it.
func rungNote(trace call.LineTrace, i int, l locale.Language) string {
	m := trace.Messages[i]
	var notes []string
	if m.Repeats > 0 {
		notes = append(notes, locale.FillSentence(LadderRepeats.In(l), "n", strconv.Itoa(m.Repeats)))
	}
	if m.Cut {
		notes = append(notes, LadderCut.In(l))
	}
	if trace.Omitted > 0 && i == len(trace.Messages)/2-1 { // as many first as last messages are kept
		notes = append(notes, locale.FillSentence(LadderOmitted.In(l), "n", strconv.Itoa(trace.Omitted)))
	}
	return strings.Join(notes, " · ")
}

// shortStartLine returns a start line without the version.
func shortStartLine(line string) string {
	return strings.TrimSuffix(strings.TrimPrefix(line, "SIP/2.0 "), " SIP/2.0")
}

// ladderPeer names the other side of the ladder.
func (p CallView) ladderPeer() string {
	if p.Line != nil && p.Line.Trunk != "" {
		return p.Line.Trunk
	}
	return "SIP"
}

// qualityLines returns the charts of both directions.
func (p CallView) qualityLines() []component.SparkLine {
	last := p.Trace.Quality[len(p.Trace.Quality)-1]
	line := func(id string, title locale.Text, of func(call.QualitySample) *call.MediaQuality) component.SparkLine {
		chart := component.SparkLine{
			ID: id, Title: title.In(p.Lang), Max: 4.5, From: "0:00", To: component.FormatClock(int(last.At + last.Seconds)),
			Empty: QualityNone.In(p.Lang),
		}
		var sum call.MediaQuality
		seconds := 0.0
		for _, s := range p.Trace.Quality {
			mos := math.NaN()
			if q := of(s); q != nil {
				mos, seconds = q.MOS, seconds+s.Seconds
				sum.MOS += s.Seconds * q.MOS
				sum.Loss += s.Seconds * q.Loss
				sum.Jitter += s.Seconds * q.Jitter
			}
			chart.Values = append(chart.Values, mos)
		}
		if seconds > 0 {
			chart.Summary = locale.FillSentence(QualitySummary.In(p.Lang), "mos", decimal(sum.MOS/seconds), "loss",
				decimal(100*sum.Loss/seconds), "jitter", decimal(sum.Jitter/seconds))
			chart.Empty = chart.Summary // in place of the line through a single sample
		}
		return chart
	}
	return []component.SparkLine{
		line("quality-in", QualityIn, func(s call.QualitySample) *call.MediaQuality { return s.Inbound }),
		line("quality-out", QualityOut, func(s call.QualitySample) *call.MediaQuality { return s.Outbound }),
	}
}

// roundTrip says how long a packet takes to the other side and back, on average; empty if no report says so.
func (p CallView) roundTrip() string {
	sum, seconds := 0.0, 0.0
	for _, s := range p.Trace.Quality {
		if s.RoundTrip > 0 {
			sum, seconds = sum+s.Seconds*s.RoundTrip, seconds+s.Seconds
		}
	}
	if seconds == 0 {
		return ""
	}
	return locale.FillSentence(QualityRoundTrip.In(p.Lang), "ms", decimal(sum/seconds))
}

// decimal writes a figure with one decimal place.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
