package storetest

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"munadi/store"
	"munadi/store/call"
)

// checkStore compares all queries of the store with the model.
func (m *callsModel) checkStore(rt *rapid.T) {
	byStatus, counts := map[call.CallStatus]int{}, map[call.CallStatus]int{}
	var due []call.Call
	running := 0
	for id, want := range m.calls {
		got, err := m.s.FindCall(m.ctx, m.orgID, id)
		m.mustSucceed(rt, err)
		if describeCall(got) != describeCall(want) {
			rt.Fatalf("call %s is\n%s\nwant\n%s", id, describeCall(got), describeCall(want))
		}
		if byStatus[want.Status]++; want.Status.IsRunning() {
			running++
		}
		if want.Status == call.Scheduled && !want.ScheduledAt.After(m.now) {
			due = append(due, want)
		}
	}
	for _, status := range call.AllStatuses() {
		page, err := m.s.CallsPage(m.ctx, m.orgID, store.CallFilter{Statuses: []call.CallStatus{status}, Limit: 200})
		m.mustSucceed(rt, err)
		if counts[status] = len(page.Items); counts[status] != byStatus[status] {
			rt.Fatalf("%d calls are listed as %s, want %d", counts[status], status, byStatus[status])
		}
	}
	m.checkTallies(rt)
	m.checkDue(rt, due)
	m.checkOutbox(rt)
}

// checkTallies compares the counters by dial time and scenario, and those of all time.
func (m *callsModel) checkTallies(rt *rapid.T) {
	want, got := map[string]int{}, map[string]int{}
	for _, c := range m.calls {
		for _, at := range []time.Time{c.ScheduledAt.Truncate(call.TallyStep), {}} {
			want[fmt.Sprint(at.UTC(), c.ScenarioID, c.Status)]++
			if c.EndedBy == call.ByOperator {
				want[fmt.Sprint(at.UTC(), c.ScenarioID, c.Status, " by operator")]++
			}
			shown, ends := call.CallerStatuses(c)
			for _, status := range ends {
				if !at.IsZero() {
					want[fmt.Sprint(at.UTC(), c.ScenarioID, status, " showed ", shown)]++
				}
			}
			for _, status := range call.InboundStatuses(c) {
				if !at.IsZero() {
					want[fmt.Sprint(at.UTC(), c.ScenarioID, status, " came in")]++
				}
			}
			step, statuses := call.DialledStep(c)
			for _, status := range statuses {
				if !at.IsZero() {
					want[fmt.Sprint(at.UTC(), c.ScenarioID, status, " dialled ", step)]++
				}
			}
		}
	}
	for _, to := range []time.Time{{}, m.now.Add(1000 * time.Hour).Truncate(call.TallyStep)} {
		tallies, err := m.s.TallyCalls(m.ctx, m.orgID, time.Time{}, to)
		m.mustSucceed(rt, err)
		for _, t := range tallies {
			for status, n := range t.Counts {
				got[fmt.Sprint(t.At.UTC(), t.ScenarioID, status)] += n
			}
			for status, n := range t.ByOperator {
				got[fmt.Sprint(t.At.UTC(), t.ScenarioID, status, " by operator")] += n
			}
			for status, n := range t.Inbound {
				got[fmt.Sprint(t.At.UTC(), t.ScenarioID, status, " came in")] += n
			}
			for number, counts := range t.Callers {
				for status, n := range counts {
					got[fmt.Sprint(t.At.UTC(), t.ScenarioID, status, " showed ", number)] += n
				}
			}
			for step, counts := range t.Dialled {
				for status, n := range counts {
					got[fmt.Sprint(t.At.UTC(), t.ScenarioID, status, " dialled ", step)] += n
				}
			}
		}
	}
	if !maps.Equal(got, want) {
		rt.Fatalf("the counters are\n%v\nwant\n%v", got, want)
	}
}

// checkDue compares the due calls, in order.
func (m *callsModel) checkDue(rt *rapid.T, want []call.Call) {
	slices.SortFunc(want, func(a, b call.Call) int {
		if order := a.ScheduledAt.Compare(b.ScheduledAt); order != 0 {
			return order
		}
		if order := a.CreatedAt.Compare(b.CreatedAt); order != 0 {
			return order
		}
		return compareText(a.ID, b.ID)
	})
	mine := func(orgID string) int {
		if orgID == m.orgID {
			return 1000
		}
		return 0
	}
	got, _, err := m.s.DueCallsOf(m.ctx, mine, m.now, 1000)
	m.mustSucceed(rt, err)
	same := slices.EqualFunc(got, want, func(a, b call.Call) bool { return a.ID == b.ID })
	if !same {
		rt.Fatalf("%d calls are due, want %d, or in another order", len(got), len(want))
	}
}

// checkOutbox compares the outbox, newest first.
func (m *callsModel) checkOutbox(rt *rapid.T) {
	page, err := m.s.ListDeliveries(m.ctx, m.orgID, "", 200, "")
	m.mustSucceed(rt, err)
	var got []string
	for _, d := range page.Items {
		got = append(got, d.CallID)
	}
	want := slices.Clone(m.owed)
	slices.Reverse(want)
	if !slices.Equal(got, want) {
		rt.Fatalf("pending deliveries are %v, want %v", got, want)
	}
}

// describeCall returns the compared fields of a call, as text.
func describeCall(c call.Call) string {
	at := func(t *time.Time) string {
		if t == nil {
			return "-"
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
	link := func(id *string) string {
		if id == nil {
			return "-"
		}
		return *id
	}
	a := c.Attempt
	return fmt.Sprint(c.Status, c.Booking, c.PhoneNumber, c.ScenarioID, at(&c.CreatedAt), at(&c.ScheduledAt),
		at(c.ReleasedAt), at(c.StartedAt), at(c.EndedAt), call.ReasonOf(c.Failure), len(c.Messages), c.Recording, c.Notify, a.Number, a.Max,
		link(a.PreviousID), link(a.NextID), at(a.NextRetryAt))
}
