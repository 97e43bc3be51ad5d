package dashboard

import (
	"fmt"
	"slices"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/scenario"
	uicalls "munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/dashboard"
	"munadi/ui/locale"
)

// hourlyBars counts the day's calls by outcome and the hour in which they were dialled, waiting ones by that of their
// dial time.
func (d dashboardData) hourlyBars() component.StackedBars {
	out := component.StackedBars{
		ID: "by-hour", Title: dashboard.ByHour.In(d.lang), Empty: dashboard.ByHourNone.In(d.lang), Every: 3,
		Now: float64(d.now.Hour()) + float64(d.now.Minute())/60,
	}
	var hours [24]kit.ReportCount
	for _, t := range d.tallies {
		kit.AddHours(&hours, t, d.zone)
	}
	for h := range hours {
		out.Slots = append(out.Slots, fmt.Sprintf("%02d:00", h))
	}
	out.Series = kit.OutcomeSeries(hours[:], d.lang)
	return out
}

// keyFigures returns the four main figures: people that were called and reached, that confirmed, on the line, and
// waiting. Who called the organization is named beside the first two.
func (d dashboardData) keyFigures() []component.KeyFigure {
	count := kit.OutcomesOf(d.sum)
	ended := count["completed"] + count["unanswered"] + count["failed"] + count[uicalls.StoppedCalls]
	today := uicalls.CallsFilter{From: d.now.Format(kit.DayLayout), To: d.now.Format(kit.DayLayout)}
	var called kit.ReportCount
	confirmation := kit.ConfirmationProperties(d.labels.Scenarios)
	for _, t := range d.inbound {
		called.AddInbound(t, confirmation(t.ScenarioID))
	}
	if called.CalledIn > 0 {
		today.Direction = string(call.Outbound)
	}
	href := func(change func(*uicalls.CallsFilter)) string {
		f := today
		change(&f)
		return kit.CallsURL(uicalls.CallsPath, f, "")
	}
	return []component.KeyFigure{
		{
			Label: dashboard.Reached.In(d.lang), Value: locale.FormatCount(count["completed"]),
			Note: d.addInbound(dashboard.OfEnded.In(d.lang).Fill(ended), dashboard.AndInbound, called.CalledIn),
			Past: d.pastReached(),
			Href: href(func(f *uicalls.CallsFilter) { f.Status = string(call.Completed) }),
		},
		d.confirmedFigure(href, called.CalledInConfirmed),
		{
			Label: dashboard.Running.In(d.lang), Value: locale.FormatCount(count["talking"]),
			Note: dashboard.OfLines.In(d.lang).Fill(d.vitals.Lines),
			Href: kit.Root + "/calls?status=" + uicalls.RunningCalls,
		},
		{
			Label: dashboard.Waiting.In(d.lang), Value: locale.FormatCount(count["scheduled"]),
			Note: d.completionNote(),
			Href: href(func(f *uicalls.CallsFilter) { f.Status = string(call.Scheduled) }),
		},
	}
}

// addInbound adds to a figure's note how many of those who called the organization there are.
func (d dashboardData) addInbound(note string, and locale.Text, n int) string {
	if n == 0 {
		return note
	}
	return locale.FillSentence(and.In(d.lang), "note", note, "n", locale.FormatCount(n))
}

// pastReached says how many people had been reached on earlier days by this time; empty if none were called.
func (d dashboardData) pastReached() string {
	if len(d.past[0].Counts)+len(d.past[1].Counts) == 0 {
		return ""
	}
	return locale.FillSentence(
		dashboard.Past.In(d.lang), "yesterday", locale.FormatCount(d.past[0].Counts[call.Completed]),
		"week", locale.FormatCount(d.past[1].Counts[call.Completed]),
	)
}

