package reports

import (
	"cmp"
	"maps"
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

// callReport is a report: the same calls by period, by hour of the day and by scenario.
type callReport struct {
	all       kit.ReportCount
	periods   []kit.ReportCount // one for each of starts
	starts    []time.Time
	hours     [24]kit.ReportCount // by the hour in which they were dialled
	scenarios []scenarioReport
	callers   []callerReport
}

type scenarioReport struct {
	id string
	kit.ReportCount
}

// callerReport are the calls that showed a caller number.
type callerReport struct {
	number string
	counts map[call.CallStatus]int // of [call.CallTally.Callers]
}

// count returns the calls of the number that ended, without cancelled ones, and those that were answered.
func (c callerReport) count() (ended, answered int) {
	for status, n := range c.counts {
		if status != call.Answered && status != call.Cancelled {
			ended += n
		}
	}
	return ended, c.counts[call.Answered]
}

// buildReport adds tallies up to the rows of a report. starts are the beginnings of its periods, in the report's zone.
func buildReport(tallies []call.CallTally, starts []time.Time, plans []scenario.Scenario) callReport {
	r := callReport{periods: make([]kit.ReportCount, len(starts)), starts: starts}
	byScenario := map[string][]kit.ReportCount{} // by period
	var callers call.CallTally
	confirmation := kit.ConfirmationProperties(plans)
	for _, t := range tallies { // there are many thousands: each is added to one row, and the rows to the others
		at := t.At.In(starts[0].Location())
		after, found := slices.BinarySearchFunc(starts, at, time.Time.Compare)
		if !found {
			after--
		}
		if after < 0 {
			continue
		}
		callers.MergeTally(call.CallTally{Callers: t.Callers})
		outbound, inbound := t.SplitInbound()
		if byScenario[t.ScenarioID] == nil {
			byScenario[t.ScenarioID] = make([]kit.ReportCount, len(starts))
		}
		row := &byScenario[t.ScenarioID][after]
		row.AddTally(outbound, confirmation(t.ScenarioID))
		row.AddInbound(inbound, confirmation(t.ScenarioID))
		kit.AddHours(&r.hours, outbound, at.Location())
	}
	for hour := range r.hours {
		delete(r.hours[hour].Counts, call.Scheduled)
	}
	for id, periods := range byScenario {
		one := scenarioReport{id: id}
		for i, count := range periods {
			for _, row := range []*kit.ReportCount{&r.all, &r.periods[i], &one.ReportCount} {
				row.AddCount(count)
			}
		}
		r.scenarios = append(r.scenarios, one)
	}
	slices.SortFunc(r.scenarios, func(a, b scenarioReport) int {
		return cmp.Or(cmp.Compare(b.CountEnded(), a.CountEnded()), cmp.Compare(a.id, b.id))
	})
	for _, number := range slices.Sorted(maps.Keys(callers.Callers)) {
		r.callers = append(r.callers, callerReport{number, callers.Callers[number]})
	}
	return r
}

// minBestHour is the number of ended calls from which an hour is compared with others.
const minBestHour = 10

// bestHour returns the hour of the day with the largest share of reached calls; false if no hour has [minBestHour]
// calls.
func (r callReport) bestHour() (hour int, found bool) {
	for h, count := range r.hours {
		if count.CountEnded() < minBestHour {
			continue
		}
		best := r.hours[hour]
		// a/b > c/d without rounding
		if !found || count.CountReached()*best.CountEnded() > best.CountReached()*count.CountEnded() {
			hour, found = h, true
		}
	}
	return hour, found
}
