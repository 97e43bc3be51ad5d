package reports

import (
	"maps"
	"testing"
	"time"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/memory"
	"munadi/store/storetest/fixture"
)

// countedCalls are the calls of a report, counted one by one.
type countedCalls struct {
	Status  map[string]int // by period and status, and by scenario and status, of calls to people
	Inbound map[string]int // of people who called, that ended, by period and by scenario
	Hours   map[int]int    // calls that do not wait
	Callers map[string]int // that ended
	Yes     map[string]int // answers to the question of confirmation, by direction
}

// TestReportEqualsItsCalls: the figures of a report, which come from counters, are those of the calls themselves, in a
// rich installation, for days, weeks and months in time zones of whole, half and quarter hours.
func TestReportEqualsItsCalls(t *testing.T) {
	t.Parallel()
	st := memory.OpenStore()
	in := fixture.FillStore(t, st)
	s := handlers{&kit.Console{Shared: kit.Shared{Store: st, Now: func() time.Time { return in.Now }}}}
	plans, err := st.ListScenarios(t.Context(), fixture.OrgID)
	if err != nil {
		t.Fatal(err)
	}
	all := listAllCalls(t, st)
	for _, zone := range []string{"Asia/Riyadh", "Asia/Kabul", "Asia/Kathmandu", "America/Los_Angeles"} {
		for _, period := range []reportPeriod{dailyReport, weeklyReport, monthlyReport} {
			at, err := time.LoadLocation(zone)
			if err != nil {
				t.Fatal(err)
			}
			q := reportQuery{period: period, to: kit.DayAfter(dailyReport.periodStart(in.Now.In(at)), 3)}
			q.from = period.addPeriods(period.periodStart(q.to), 1-period.defaultPeriods())
			r, err := s.readReport(t.Context(), fixture.OrgID, q, plans)
			if err != nil {
				t.Fatal(err)
			}
			got, want := countReport(r), countCalls(all, q, r.starts, kit.ConfirmationProperties(plans))
			for what, same := range map[string]bool{
				"statuses": maps.Equal(got.Status, want.Status), "hours": maps.Equal(got.Hours, want.Hours),
				"caller numbers": maps.Equal(got.Callers, want.Callers), "calls that came in": maps.Equal(got.Inbound, want.Inbound),
				"confirmed": got.Yes["outbound"]-want.Yes["outbound"] >= 0 &&
					got.Yes["outbound"]-want.Yes["outbound"] <= want.Yes["gone"],
				"confirmed who called": got.Yes["inbound"] == want.Yes["inbound"],
			} {
				if !same || len(want.Status) < 8 || len(want.Callers) == 0 || len(want.Inbound) == 0 || want.Yes["inbound"] == 0 {
					t.Errorf("%s by %s, %s:\n%v\nthe calls:\n%v", zone, period, what, got, want)
				}
			}
		}
	}
}

// listAllCalls returns every call of the fixture's organization.
func listAllCalls(t *testing.T, st store.Store) (all []call.Call) {
	t.Helper()
	for cursor := ""; ; {
		page, err := st.CallsPage(t.Context(), fixture.OrgID, store.CallFilter{Limit: 100, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page.Items...)
		if cursor = page.Next; cursor == "" {
			return all
		}
	}
}

func newCountedCalls() countedCalls {
	return countedCalls{
		Status: map[string]int{}, Inbound: map[string]int{}, Hours: map[int]int{}, Callers: map[string]int{},
		Yes: map[string]int{},
	}
}

// countReport returns what a report counts.
func countReport(r callReport) countedCalls {
	c := newCountedCalls()
	for i, row := range r.periods {
		for status, n := range row.Counts {
			c.Status[r.starts[i].Format(time.DateOnly)+" "+string(status)] += n
		}
		c.Inbound[r.starts[i].Format(time.DateOnly)] += row.CalledIn
	}
	for _, row := range r.scenarios {
		for status, n := range row.Counts {
			c.Status[row.id+" "+string(status)] += n
		}
		c.Inbound[row.id] += row.CalledIn
	}
	for hour, row := range r.hours {
		for _, n := range row.Counts {
			c.Hours[hour] += n
		}
	}
	maps.DeleteFunc(c.Hours, func(_, n int) bool { return n == 0 })
	maps.DeleteFunc(c.Inbound, func(_ string, n int) bool { return n == 0 })
	for _, row := range r.callers {
		c.Callers[row.number], _ = row.count()
	}
	c.Yes["outbound"], c.Yes["inbound"] = r.all.Confirmed, r.all.CalledInConfirmed
	return c
}

// countCalls returns what a report must count.
func countCalls(all []call.Call, q reportQuery, starts []time.Time, confirmation func(string) string) countedCalls {
	want := newCountedCalls()
	for _, c := range all {
		due := c.ScheduledAt.In(q.to.Location())
		if due.Before(starts[0]) || !due.Before(kit.DayAfter(q.to, 1)) {
			continue
		}
		i := len(starts) - 1
		for starts[i].After(due) {
			i--
		}
		if c.Status == call.Completed && len(c.Report) == 0 { // counters outlive reports
			want.Yes["gone"]++
		}
		if call.ReportAnswers(c.CountedReport())[confirmation(c.ScenarioID)] == "true" {
			want.Yes[string(c.Way())]++
		}
		if c.Way() == call.Inbound && c.Status.IsFinal() {
			want.Inbound[starts[i].Format(time.DateOnly)]++
			want.Inbound[c.ScenarioID]++
			continue
		}
		want.Status[starts[i].Format(time.DateOnly)+" "+string(c.Status)]++
		want.Status[c.ScenarioID+" "+string(c.Status)]++
		if c.ReleasedAt != nil && c.Status != call.Scheduled {
			due = c.ReleasedAt.In(due.Location())
		}
		if c.Status != call.Scheduled {
			want.Hours[due.Hour()]++
		}
		if c.ShownNumber != "" && c.Status.IsFinal() && c.Status != call.Cancelled {
			want.Callers[c.ShownNumber]++
		}
	}
	return want
}
