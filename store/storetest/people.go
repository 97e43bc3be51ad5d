package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/campaign"
)

// peopleAtRandom is a model-based (property) test of the counters of a campaign's people: after each random operation
// they equal a count of all its calls by person, and each count is a filter that lists exactly that many.
func peopleAtRandom(t *testing.T, s store.Store) {
	var runs atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		m := &peopleModel{callsModel: callsModel{s: s, ctx: t.Context(), orgID: fmt.Sprint("people-", runs.Add(1)), now: startTime()}}
		m.mustSucceed(rt, s.CreateOrganization(m.ctx, account.Organization{ID: m.orgID}, asked))
		m.addCampaign(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"end":       m.endCall,
			"end 2":     m.endCall,
			"release":   m.beginCall,
			"call in":   m.receiveCall,
			"call back": m.callBack,
			"cancel":    m.endScheduled,
			"correct":   m.correctCall,
			"erase":     m.erasePerson,
			"expire":    m.expireWords,
			"retry":     m.retryUnreached,
			"close":     m.cancelRest,
			"":          m.checkPeople,
		})
	})
}

// peopleModel holds the calls of each person of a campaign.
type peopleModel struct {
	callsModel
	id     string
	person [][]string // ids of the calls to each person, oldest first
	open   bool
}

func (m *peopleModel) addCampaign(rt *rapid.T) {
	n, attempts := rapid.IntRange(1, 5).Draw(rt, "people"), rapid.IntRange(1, 3).Draw(rt, "attempts")
	c, all := newCampaign(m.orgID, n, attempts)
	for i := range all {
		if m.person = append(m.person, []string{all[i].ID}); rapid.Bool().Draw(rt, "any outcome") {
			all[i].Attempt.Plan.On = call.AllStatuses() // people who were reached are called again, too
		}
	}
	if n > 1 && rapid.Bool().Draw(rt, "one number") {
		all[1].PhoneNumber, all[1].Variables = all[0].PhoneNumber, map[string]any{"name": "child"}
	}
	_, err := m.s.CreateCampaign(m.ctx, c, all, asked, nil)
	m.mustSucceed(rt, err)
	m.id, m.open = c.ID, true
}

// drawOf draws one of the campaign's calls for which fits is true.
func (m *peopleModel) drawOf(rt *rapid.T, fits func(call.Call) bool) call.Call {
	m.now = m.now.Add(time.Duration(rapid.IntRange(1, 30).Draw(rt, "minutes")) * time.Minute)
	var some []call.Call
	for _, ids := range m.person {
		for _, id := range ids {
			if c := m.findCall(rt, id); fits(c) {
				some = append(some, c)
			}
		}
	}
	if len(some) == 0 {
		rt.Skip("no such call")
	}
	return some[rapid.IntRange(0, len(some)-1).Draw(rt, "call")]
}

func (m *peopleModel) findCall(rt *rapid.T, id string) call.Call {
	c, err := m.s.FindCall(m.ctx, m.orgID, id)
	m.mustSucceed(rt, err)
	return c
}

// followBooking records the call that was booked after another one.
func (m *peopleModel) followBooking(before, next string) {
	for i, ids := range m.person {
		if slices.Contains(ids, before) && !slices.Contains(ids, next) {
			m.person[i] = append(ids, next)
		}
	}
}

func isWaiting(c call.Call) bool { return c.Status == call.Scheduled }

func (m *peopleModel) beginCall(rt *rapid.T) {
	c := m.drawOf(rt, isWaiting)
	_, err := m.s.ReleaseCall(m.ctx, m.orgID, c.ID, m.now)
	m.mustSucceed(rt, err)
}

