package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/org"
)

// callsAtRandom does to a store what a plain model in memory does too, in random order, and compares all that can be
// asked: calls, lists, counts, what is due, what runs, what is owed.
func callsAtRandom(t *testing.T, s store.Store) {
	var runs atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{s: s, ctx: t.Context(), orgID: fmt.Sprint("random-", runs.Add(1)), now: clock()}
		m.calls = map[string]call.Call{}
		m.must(rt, s.CreateOrganization(m.ctx, org.Organization{ID: m.orgID}))
		hook := delivery.Webhook{URL: "https://example.com", Enabled: rapid.Bool().Draw(rt, "webhook")}
		m.hooked = hook.Enabled
		m.must(rt, s.PutWebhook(m.ctx, m.orgID, hook, asked, m.now))
		rt.Repeat(map[string]func(*rapid.T){
			"book":       m.book,
			"reschedule": m.reschedule,
			"cancel":     m.cancel,
			"release":    m.release,
			"return":     m.giveBack,
			"answer":     m.answer,
			"finish":     m.finish,
			"stop":       m.stop,
			"":           m.check,
		})
	})
}

// model is what one organization's calls should be.
type model struct {
	s      store.Store
	ctx    context.Context
	orgID  string
	now    time.Time
	calls  map[string]call.Call
	hooked bool
	owed   []string // calls with a delivery, oldest first
}

func (m *model) must(rt *rapid.T, err error) {
	if err != nil {
		rt.Fatal(err)
	}
}

// any draws one of the calls, in whatever status, and moves the clock on.
func (m *model) any(rt *rapid.T) call.Call {
	if len(m.calls) == 0 {
		rt.Skip("no call yet")
	}
	m.now = m.now.Add(time.Duration(rapid.IntRange(0, 30).Draw(rt, "minutes")) * time.Minute)
	ids := make([]string, 0, len(m.calls))
	for id := range m.calls {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		if order := m.calls[a].CreatedAt.Compare(m.calls[b].CreatedAt); order != 0 {
			return order
		}
		return compare(a, b)
	})
	return m.calls[ids[rapid.IntRange(0, len(ids)-1).Draw(rt, "call")]]
}

// did records what the rules of package call make of a step, and fails unless the store did the same.
func (m *model) did(rt *rapid.T, want call.Call, refused, err error) bool {
	if (refused != nil) != (store.CodeOf(err) == store.CodeConflict) || refused == nil && err != nil {
		rt.Fatalf("the rules say %v, the store %v", refused, err)
	}
	if refused == nil {
		m.calls[want.ID] = want
	}
	return refused == nil
}

func (m *model) book(rt *rapid.T) {
	attempts := rapid.IntRange(1, 3).Draw(rt, "attempts")
	c := retried(m.orgID, 0, attempts)
	c.CreatedAt, c.ScheduledAt = m.now, m.now.Add(time.Duration(rapid.IntRange(0, 90).Draw(rt, "ahead"))*time.Minute)
	c.ScenarioID = rapid.SampledFrom([]string{"order", "visit"}).Draw(rt, "scenario")
	_, err := m.s.Book(m.ctx, c, asked, nil)
	m.must(rt, err)
	m.calls[c.ID] = c
}

func (m *model) reschedule(rt *rapid.T) {
	c := m.any(rt)
	at := m.now.Add(time.Hour)
	want, refused := c.Move(at, call.Rescheduled)
	_, err := m.s.RescheduleCall(m.ctx, m.orgID, c.ID, at, call.Rescheduled, asked, m.now)
	if m.did(rt, want, refused, err) {
		m.plan(c, &at)
	}
}

func (m *model) cancel(rt *rapid.T) {
	c := m.any(rt)
	want, refused := c.Cancel(m.now)
	_, err := m.s.CancelCall(m.ctx, m.orgID, c.ID, asked, m.now)
	if m.did(rt, want, refused, err) {
		m.plan(c, nil)
	}
}

// plan is what the attempt before c tells of.
func (m *model) plan(c call.Call, at *time.Time) {
	if c.Attempt.PreviousID != nil {
		before := m.calls[*c.Attempt.PreviousID]
		before.Attempt.NextRetryAt = at
		m.calls[before.ID] = before
	}
}

func (m *model) release(rt *rapid.T) {
	c := m.any(rt)
	want, refused := c.Release(m.now)
	_, err := m.s.ReleaseCall(m.ctx, m.orgID, c.ID, m.now)
	m.did(rt, want, refused, err)
}

func (m *model) giveBack(rt *rapid.T) {
	c := m.any(rt)
	at := m.now.Add(time.Minute)
	want, refused := c.Return(at)
	_, err := m.s.ReturnCall(m.ctx, m.orgID, c.ID, at, "", m.now)
	m.did(rt, want, refused, err)
}

