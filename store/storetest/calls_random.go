package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/delivery"
)

// callsAtRandom is a model-based (property) test: random operations on a store and on an in-memory model, comparing all
// queries: calls, lists, counts, due calls, running calls, outbox.
func callsAtRandom(t *testing.T, s store.Store) {
	var runs atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		m := &callsModel{s: s, ctx: t.Context(), orgID: fmt.Sprint("random-", runs.Add(1)), now: startTime()}
		m.calls = map[string]call.Call{}
		m.mustSucceed(rt, s.CreateOrganization(m.ctx, account.Organization{ID: m.orgID}, asked))
		hook := delivery.WebhookSetting{URL: "https://example.com", Enabled: rapid.Bool().Draw(rt, "webhook")}
		m.hooked = hook.Enabled
		m.mustSucceed(rt, ReplaceWebhook(m.ctx, s, m.orgID, hook, asked, m.now))
		rt.Repeat(map[string]func(*rapid.T){
			"book":       m.bookCall,
			"reschedule": m.rescheduleCall,
			"cancel":     m.cancelCall,
			"release":    m.releaseCall,
			"at once":    m.releaseAtOnce,
			"return":     m.giveBack,
			"answer":     m.answerCall,
			"finish":     m.finishCall,
			"stop":       m.stopCall,
			"":           m.checkStore,
		})
	})
}

// callsModel is the expected state of one organization's calls.
type callsModel struct {
	s      store.Store
	ctx    context.Context
	orgID  string
	now    time.Time
	calls  map[string]call.Call
	hooked bool
	owed   []string // calls with a delivery, oldest first
}

func (m *callsModel) mustSucceed(rt *rapid.T, err error) {
	if err != nil {
		rt.Fatal(err)
	}
}

// drawCall draws one of the calls, in any status, and advances the clock.
func (m *callsModel) drawCall(rt *rapid.T) call.Call {
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
		return compareText(a, b)
	})
	return m.calls[ids[rapid.IntRange(0, len(ids)-1).Draw(rt, "call")]]
}

// recordStep records the result of a step by the rules of package call, and fails unless the store has the same.
func (m *callsModel) recordStep(rt *rapid.T, want call.Call, refused, err error) bool {
	if (refused != nil) != (store.CodeOf(err) == store.CodeConflict) || refused == nil && err != nil {
		rt.Fatalf("the rules say %v, the store %v", refused, err)
	}
	if refused == nil {
		m.calls[want.ID] = want
	}
	return refused == nil
}

func (m *callsModel) bookCall(rt *rapid.T) {
	attempts := rapid.IntRange(1, 3).Draw(rt, "attempts")
	c := newRetriedCall(m.orgID, 0, attempts)
	c.CreatedAt, c.ScheduledAt = m.now, m.now.Add(time.Duration(rapid.IntRange(0, 90).Draw(rt, "ahead"))*time.Minute)
	c.ScenarioID = rapid.SampledFrom([]string{"order", "visit"}).Draw(rt, "scenario")
	_, err := m.s.BookCall(m.ctx, c, asked, nil)
	m.mustSucceed(rt, err)
	m.calls[c.ID] = c
}

func (m *callsModel) rescheduleCall(rt *rapid.T) {
	c := m.drawCall(rt)
	at := m.now.Add(time.Hour)
	want, refused := c.RescheduleTo(at, call.Rescheduled)
	_, err := m.s.RescheduleCall(m.ctx, m.orgID, c.ID, at, call.Rescheduled, asked, m.now)
	if m.recordStep(rt, want, refused, err) {
		m.plannedRetry(c, &at)
	}
}

func (m *callsModel) cancelCall(rt *rapid.T) {
	c := m.drawCall(rt)
	want, refused := c.CancelAt(m.now)
	_, err := m.s.CancelCall(m.ctx, m.orgID, c.ID, asked, m.now)
	if m.recordStep(rt, want, refused, err) {
		m.plannedRetry(c, nil)
	}
}

// plannedRetry sets the planned retry time in the record of the attempt before c.
func (m *callsModel) plannedRetry(c call.Call, at *time.Time) {
	if c.Attempt.PreviousID != nil {
		before := m.calls[*c.Attempt.PreviousID]
		before.Attempt.NextRetryAt = at
		m.calls[before.ID] = before
	}
}

func (m *callsModel) releaseCall(rt *rapid.T) {
	c := m.drawCall(rt)
	want, refused := c.ReleaseToLine(m.now)
	_, err := m.s.ReleaseCall(m.ctx, m.orgID, c.ID, m.now)
	m.recordStep(rt, want, refused, err)
}

// releaseAtOnce releases some calls concurrently, some of them twice: each that may be released is released once.
func (m *callsModel) releaseAtOnce(rt *rapid.T) {
	errs := map[string][]error{} // by id
	var picked []string
	for range rapid.IntRange(2, 8).Draw(rt, "claims") {
		picked = append(picked, m.drawCall(rt).ID)
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, id := range picked {
		all.Go(func() {
			_, err := m.s.ReleaseCall(m.ctx, m.orgID, id, m.now)
			mu.Lock()
			defer mu.Unlock()
			errs[id] = append(errs[id], err)
		})
	}
	all.Wait()
	for id, got := range errs {
		want, refused := m.calls[id].ReleaseToLine(m.now)
		slices.SortFunc(got, func(a, b error) int { return compareText(string(store.CodeOf(a)), string(store.CodeOf(b))) })
		for i, err := range got {
			if i == 0 {
				m.recordStep(rt, want, refused, err)
			} else if store.CodeOf(err) != store.CodeConflict {
				rt.Fatalf("claim %d of a call: %v", i+1, err)
			}
		}
	}
}

func (m *callsModel) giveBack(rt *rapid.T) {
	c := m.drawCall(rt)
	at := m.now.Add(time.Minute)
	want, refused := c.ReturnToSchedule(at)
	_, err := m.s.ReturnCall(m.ctx, m.orgID, c.ID, at, "", m.now)
	m.recordStep(rt, want, refused, err)
}

func (m *callsModel) answerCall(rt *rapid.T) {
	c := m.drawCall(rt)
	want, refused := c.MarkAnswered(m.now)
	want.Recording = soundFile
	_, err := m.s.AnswerCall(m.ctx, m.orgID, c.ID, soundFile, m.now)
	m.recordStep(rt, want, refused, err)
}

func (m *callsModel) finishCall(rt *rapid.T) {
	c := m.drawCall(rt)
	o := newOutcome(rapid.SampledFrom(call.AllStatuses()).Draw(rt, "status"))
	o.ShownNumber = rapid.SampledFrom([]string{"", "+966112000001", "+966112000002"}).Draw(rt, "caller number")
	want, refused := c.EndWith(o, m.now)
	got, err := m.s.FinishCall(m.ctx, m.orgID, c.ID, o, nil, m.now)
	m.recordEnd(rt, want, refused, got, err)
}

func (m *callsModel) stopCall(rt *rapid.T) {
	c := m.drawCall(rt)
	want, refused := c.StopAtRelease(call.AttemptLimit, m.now)
	got, err := m.s.StopCall(m.ctx, m.orgID, c.ID, call.AttemptLimit, m.now)
	m.recordEnd(rt, want, refused, got, err)
}

// recordEnd records an end with its retry and delivery; the retry's id is chosen by the store.
func (m *callsModel) recordEnd(rt *rapid.T, want call.Call, refused error, got call.Call, err error) {
	if refused == nil {
		var next call.Call
		var due bool
		if want, next, due = want.NextAttempt(m.now); due {
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
	m.recordStep(rt, want, refused, err)
}