// receiveCall receives a call of a person who was called.
func (m *peopleModel) receiveCall(rt *rapid.T) {
	c := m.drawOf(rt, func(c call.Call) bool { return c.ReleasedAt != nil && c.PhoneNumber != "" && !c.IsCallBack() })
	last, err := m.s.FindLastDial(m.ctx, m.orgID, c.PhoneNumber, time.Time{})
	m.mustSucceed(rt, err)
	how := store.Reception{Closed: rapid.IntRange(0, 4).Draw(rt, "closed") == 0}
	received, err := m.s.ReceiveCall(m.ctx, newInboundCall(m.orgID, c.PhoneNumber, &last, m.now), how, m.now)
	m.mustSucceed(rt, err)
	if received.CampaignID != "" {
		m.followBooking(last.ID, received.ID)
	}
}

// callBack lets staff talk with the person of a call, none of whose calls are on the line.
func (m *peopleModel) callBack(rt *rapid.T) {
	of := m.drawOf(rt, func(c call.Call) bool { return c.PhoneNumber != "" })
	i := slices.IndexFunc(m.person, func(ids []string) bool { return slices.Contains(ids, of.ID) })
	for _, id := range m.person[i] {
		if m.findCall(rt, id).Status.IsRunning() {
			rt.Skip("the person is on the line")
		}
	}
	back := newCallBack(of)
	back.CreatedAt, back.ScheduledAt, back.PhoneNumber = m.now, m.now, of.PhoneNumber
	_, err := m.s.BookCall(m.ctx, back, asked, nil)
	m.mustSucceed(rt, err)
	_, err = m.s.ReleaseCall(m.ctx, m.orgID, back.ID, m.now)
	m.mustSucceed(rt, err)
	_, err = m.s.DialPerson(m.ctx, m.orgID, back.ID, m.now)
	m.mustSucceed(rt, err)
	o := newOutcome(call.NoAnswer)
	if rapid.Bool().Draw(rt, "reached") {
		_, err = m.s.AnswerCall(m.ctx, m.orgID, back.ID, soundFile, m.now)
		m.mustSucceed(rt, err)
		o, m.person[i] = newOutcome(call.Completed), append(m.person[i], back.ID)
		o.Report = nil
	}
	_, err = m.s.FinishCall(m.ctx, m.orgID, back.ID, o, nil, m.now)
	m.mustSucceed(rt, err)
}

// endCall ends a call with an outcome and a report.
func (m *peopleModel) endCall(rt *rapid.T) {
	c := m.drawOf(rt, func(c call.Call) bool { return !c.Status.IsFinal() })
	if c.Status == call.Scheduled {
		_, err := m.s.ReleaseCall(m.ctx, m.orgID, c.ID, m.now)
		m.mustSucceed(rt, err)
	}
	o := newOutcome(rapid.SampledFrom([]call.CallStatus{
		call.Completed, call.NoAnswer, call.UserRejected, call.UserUnavailable, call.Automation, call.Failed,
	}).Draw(rt, "status"))
	if o.Status == call.UserRejected && rapid.Bool().Draw(rt, "declined") {
		o.Failure.Reason = call.Declined
	}
	if o.Report = nil; o.Status == call.Completed {
		o.Report = json.RawMessage(rapid.SampledFrom([]string{`{"ok":true}`, `{"ok":false,"note":null}`, `{"size":"large"}`}).Draw(rt, "report"))
		_, err := m.s.AnswerCall(m.ctx, m.orgID, c.ID, soundFile, m.now)
		m.mustSucceed(rt, err)
	}
	ended, err := m.s.FinishCall(m.ctx, m.orgID, c.ID, o, nil, m.now)
	m.mustSucceed(rt, err)
	if next := ended.Attempt.NextID; next != nil {
		m.followBooking(c.ID, *next)
	}
}

func (m *peopleModel) endScheduled(rt *rapid.T) {
	_, err := m.s.CancelCall(m.ctx, m.orgID, m.drawOf(rt, isWaiting).ID, asked, m.now)
	m.mustSucceed(rt, err)
}

