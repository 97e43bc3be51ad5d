package kit

import (
	"time"

	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// outcomeNames returns the call outcomes as charts group them: all that did not reach the person are one.
func outcomeNames() []string {
	return []string{"completed", "talking", "scheduled", "unanswered", "failed", calls.StoppedCalls, "cancelled"}
}

// OutcomesOf counts a tally's calls by outcome.
func OutcomesOf(t call.CallTally) map[string]int {
	counts := map[string]int{}
	for group, n := range GroupTally(t).Groups {
		switch call.CallStatus(group) {
		case call.NoAnswer, call.UserRejected, call.UserUnavailable, call.Automation:
			group = "unanswered"
		case calls.RunningCalls:
			group = "talking"
		}
		counts[group] += n
	}
	return counts
}

// ReportCount counts the calls of one row of a report.
type ReportCount struct {
	call.CallTally
	Confirmed int // those that answered the scenario's confirmation question with yes
	// CalledIn are the ended calls that people made to the organization, where Counts lacks them, and CalledInConfirmed
	// those of them that answered it with yes.
	CalledIn, CalledInConfirmed int
}

// AddTally adds calls, without their answers and hours; confirmation is the report's property that confirms a call when
// true.
func (r *ReportCount) AddTally(t call.CallTally, confirmation string) {
	r.MergeTally(call.CallTally{Counts: t.Counts, ByOperator: t.ByOperator})
	r.Confirmed += t.Answers[confirmation]["true"]
}

// AddInbound adds calls that people made to the organization; see [call.CallTally.SplitInbound].
func (r *ReportCount) AddInbound(t call.CallTally, confirmation string) {
	for _, n := range t.Counts {
		r.CalledIn += n
	}
	r.CalledInConfirmed += t.Answers[confirmation]["true"]
}

// AddCount adds the calls of another row.
func (r *ReportCount) AddCount(o ReportCount) {
	r.MergeTally(o.CallTally)
	r.Confirmed += o.Confirmed
	r.CalledIn += o.CalledIn
	r.CalledInConfirmed += o.CalledInConfirmed
}

// CountEnded counts the calls that were dialled and have ended.
func (r ReportCount) CountEnded() int {
	n := 0
	for status, count := range r.Counts {
		if status.IsFinal() && status != call.Cancelled {
			n += count
		}
	}
	return n
}

// CountReached counts the calls that reached the person.
func (r ReportCount) CountReached() int { return r.Counts[call.Completed] }

// ReachedPercent returns the percentage of ended calls that reached the person; -1 without ended calls.
func (r ReportCount) ReachedPercent() int {
	if r.CountEnded() == 0 {
		return -1
	}
	return (200*r.CountReached() + r.CountEnded()) / (2 * r.CountEnded())
}

// AddHours adds a tally's calls to rows by hour of the day in a zone, see [call.CallTally.VisitHours].
func AddHours(hours *[24]ReportCount, t call.CallTally, zone *time.Location) {
	t.VisitHours(zone, func(hour int, status call.CallStatus, n, byOperator int) {
		hours[hour].CountStatus(status, n)
		hours[hour].CountOperator(status, byOperator)
	})
}

// ConfirmationProperties returns, by a scenario's ID, the property of its reports that confirms a call when true; the
// default for a deleted scenario.
func ConfirmationProperties(plans []scenario.Scenario) func(id string) string {
	byID := map[string]string{}
	for _, plan := range plans {
		byID[plan.ID] = plan.ConfirmationProperty()
	}
	return func(id string) string {
		if property, found := byID[id]; found {
			return property
		}
		return scenario.UsualConfirmation
	}
}

// FilterCounts are the numbers of calls that match a filter, by group of [filterStatuses] and by answer.
type FilterCounts struct {
	Known   bool // false: there are no counters for this filter, such as a search by number
	All     int
	Groups  map[string]int
	Answers map[string]map[string]int
}

// GroupTally groups a tally as lists and charts show calls.
func GroupTally(t call.CallTally) FilterCounts {
	counts := FilterCounts{Known: true, Groups: map[string]int{}, Answers: t.Answers}
	for status, n := range t.Counts {
		counts.All += n
		group := string(status)
		if status.IsRunning() {
			group = calls.RunningCalls
		}
		if status == call.Completed || status == call.Failed {
			counts.Groups[calls.StoppedCalls] += t.ByOperator[status]
			n -= t.ByOperator[status]
		}
		counts.Groups[group] += n
	}
	return counts
}

// PeopleTally returns the counts of a campaign's people; empty ones if they are not counted yet.
func PeopleTally(c campaign.Campaign) campaign.PeopleTally {
	if c.Tally.People == nil {
		return *campaign.NewPeopleTally()
	}
	return *c.Tally.People
}

// OutcomeSeries returns one series of a chart for each outcome, with a bar for each row.
func OutcomeSeries(rows []ReportCount, l locale.Language) (all []component.ChartSeries) {
	for _, state := range outcomeNames() {
		all = append(all, component.ChartSeries{
			State: state, Label: locale.StatusWord(l, state), Values: make([]float64, len(rows)),
		})
	}
	for i, row := range rows {
		counts := OutcomesOf(row.CallTally)
		for _, series := range all {
			series.Values[i] = float64(counts[series.State])
		}
	}
	return all
}
