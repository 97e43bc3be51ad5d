package console

import (
	"cmp"
	"slices"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store/call"
	"munadi/store/scenario"
)

// reportPeriod is the length of a report's rows.
type reportPeriod string

// The periods. A week begins on Sunday.
const (
	dailyReport   reportPeriod = "day"
	weeklyReport  reportPeriod = "week"
	monthlyReport reportPeriod = "month"
)

// periodStart returns the midnight that begins the period of a time, in the time's zone.
func (p reportPeriod) periodStart(at time.Time) time.Time {
	year, month, day := at.Date()
	switch p {
	case weeklyReport:
		day -= int(at.Weekday())
	case monthlyReport:
		day = 1
	}
	return kit.StartOfDay(year, month, day, at.Location())
}

// addPeriods returns the beginning of the n-th period after start.
func (p reportPeriod) addPeriods(start time.Time, n int) time.Time {
	switch p {
	case weeklyReport:
		return kit.DayAfter(start, 7*n)
	case monthlyReport:
		year, month, day := start.Date()
		return kit.StartOfDay(year, month+time.Month(n), day, start.Location())
	}
	return kit.DayAfter(start, n)
}

// reportCount counts the calls of one row of a report.
type reportCount struct {
	call.CallTally
	confirmed int // of Counts, those that answered the scenario's confirmation question with yes
}

// addTally adds calls; confirmation is the report's property that confirms a call when true.
func (r *reportCount) addTally(t call.CallTally, confirmation string) {
	r.MergeTally(t)
	r.confirmed += t.Answers[confirmation]["true"]
}

// countEnded counts the calls that were dialled and have ended.
func (r reportCount) countEnded() int {
	n := 0
	for status, count := range r.Counts {
		if status.IsFinal() && status != call.Cancelled {
			n += count
		}
	}
	return n
}

func (r reportCount) countReached() int { return r.Counts[call.Completed] }

// reachedPercent returns the percentage of ended calls that reached the person; -1 without ended calls.
func (r reportCount) reachedPercent() int {
	if r.countEnded() == 0 {
		return -1
	}
	return (200*r.countReached() + r.countEnded()) / (2 * r.countEnded())
}

// callReport is a report: the same calls by period, by hour of the day and by scenario.
type callReport struct {
	all       reportCount
	periods   []reportCount // one for each of starts
	starts    []time.Time
	hours     [24]reportCount // by the hour in which they were dialled
	scenarios []scenarioReport
}

type scenarioReport struct {
	id string
	reportCount
}

// buildReport adds tallies up to the rows of a report. starts are the beginnings of its periods, in the report's zone.
func buildReport(tallies []call.CallTally, starts []time.Time, plans []scenario.Scenario) callReport {
	r := callReport{periods: make([]reportCount, len(starts)), starts: starts}
	byScenario := map[string]*reportCount{}
	for _, t := range tallies {
		confirmation := confirmationProperty(plans, t.ScenarioID)
		at := t.At.In(starts[0].Location())
		after, found := slices.BinarySearchFunc(starts, at, time.Time.Compare)
		if !found {
			after--
		}
		if after < 0 {
			continue
		}
		if byScenario[t.ScenarioID] == nil {
			byScenario[t.ScenarioID] = &reportCount{}
		}
		for _, row := range []*reportCount{&r.all, &r.periods[after], byScenario[t.ScenarioID]} {
			row.addTally(t, confirmation)
		}
		for hour, counts := range countByHour(t, at.Location()) {
			if delete(counts.Counts, call.Scheduled); len(counts.Counts) > 0 {
				r.hours[hour].MergeTally(counts)
			}
		}
	}
	for id, count := range byScenario {
		r.scenarios = append(r.scenarios, scenarioReport{id, *count})
	}
	slices.SortFunc(r.scenarios, func(a, b scenarioReport) int {
		return cmp.Or(cmp.Compare(b.countEnded(), a.countEnded()), cmp.Compare(a.id, b.id))
	})
	return r
}

// countByHour returns a tally's calls by the hour of the day in which they were dialled. Calls that wait, were
// cancelled, or were counted by a version that did not note it are in the hour that they were booked for.
func countByHour(t call.CallTally, zone *time.Location) map[int]call.CallTally {
	rest := call.CallTally{}
	rest.MergeTally(call.CallTally{Counts: t.Counts, ByOperator: t.ByOperator})
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

// confirmationProperty returns the property of a scenario's reports that confirms a call when true; the default for a
// deleted scenario.
func confirmationProperty(plans []scenario.Scenario, id string) string {
	if plan, found := findScenario(plans, id); found {
		return plan.ConfirmationProperty()
	}
	return scenario.UsualConfirmation
}

// minBestHour is the number of ended calls from which an hour is compared with others.
const minBestHour = 10

// bestHour returns the hour of the day with the largest share of reached calls; false if no hour has [minBestHour]
// calls.
func (r callReport) bestHour() (hour int, found bool) {
	for h, count := range r.hours {
		if count.countEnded() < minBestHour {
			continue
		}
		best := r.hours[hour]
		// a/b > c/d without rounding
		if !found || count.countReached()*best.countEnded() > best.countReached()*count.countEnded() {
			hour, found = h, true
		}
	}
	return hour, found
}