func (m *model) answer(rt *rapid.T) {
	c := m.any(rt)
	want, refused := c.Answered(m.now)
	want.Recording = soundFile
	_, err := m.s.AnswerCall(m.ctx, m.orgID, c.ID, soundFile, m.now)
	m.did(rt, want, refused, err)
}

func (m *model) finish(rt *rapid.T) {
	c := m.any(rt)
	o := outcome(rapid.SampledFrom(call.Statuses()).Draw(rt, "status"))
	want, refused := c.End(o, m.now)
	got, err := m.s.FinishCall(m.ctx, m.orgID, c.ID, o, nil, m.now)
	m.ended(rt, want, refused, got, err)
}

func (m *model) stop(rt *rapid.T) {
	c := m.any(rt)
	want, refused := c.Stop(call.AttemptLimit, m.now)
	got, err := m.s.StopCall(m.ctx, m.orgID, c.ID, call.AttemptLimit, m.now)
	m.ended(rt, want, refused, got, err)
}

// ended records an end and what follows from it; the retry's id is the store's choice.
func (m *model) ended(rt *rapid.T, want call.Call, refused error, got call.Call, err error) {
	if refused == nil {
		var next call.Call
		var due bool
		if want, next, due = want.Retry(m.now); due {
			if got.Attempt.NextID == nil {
				rt.Fatal("no retry was booked")
			}
			next.ID = *got.Attempt.NextID
			want.Attempt.NextID = got.Attempt.NextID
			m.calls[next.ID] = next
		}
		if want.Notify = m.hooked; want.Notify {
			m.owed = append(m.owed, want.ID)
		}
	}
	m.did(rt, want, refused, err)
}

// check compares everything.
func (m *model) check(rt *rapid.T) {
	byStatus, counts := map[call.Status]int{}, map[call.Status]int{}
	var due []call.Call
	running := 0
	for id, want := range m.calls {
		got, err := m.s.Call(m.ctx, m.orgID, id)
		m.must(rt, err)
		if told(got) != told(want) {
			rt.Fatalf("call %s is\n%s\nwant\n%s", id, told(got), told(want))
		}
		if byStatus[want.Status]++; want.Status.Running() {
			running++
		}
		if want.Status == call.Scheduled && !want.ScheduledAt.After(m.now) {
			due = append(due, want)
		}
	}
	for _, status := range call.Statuses() {
		page, err := m.s.CallsPage(m.ctx, m.orgID, store.CallFilter{Status: status, Limit: 200})
		m.must(rt, err)
		if counts[status] = len(page.Items); counts[status] != byStatus[status] {
			rt.Fatalf("%d calls are listed as %s, want %d", counts[status], status, byStatus[status])
		}
	}
	counted, err := m.s.CountCalls(m.ctx, m.orgID, clock().Add(-time.Hour), m.now.Add(time.Hour))
	m.must(rt, err)
	if fmt.Sprint(counted) != fmt.Sprint(byStatus) {
		rt.Fatalf("counted %v, want %v", counted, byStatus)
	}
	m.checkDue(rt, due)
	all, err := m.s.RunningCalls(m.ctx)
	m.must(rt, err)
	if n := len(slices.DeleteFunc(all, func(c call.Call) bool { return c.OrgID != m.orgID })); n != running {
		rt.Fatalf("%d calls run, want %d", n, running)
	}
	m.checkOwed(rt)
}

// checkDue compares what is due, in order.
func (m *model) checkDue(rt *rapid.T, want []call.Call) {
	slices.SortFunc(want, func(a, b call.Call) int {
		if order := a.ScheduledAt.Compare(b.ScheduledAt); order != 0 {
			return order
		}
		if order := a.CreatedAt.Compare(b.CreatedAt); order != 0 {
			return order
		}
		return compare(a.ID, b.ID)
	})
	mine := func(orgID string) int {
		if orgID == m.orgID {
			return 1000
		}
		return 0
	}
	got, _, err := m.s.DueCallsOf(m.ctx, mine, m.now, 1000)
	m.must(rt, err)
	same := slices.EqualFunc(got, want, func(a, b call.Call) bool { return a.ID == b.ID })
	if !same {
		rt.Fatalf("%d calls are due, want %d, or in another order", len(got), len(want))
	}
}

// checkOwed compares the outbox, newest first.
func (m *model) checkOwed(rt *rapid.T) {
	page, err := m.s.Deliveries(m.ctx, m.orgID, "", 200, "")
	m.must(rt, err)
	var got []string
	for _, d := range page.Items {
		got = append(got, d.CallID)
	}
	want := slices.Clone(m.owed)
	slices.Reverse(want)
	if !slices.Equal(got, want) {
		rt.Fatalf("owed are %v, want %v", got, want)
	}
}

// told is what matters of a call, as text.
func told(c call.Call) string {
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