func (m *peopleModel) correctCall(rt *rapid.T) {
	c := m.drawOf(rt, func(c call.Call) bool { return c.Status == call.Completed && c.ErasedAt == nil && len(c.Report) > 0 })
	value := rapid.SampledFrom([]string{"true", "false", `"later"`}).Draw(rt, "value")
	_, err := m.s.AmendCall(m.ctx, m.orgID, c.ID, correctAnswer("ok", value), asked, m.now)
	m.mustSucceed(rt, err)
}

func (m *peopleModel) erasePerson(rt *rapid.T) {
	c := m.drawOf(rt, func(c call.Call) bool { return c.PhoneNumber != "" })
	_, err := m.s.ErasePerson(m.ctx, m.orgID, c.PhoneNumber, asked, m.now)
	m.mustSucceed(rt, err)
}

func (m *peopleModel) expireWords(rt *rapid.T) {
	_, err := m.s.ExpireWords(m.ctx, m.orgID, m.now.Add(-time.Hour), rapid.IntRange(1, 3).Draw(rt, "limit"))
	m.mustSucceed(rt, err)
}

// retryUnreached books calls for everyone who was not reached, and tries to book calls for all others.
func (m *peopleModel) retryUnreached(rt *rapid.T) {
	if !m.open {
		rt.Skip("the campaign is cancelled")
	}
	again := map[string]call.Call{}
	followed := map[string]string{}
	for i, ids := range m.person {
		c := m.findCall(rt, ids[len(ids)-1])
		next := newRetriedCall(m.orgID, time.Hour+time.Duration(i), 2)
		next.CampaignID, next.PhoneNumber, next.CreatedAt = m.id, c.PhoneNumber, m.now.Add(time.Duration(i))
		next.ScheduledAt, next.Variables, next.Metadata = m.now, c.Variables, c.Metadata
		if c.PhoneNumber != "" {
			again[c.ID] = next
		}
		if decider := m.decidingCall(rt, ids); decider.ID == c.ID && campaign.IsUnreached(c) && c.ErasedAt == nil {
			followed[c.ID] = next.ID
		}
	}
	_, err := m.s.RetryCampaign(m.ctx, m.orgID, m.id, again, asked, m.now)
	m.mustSucceed(rt, err)
	for before, next := range followed {
		m.followBooking(before, next)
	}
}

func (m *peopleModel) cancelRest(rt *rapid.T) {
	if rapid.IntRange(0, 9).Draw(rt, "seldom") > 0 {
		rt.Skip("not now")
	}
	_, err := m.s.ChangeCampaign(m.ctx, m.orgID, m.id, store.CancelCampaign, asked, m.now)
	if store.CodeOf(err) != store.CodeConflict {
		m.mustSucceed(rt, err)
		m.open = false
	}
}

// decidingCall returns the deciding call of a person: the last that reached them, else the last. A call-back decides
// for nobody who has completed a call of the campaign before.
func (m *peopleModel) decidingCall(rt *rapid.T, ids []string) (decider call.Call) {
	reached := false
	for _, id := range ids {
		c := m.findCall(rt, id)
		switch now := campaign.HasReached(c); {
		case reached && (!now || c.IsCallBack() && decider.Status == call.Completed):
		default:
			decider, reached = c, now
		}
	}
	return decider
}

// checkPeople compares the counters with the calls, and each list with its count.
func (m *peopleModel) checkPeople(rt *rapid.T) {
	found, err := m.s.FindCampaign(m.ctx, m.orgID, m.id)
	m.mustSucceed(rt, err)
	wanted, calls := campaign.NewPeopleTally(), 0
	for _, ids := range m.person {
		wanted.CountPerson(m.decidingCall(rt, ids), 1)
		calls += len(ids)
	}
	got := found.Tally.People
	if got == nil || fmt.Sprint(*got) != fmt.Sprint(*wanted) || got.Total() != len(m.person) {
		rt.Fatalf("the people are counted as\n%+v\nwant\n%+v", got, wanted)
	}
	all := 0
	for _, n := range found.Tally.Counts {
		all += n
	}
	if all != calls {
		rt.Fatalf("%d calls are counted, want %d", all, calls)
	}
	m.checkLists(rt, *got)
}
