package calls

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"munadi/ui/component"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// GapsPath is the listening page of a call, below its own path: both channels with the gaps between turns drawn.
const GapsPath = "/gaps"

// CallGap is a silence between two turns of different speakers, in seconds of the recording.
type CallGap struct {
	From, To float64
	Reply    CallTurn // the turn that ended it
	Before   string   // what was said before it
}

// IsPlatforms reports whether the platform replied after it.
func (g CallGap) IsPlatforms() bool { return !g.Reply.isCustomers() }

// Milliseconds returns the length of the gap.
func (g CallGap) Milliseconds() int { return int((g.To-g.From)*1000 + 0.5) }

// CallGaps returns the gaps of a call: before a measured reply of the platform what the person waited for its first
// sound, before the person's turns the time since the platform's last one. Overlapping turns have none.
func (p CallView) CallGaps() (gaps []CallGap) {
	for i, m := range p.Turns {
		if m.ReplyTiming != nil {
			said := m.Start - float64(m.Gap)/1000
			gaps = append(gaps, CallGap{said, said + float64(m.ReplyTiming.Heard)/1000, m, p.textBefore(i)})
			continue
		}
		if i == 0 || !m.isCustomers() || p.Turns[i-1].isCustomers() || m.Start <= p.Turns[i-1].End {
			continue
		}
		gaps = append(gaps, CallGap{p.Turns[i-1].End, m.Start, m, p.Turns[i-1].Content})
	}
	return gaps
}

// textBefore returns the other speaker's last turn before the turn with this index.
func (p CallView) textBefore(i int) string {
	for j := i - 1; j >= 0; j-- {
		if p.Turns[j].isCustomers() != p.Turns[i].isCustomers() {
			return p.Turns[j].Content
		}
	}
	return ""
}

// The picture of the gaps, in pixels: two lanes with the gaps between them.
const (
	gapScale  = 60 // pixels of a second
	gapHeight = 150
	gapMiddle = 60 // top of the gaps
	gapLane   = 56 // height of a lane
	gapWidth  = 34 // from which a gap holds its figure
)

// gapsWidth returns the width of the picture.
func (p CallView) gapsWidth() int {
	end := p.Shape.Seconds
	for _, m := range p.Turns {
		end = max(end, m.End)
	}
	return max(int(end*gapScale)+1, 320)
}

// gapX returns the x coordinate of a time.
func gapX(seconds float64) string { return strconv.FormatFloat(max(seconds, 0)*gapScale, 'f', 1, 64) }

// gapSize returns the width of a span.
func gapSize(from, to float64) string { return gapX(to - from) }

// gapClock writes the place of a gap in the recording.
func gapClock(seconds float64) string { return component.FormatClock(int(max(seconds, 0))) }

// hearAt returns from where a gap is heard: a second before it.
func (g CallGap) hearAt() string { return formatSeconds(max(g.From-1, 0)) }

// gapMilliseconds writes a length for people.
func gapMilliseconds(l locale.Language, n int) string {
	return locale.FillSentence(GapsMilliseconds.In(l), "n", strconv.Itoa(n))
}

// gapsSummary says how long the platform's replies took; empty without one.
func (p CallView) gapsSummary() string {
	var all []int
	for _, g := range p.CallGaps() {
		if g.IsPlatforms() {
			all = append(all, g.Milliseconds())
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return locale.FillSentence(GapsMedian.In(p.Lang),
		"median", strconv.Itoa(all[len(all)/2]), "longest", strconv.Itoa(all[len(all)-1]))
}

// waveTransform places one half of the waveform, which is drawn upwards from its middle, at the foot of its lane: 0 the
// customer's, 1 the platform's.
func (p CallView) waveTransform(lane int) string {
	foot := float64(2 + gapLane)
	if lane == 1 {
		foot = gapHeight - 2
	}
	return fmt.Sprintf("translate(0 %.1f) scale(%.4f 1)", foot-waveHeight/2, p.Shape.Seconds*gapScale/waveWidth)
}

// gapTable returns the table of a call's gaps in a language; heard means that a recording plays them.
func gapTable(l locale.Language, heard bool) list.Table[CallGap] {
	replyTime := func(of func(CallTurn) int) func(CallGap) string {
		return func(g CallGap) string {
			if g.Reply.ReplyTiming == nil {
				return ""
			}
			return gapMilliseconds(l, of(g.Reply))
		}
	}
	return list.Table[CallGap]{
		{Title: GapsAt, Cell: func(_ list.At, g CallGap) templ.Component { return gapTime(l, heard, g) }},
		{Title: GapsWho, Text: func(g CallGap) string {
			if g.IsPlatforms() {
				return CallPlatform.In(l)
			}
			return CallCustomer.In(l)
		}},
		{Title: GapsLength, Text: func(g CallGap) string { return gapMilliseconds(l, g.Milliseconds()) }},
		{Title: GapsDecided, Text: replyTime(func(m CallTurn) int { return m.Decided })},
		{Title: GapsSent, Text: replyTime(func(m CallTurn) int { return m.Gap })},
		{Title: GapsBefore, Cell: func(_ list.At, g CallGap) templ.Component { return arabicText(g.Before) }},
		{Title: GapsReply, Cell: func(_ list.At, g CallGap) templ.Component { return arabicText(g.Reply.Content) }},
	}
}
