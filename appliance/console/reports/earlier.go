package reports

import (
	"context"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/reports"
)

// earlierPeriod counts the calls of the period of the same length before that of a report. Where the report's is not
// over, they are counted as they were the same time after the beginning.
type earlierPeriod struct {
	from, to time.Time // midnights in the report's zone; to is that of the report's first day
	count    kit.ReportCount
	answered bool // Confirmed holds no later answers
}

// readEarlier counts the calls of the period before a report's.
func (s handlers) readEarlier(
	ctx context.Context, orgID string, q reportQuery, plans []scenario.Scenario,
) (earlierPeriod, error) {
	days := 1
	for !kit.DayAfter(q.from, days).After(q.to) {
		days++
	}
	p := earlierPeriod{from: kit.DayAfter(q.from, -days), to: q.from, answered: true}
	until := p.to
	if now := s.Now().In(q.from.Location()); now.Before(kit.DayAfter(q.to, 1)) {
		until = now.AddDate(0, 0, -days)
	}
	if !until.After(p.from) { // the report's period is to come
		return p, nil
	}
	until = until.Truncate(call.TallyStep)
	tallies, err := s.readTallies(ctx, orgID, q.scenario, p.from, until, plans)
	confirmation := kit.ConfirmationProperties(plans)
	for _, t := range tallies {
		outbound, _ := t.SplitInbound()
		then, whole := outbound.StateAt(until)
		p.count.MergeTally(then)
		p.count.Confirmed += outbound.Answers[confirmation(t.ScenarioID)]["true"]
		p.answered = p.answered && whole
	}
	return p, err
}

// isComparable reports whether any call of the period had ended.
func (p earlierPeriod) isComparable() bool { return p.count.CountEnded() > 0 }

// compare adds what a figure was in the period.
func (p earlierPeriod) compare(f component.KeyFigure, was string, l locale.Language) component.KeyFigure {
	if p.isComparable() {
		f.Past = locale.FillSentence(reports.Before.In(l), "was", was)
	}
	return f
}
