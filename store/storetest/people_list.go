package storetest

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
)

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
		for range 2 { // by the end of the number, then by the whole number
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

// peopleUnderLoad: calls that end concurrently are all counted.
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

// erasedInTheMiddle checks that the people of a campaign are each counted once, without answers, when they are erased
// while three of their calls are on the line, whichever order the ends and the erasure come in.
func erasedInTheMiddle(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	const n = 8
	made, all := createCampaign(t, s, n, 1)
	ctx, now := context.WithoutCancel(t.Context()), startTime()
	var acts []func() error
	for i, one := range all {
		releaseCall(t, s, one, now)
		lines := []call.Call{one}
		for k := range 2 {
			last, err := s.FindLastDial(ctx, "bakery", one.PhoneNumber, startTime())
			wantCode(t, "FindLastDial", err, "")
			later := now.Add(time.Duration(k+1) * time.Second)
			received, err := s.ReceiveCall(ctx, newInboundCall("bakery", one.PhoneNumber, &last, later), store.Reception{}, later)
			wantCode(t, "ReceiveCall", err, "")
			lines = append(lines, received)
		}
		for k, c := range lines {
			acts = append(acts, func() error {
				o := newOutcome(call.NoAnswer)
				if k == i%3 || k == (i+1)%3 { // two of three reach them
					o = newOutcome(call.Completed)
					o.Report = json.RawMessage(`{"ok":true}`)
					if _, err := s.AnswerCall(ctx, "bakery", c.ID, soundFile, now); err != nil {
						return err
					}
				}
				_, err := s.FinishCall(ctx, "bakery", c.ID, o, nil, now.Add(time.Minute))
				return err
			})
		}
		acts = append(acts, func() error {
			_, err := s.ErasePerson(ctx, "bakery", one.PhoneNumber, asked, now)
			return err
		})
	}
	ended := make(chan error, len(acts))
	for _, act := range acts {
		go func() { ended <- act() }()
	}
	for range acts {
		wantCode(t, "an end or an erasure", <-ended, "")
	}
	people := wantCampaign(t, s, made.ID, campaign.Finished, map[call.CallStatus]int{
		call.NoAnswer: n, call.Completed: 2 * n,
	}).Tally.People
	if !maps.Equal(people.Counts, map[call.CallStatus]int{call.Completed: n}) || people.Unreached != 0 || len(people.Answers) > 0 {
		t.Errorf("the people are %+v", people)
	}
}
