package kit

import (
	"time"

	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/calls"
)

// OutcomeNames returns the call outcomes as charts group them: all that did not reach the person are one.
func OutcomeNames() []string {
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
	Confirmed int // of Counts, those that answered the scenario's confirmation question with yes
}

// AddTally adds calls, without their answers and hours; confirmation is the report's property that confirms a call when
// true.
func (r *ReportCount) AddTally(t call.CallTally, confirmation string) {
	r.MergeTally(call.CallTally{Counts: t.Counts, ByOperator: t.ByOperator, Uncalled: t.Uncalled})
	r.Confirmed += t.Answers[confirmation]["true"]
}

// CountEnded counts the calls that were dialled and have ended.
func (r ReportCount) CountEnded() int {
	n := -r.Uncalled
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

// CountByHour returns a tally's calls by the hour of the day in which they were dialled. Calls that wait, were
// cancelled, or were counted by a version that did not note it are in the hour that they were booked for.
func CountByHour(t call.CallTally, zone *time.Location) map[int]call.CallTally {
	rest := call.CallTally{}
	rest.MergeTally(call.CallTally{Counts: t.Counts, ByOperator: t.ByOperator, Uncalled: t.Uncalled})
	hours := map[int]call.CallTally{}
	for step := range t.Dialled {
		hour, dialled := time.Unix(step, 0).In(zone).Hour(), t.DialledIn(step)
		sum := hours[hour]
		sum.MergeTally(dialled)
		hours[hour] = sum
		for status, n := range dialled.Counts {
			rest.MergeTally(call.CallTally{Counts: map[call.CallStatus]int{status: -n}})
		}
		for status, n := range dialled.ByOperator {
			rest.MergeTally(call.CallTally{ByOperator: map[call.CallStatus]int{status: -n}})
		}
	}
	if len(rest.Counts) > 0 {
		sum := hours[t.At.In(zone).Hour()]
		sum.MergeTally(rest)
		hours[t.At.In(zone).Hour()] = sum
	}
	return hours
}

// ConfirmationProperty returns the property of a scenario's reports that confirms a call when true; the default for a
// deleted scenario.
func ConfirmationProperty(plans []scenario.Scenario, id string) string {
	if plan, found := FindScenario(plans, id); found {
		return plan.ConfirmationProperty()
	}
	return scenario.UsualConfirmation
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