// confirmedFigure returns how many of the day's called and asked people confirmed, and how many of those who called. If
// all scenarios ask the same question, the figure has its label and links to the calls.
func (d dashboardData) confirmedFigure(
	href func(func(*uicalls.CallsFilter)) string, called int,
) component.KeyFigure {
	var all kit.ReportCount
	asked, questions := 0, map[string]bool{}
	confirmation := kit.ConfirmationProperties(d.labels.Scenarios)
	for _, t := range d.tallies {
		question := confirmation(t.ScenarioID)
		all.AddTally(t, question)
		if n := t.Answers[question]["true"] + t.Answers[question]["false"]; n > 0 {
			asked, questions[question] = asked+n, true
		}
	}
	figure := component.KeyFigure{Label: dashboard.Confirmed.In(d.lang), Value: "–"}
	figure.Note = d.addInbound(dashboard.NoAnswers.In(d.lang), dashboard.AndConfirmed, called)
	if asked == 0 {
		return figure
	}
	figure.Value = locale.FormatCount(all.Confirmed)
	figure.Note = d.addInbound(dashboard.OfAnswers.In(d.lang).Fill(asked), dashboard.AndConfirmed, called)
	for question := range questions {
		if len(questions) > 1 {
			break
		}
		if question != scenario.UsualConfirmation {
			figure.Label = d.labels.SlotLabel("", question)
		}
		figure.Href = href(func(f *uicalls.CallsFilter) { f.Slot, f.Answer = question, "true" })
	}
	return figure
}

// completionNote says when the calls that wait for the day will have ended, estimated from recent calls and the lines.
func (d dashboardData) completionNote() string {
	switch {
	case d.sum.Counts[call.Scheduled] == 0:
		return dashboard.DoneNone.In(d.lang)
	case d.rules.KillSwitch || d.noTrunk || !trunksDownSince(d.vitals.Trunks).IsZero():
		return dashboard.DoneStopped.In(d.lang)
	}
	if paused := d.waiting.CountPaused(); paused > 0 && paused == d.waiting.CountAll() {
		return dashboard.DonePaused.In(d.lang)
	}
	done := kit.LaterTime(d.estimateEnd(), d.limitedEnd())
	if !done.Before(kit.DayAfter(d.begin, 1)) {
		return dashboard.DoneLater.In(d.lang)
	}
	return locale.FillSentence(dashboard.DoneAt.In(d.lang), "at", "\u2066"+done.In(d.zone).Format("15:04")+"\u2069")
}

// limitedEnd returns when the calls of running campaigns will have ended by their own limits; zero without any.
func (d dashboardData) limitedEnd() (last time.Time) {
	for _, c := range d.waiting.Campaigns {
		n := time.Duration(c.Waiting)
		if c.Status != campaign.Running || n == 0 {
			continue
		}
		begin := d.now
		if c.StartsAt != nil {
			begin = kit.LaterTime(begin, *c.StartsAt)
		}
		if c.CallsPerMinute > 0 {
			last = kit.LaterTime(last, begin.Add(n*time.Minute/time.Duration(c.CallsPerMinute)))
		}
		if c.Lines > 0 {
			last = kit.LaterTime(last, begin.Add(n*d.meanCall()/time.Duration(c.Lines)))
		}
	}
	return last
}

// estimateEnd estimates when the last call that waits for the day will have ended: all lines are used, calls are
// dialled in the order of their due times, and each takes the mean time of recent calls. Overdue calls of earlier days
// come first. The earliest are those that paused campaigns hold.
func (d dashboardData) estimateEnd() time.Time {
	held := d.waiting.CountPaused()
	duration := func(calls int) time.Duration {
		dialled := max(0, calls-held)
		held -= calls - dialled
		return time.Duration(dialled) * d.meanCall() / time.Duration(max(d.vitals.Lines, 1))
	}
	byTime := slices.SortedFunc(slices.Values(d.tallies), func(a, b call.CallTally) int { return a.At.Compare(b.At) })
	done := d.now.Add(duration(max(0, d.waiting.CountAll()-d.sum.Counts[call.Scheduled])))
	for _, t := range byTime {
		if n := t.Counts[call.Scheduled]; n > 0 {
			done = kit.LaterTime(done, t.At).Add(duration(n))
		}
	}
	return kit.LaterTime(done, d.lastDue)
}

// The assumed durations: of a call before any has ended, and of the ringing before each.
const (
	defaultCallLength = time.Minute
	ringLength        = 15 * time.Second
)

// meanCall returns the mean duration of recent calls, with ringing.
func (d dashboardData) meanCall() time.Duration {
	sum, n := time.Duration(0), 0
	for _, c := range d.last {
		if c.EndedAt != nil && c.ReleasedAt != nil {
			sum, n = sum+c.EndedAt.Sub(*c.ReleasedAt), n+1
		}
	}
	if n == 0 {
		return defaultCallLength + ringLength
	}
	return max(sum/time.Duration(n), time.Second)
}
