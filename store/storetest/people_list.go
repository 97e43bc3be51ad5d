package storetest

import (
	"context"
	"maps"
	"slices"
	"testing"

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
