package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
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
			"end":     m.endCall,
			"end 2":   m.endCall,
			"release": m.beginCall,
			"cancel":  m.endScheduled,
			"correct": m.correctCall,
			"erase":   m.erasePerson,
			"expire":  m.expireWords,
			"retry":   m.retryUnreached,
			"close":   m.cancelRest,
			"":        m.checkPeople,
		})
	})
}

// peopleModel knows which calls were made for each person of a campaign.
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
			all[i].Attempt.Plan.On = call.AllStatuses() // also those who were reached are called again
		}
	}
	_, err := m.s.CreateCampaign(m.ctx, c, all, asked, nil)
	m.mustSucceed(rt, err)
	m.id, m.open = c.ID, true
}

// drawOf draws one of the campaign's calls that fits.
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

// retryUnreached books everybody again who was not reached, and tries to do so for all others.
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
		next.ScheduledAt = m.now
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

// decidingCall returns the call that decides for a person: the last that reached them, else the last.
func (m *peopleModel) decidingCall(rt *rapid.T, ids []string) (c call.Call) {
	for _, id := range slices.Backward(ids) {
		if c = m.findCall(rt, id); campaign.HasReached(c) {
			return c
		}
	}
	return m.findCall(rt, ids[len(ids)-1])
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

// checkLists compares the lists of people with their counts.
func (m *peopleModel) checkLists(rt *rapid.T, counts campaign.PeopleTally) {
	list := func(f store.CallFilter, want int) {
		f.CampaignID, f.Limit = m.id, 200
		page, err := m.s.CallsPage(m.ctx, m.orgID, f)
		m.mustSucceed(rt, err)
		n, err := m.s.CountCalls(m.ctx, m.orgID, f, 200)
		m.mustSucceed(rt, err)
		if len(page.Items) != want || n != want {
			rt.Fatalf("%+v lists %d people and counts %d, want %d", f, len(page.Items), n, want)
		}
	}
	for _, sort := range []store.CallSort{store.SortByCreation, store.SortByDueTime} {
		list(store.CallFilter{Sort: sort, People: store.AllPeople}, counts.Total())
		list(store.CallFilter{Sort: sort, People: store.UnreachedPeople}, counts.Unreached)
		list(store.CallFilter{Sort: sort, People: store.OtherPeople}, counts.Total()-counts.Unreached)
		for _, status := range call.AllStatuses() {
			list(store.CallFilter{Sort: sort, People: store.AllPeople, Statuses: []call.CallStatus{status}}, counts.Counts[status])
		}
	}
	for slot, values := range counts.Answers {
		for value, n := range values {
			list(store.CallFilter{
				Sort: store.SortByDueTime, People: store.AllPeople, AnswerSlot: slot, AnswerValue: value,
			}, n)
		}
	}
}

// peopleOfCampaigns: people are listed with their campaign only, in their organization only, page by page, and by
// number.
func peopleOfCampaigns(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	c, all := createCampaign(t, s, 5, 2)
	finishCall(t, s, all[1], call.NoAnswer, startTime())
	_, err := s.CallsPage(t.Context(), "bakery", store.CallFilter{People: store.AllPeople, Limit: 9})
	wantCode(t, "people of no campaign", err, store.CodeInvalid)
	f := store.CallFilter{People: store.AllPeople, CampaignID: c.ID, Limit: 2}
	if got := listCalls(t, s, "bakery", f); len(got) != 5 || slices.Contains(got, all[1].ID) {
		t.Errorf("the people are %v, among them a call that was repeated", got)
	}
	if got := listCalls(t, s, "airline", f); len(got) != 0 {
		t.Errorf("another organization lists %v", got)
	}
	for _, f.Sort = range []store.CallSort{store.SortByCreation, store.SortByDueTime} {
		f.NumberEnds, f.PhoneNumber = "1", ""
		for range 2 { // by the end of the number, then by all of it
			if got := listCalls(t, s, "bakery", f); len(got) != 1 || got[0] == all[1].ID {
				t.Errorf("with %+v the people are %v", f, got)
			}
			f.NumberEnds, f.PhoneNumber = "", all[1].PhoneNumber
		}
	}
	page, err := s.CampaignsPage(t.Context(), "bakery", 10, "")
	wantCode(t, "CampaignsPage", err, "")
	want := map[call.CallStatus]int{call.Scheduled: 5}
	if people := page.Items[0].Tally.People; people == nil || !maps.Equal(people.Counts, want) {
		t.Errorf("the list counts %+v, want %v", people, want)
	}
}

// peopleUnderLoad: calls that end at once are all counted.
func peopleUnderLoad(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	const n = 60
	c, all := createCampaign(t, s, n, 1)
	ended := make(chan error, n)
	for i, one := range all {
		go func() {
			ctx := context.WithoutCancel(t.Context())
			_, err := s.ReleaseCall(ctx, "bakery", one.ID, startTime())
			if err == nil {
				status := []call.CallStatus{call.NoAnswer, call.Failed, call.UserUnavailable}[i%3]
				_, err = s.FinishCall(ctx, "bakery", one.ID, newOutcome(status), nil, startTime())
			}
			ended <- err
		}()
	}
	for range n {
		wantCode(t, "release and finish", <-ended, "")
	}
	got := wantCampaign(t, s, c.ID, campaign.Finished, map[call.CallStatus]int{
		call.NoAnswer: n / 3, call.Failed: n / 3, call.UserUnavailable: n / 3,
	})
	if people := got.Tally.People; people.Unreached != n || !maps.Equal(people.Counts, got.Tally.Counts) {
		t.Errorf("the people are %+v", people)
	}
}
