package storetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
)

func roomForCampaign(campaign.Campaign) int { return 1000 }

// newCampaign returns a running campaign of an organization, and its calls.
func newCampaign(orgID string, calls, attempts int) (campaign.Campaign, []call.Call) {
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: orgID, Name: "Reminders", ScenarioID: "order", Status: campaign.Running,
		CreatedAt: startTime(), CallerNumber: "+966112345678", Skipped: []campaign.SkippedRow{{Index: 3, Reason: "invalid"}},
	}
	var all []call.Call
	for i := range calls {
		one := newRetriedCall(orgID, time.Duration(i), attempts)
		one.CallerNumber = "+966112345678"
		one.CampaignID, one.ScheduledAt, one.PhoneNumber = c.ID, startTime(), fmt.Sprintf("+9665%08d", i)
		all = append(all, one)
	}
	return c, all
}

// createCampaign adds a campaign with its calls.
func createCampaign(t *testing.T, s store.Store, calls, attempts int) (campaign.Campaign, []call.Call) {
	t.Helper()
	c, all := newCampaign("bakery", calls, attempts)
	made, err := s.CreateCampaign(t.Context(), c, all, asked, nil)
	wantCode(t, "CreateCampaign", err, "")
	if made.Status != campaign.Running || made.Tally.Counts[call.Scheduled] != calls || len(made.Skipped) != 1 {
		t.Fatalf("made %+v", made)
	}
	return made, all
}

// wantCampaign fails unless a campaign has the status and counts.
func wantCampaign(t *testing.T, s store.Store, id string, status campaign.CampaignStatus, counts map[call.CallStatus]int) campaign.Campaign {
	t.Helper()
	c, err := s.FindCampaign(t.Context(), "bakery", id)
	wantCode(t, "FindCampaign", err, "")
	if c.Status != status || fmt.Sprint(c.Tally.Counts) != fmt.Sprint(counts) {
		t.Fatalf("the campaign is %s with %v, want %s with %v", c.Status, c.Tally.Counts, status, counts)
	}
	return c
}

// campaignOnce: an idempotency key creates one campaign; a cancelled creation frees its key.
func campaignOnce(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx := t.Context()
	create := func(c campaign.Campaign, all []call.Call, want store.ErrorCode) {
		t.Helper()
		once := &store.IdempotencyReceipt{Key: "k", Body: []byte("hash"), MadeAt: startTime()}
		_, err := s.CreateCampaign(ctx, c, all, asked, once)
		wantCode(t, "CreateCampaign", err, want)
	}
	known := func(want string) {
		t.Helper()
		r, err := s.FindReceipt(ctx, "bakery", "k", startTime())
		wantCode(t, "FindReceipt", err, "")
		if (r == nil) != (want == "") || r != nil && (r.CallID != want || string(r.Body) != "hash") {
			t.Fatalf("the receipt is %+v, want that of %q", r, want)
		}
	}
	broken, calls := newCampaign("bakery", 2, 1)
	calls[1].PhoneNumber = ""
	create(broken, calls, store.CodeInvalid)
	known("")
	first, calls := newCampaign("bakery", 2, 1)
	create(first, calls, "")
	known(first.ID)
	again, others := newCampaign("bakery", 2, 1)
	create(again, others, store.CodeConflict)
	if _, err := s.FindCampaign(ctx, "bakery", again.ID); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("a second campaign of the key: %v", err)
	}
	_, err := s.ChangeCampaign(ctx, "bakery", first.ID, store.CancelCampaign, asked, startTime())
	wantCode(t, "cancel", err, "")
	known(first.ID)
}

// dueOfCampaigns counts the due calls of campaigns.
func dueOfCampaigns(t *testing.T, s store.Store) int {
	t.Helper()
	due, _, err := s.DueCampaignCalls(t.Context(), roomForCampaign, startTime(), 1000)
	wantCode(t, "DueCampaignCalls", err, "")
	return len(due)
}

// waitingCalls: of each campaign, paused ones too, and outside campaigns the scheduled calls that are due before a time
// are counted; not released ones, nor those of other organizations.
func waitingCalls(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "florist")
	create := func(orgID string, due ...time.Duration) campaign.Campaign {
		t.Helper()
		c, all := newCampaign(orgID, len(due), 1)
		for i := range all {
			all[i].ScheduledAt = startTime().Add(due[i])
		}
		_, err := s.CreateCampaign(t.Context(), c, all, asked, nil)
		wantCode(t, "CreateCampaign", err, "")
		return c
	}
	const day = 24 * time.Hour
	soon, mixed := create("bakery", 0, time.Hour), create("bakery", time.Hour, 2*day, 3*day)
	late := create("bakery", 2*day)
	create("florist", 0)
	for i, due := range []time.Duration{0, 0, time.Hour, 2 * day} {
		c := newCall("bakery", due)
		bookCalls(t, s, c)
		if i == 0 {
			_, err := s.ReleaseCall(t.Context(), "bakery", c.ID, startTime())
			wantCode(t, "ReleaseCall", err, "")
		}
	}
	_, err := s.ChangeCampaign(t.Context(), "bakery", mixed.ID, store.PauseCampaign, asked, startTime())
	wantCode(t, "pause", err, "")
	for before, want := range map[time.Duration]map[string]int{
		0: {}, 1: {soon.ID: 1}, time.Hour: {soon.ID: 1}, day: {soon.ID: 2, mixed.ID: 1},
		5 * day: {soon.ID: 2, mixed.ID: 3, late.ID: 1},
	} {
		found, err := s.WaitingCalls(t.Context(), "bakery", startTime().Add(before))
		wantCode(t, "WaitingCalls", err, "")
		got, all := map[string]int{}, found.Single
		if want := map[time.Duration]int{1: 1, time.Hour: 1, day: 2, 5 * day: 3}[before]; found.Single != want {
			t.Errorf("before %s: %d outside campaigns, want %d", before, found.Single, want)
		}
		for _, c := range found.Campaigns {
			all += c.Waiting
			if got[c.ID] = c.Waiting; c.Name != mixed.Name || (c.Status == campaign.Paused) != (c.ID == mixed.ID) {
				t.Errorf("found %+v", c)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("before %s: %v, want %v", before, got, want)
		}
		if found.CountAll() != all || found.CountPaused() != got[mixed.ID] {
			t.Errorf("before %s: %d, %d of paused campaigns", before, found.CountAll(), found.CountPaused())
		}
	}
}

// campaignLife: calls are counted by status, answers when calls end, and the end of the last call finishes the
// campaign.
func campaignLife(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	c, all := createCampaign(t, s, 3, 2)
	if due, _, _ := s.DueCallsOf(t.Context(), func(string) int { return 10 }, startTime(), 10); len(due) != 0 {
		t.Errorf("%d calls of a campaign are due as its organization's own", len(due))
	}
	change := func(action store.CampaignAction, code store.ErrorCode) {
		t.Helper()
		_, err := s.ChangeCampaign(t.Context(), "bakery", c.ID, action, asked, startTime())
		wantCode(t, string(action), err, code)
	}
	for range 2 {
		change(store.PauseCampaign, "")
	}
	if n := dueOfCampaigns(t, s); n != 0 {
		t.Errorf("%d calls of a paused campaign are due", n)
	}
	_, err := s.ReleaseCall(t.Context(), "bakery", all[0].ID, startTime())
	wantCode(t, "a release while paused", err, store.CodeConflict)
	change(store.ResumeCampaign, "")
	if n := dueOfCampaigns(t, s); n != 3 {
		t.Errorf("%d calls of the campaign are due", n)
	}
	for i, report := range []string{`{"confirmed":true,"size":"large","note":null,"reason":null}`, `{"confirmed":false,"size":"large"}`} {
		releaseCall(t, s, all[i], startTime())
		_, err := s.AnswerCall(t.Context(), "bakery", all[i].ID, "", startTime())
		wantCode(t, "AnswerCall", err, "")
		o := call.CallOutcome{Status: call.Completed, Report: json.RawMessage(report), Unasked: []string{"reason", "size"}}
		_, err = s.FinishCall(t.Context(), "bakery", all[i].ID, o, nil, startTime())
		wantCode(t, "FinishCall", err, "")
	}
	got := wantCampaign(t, s, c.ID, campaign.Running, map[call.CallStatus]int{call.Completed: 2, call.Scheduled: 1})
	want := map[string]map[string]int{"confirmed": {"true": 1, "false": 1}, "size": {"large": 2}, "note": {"null": 1}}
	if fmt.Sprint(got.Tally.Answers) != fmt.Sprint(want) {
		t.Errorf("answers %v, want %v", got.Tally.Answers, want)
	}
	for slot, n := range map[string]int{"note": 1, "reason": 0} { // an unknown answer, and a question that was not asked
		f := store.CallFilter{CampaignID: c.ID, AnswerSlot: slot, AnswerValue: "null", Sort: store.SortByDueTime, Limit: 10}
		found, err := s.CallsPage(t.Context(), "bakery", f)
		if wantCode(t, "CallsPage", err, ""); len(found.Items) != n {
			t.Errorf("%d calls with an unknown %s, want %d", len(found.Items), slot, n)
		}
	}
	ended := finishCall(t, s, all[2], call.NoAnswer, startTime())
	wantCampaign(t, s, c.ID, campaign.Running, map[call.CallStatus]int{call.Completed: 2, call.NoAnswer: 1, call.Scheduled: 1})
	next, err := s.FindCall(t.Context(), "bakery", *ended.Attempt.NextID)
	wantCode(t, "FindCall", err, "")
	if next.CallerNumber != all[2].CallerNumber || got.CallerNumber != c.CallerNumber {
		t.Errorf("the retry shows %q, the campaign %q", next.CallerNumber, got.CallerNumber)
	}
	_, err = s.CancelCall(t.Context(), "bakery", *ended.Attempt.NextID, asked, startTime())
	wantCode(t, "CancelCall", err, "")
	wantCampaign(t, s, c.ID, campaign.Finished, map[call.CallStatus]int{call.Completed: 2, call.NoAnswer: 1, call.Cancelled: 1})
	change(store.PauseCampaign, store.CodeConflict)
	change(store.CancelCampaign, store.CodeConflict)
}

// campaignCancelled: the scheduled calls are cancelled, the running one ends by itself and is not retried.
func campaignCancelled(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	c, all := createCampaign(t, s, 300, 3)
	releaseCall(t, s, all[7], startTime())
	for range 2 {
		_, err := s.ChangeCampaign(t.Context(), "bakery", c.ID, store.CancelCampaign, asked, startTime())
		wantCode(t, "cancel", err, "")
	}
	wantCampaign(t, s, c.ID, campaign.Cancelled, map[call.CallStatus]int{call.Cancelled: 299, call.Dialing: 1})
	_, err := s.FinishCall(t.Context(), "bakery", all[7].ID, newOutcome(call.NoAnswer), nil, startTime())
	wantCode(t, "FinishCall", err, "")
	wantCampaign(t, s, c.ID, campaign.Cancelled, map[call.CallStatus]int{call.Cancelled: 299, call.NoAnswer: 1})
	_, err = s.RetryCampaign(t.Context(), "bakery", c.ID, nil, asked, startTime())
	wantCode(t, "retry of a cancelled one", err, store.CodeConflict)
}

// campaignRetried: a call is retried once, and a finished campaign runs again.
func campaignRetried(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	c, all := createCampaign(t, s, 1, 1)
	finishCall(t, s, all[0], call.NoAnswer, startTime())
	wantCampaign(t, s, c.ID, campaign.Finished, map[call.CallStatus]int{call.NoAnswer: 1})
	for range 2 {
		next := newRetriedCall("bakery", time.Minute, 1)
		next.CampaignID = c.ID
		_, err := s.RetryCampaign(t.Context(), "bakery", c.ID, map[string]call.Call{all[0].ID: next}, asked, startTime())
		wantCode(t, "RetryCampaign", err, "")
		wantCampaign(t, s, c.ID, campaign.Running, map[call.CallStatus]int{call.NoAnswer: 1, call.Scheduled: 1})
	}
}

// campaignsSeparate: another organization's campaign is not found.
func campaignsSeparate(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	c, _ := createCampaign(t, s, 2, 1)
	_, err := s.FindCampaign(t.Context(), "airline", c.ID)
	wantCode(t, "FindCampaign", err, store.CodeNotFound)
	for _, action := range []store.CampaignAction{store.PauseCampaign, store.ResumeCampaign, store.CancelCampaign} {
		_, err = s.ChangeCampaign(t.Context(), "airline", c.ID, action, asked, startTime())
		wantCode(t, string(action), err, store.CodeNotFound)
	}
	_, err = s.RetryCampaign(t.Context(), "airline", c.ID, nil, asked, startTime())
	wantCode(t, "RetryCampaign", err, store.CodeNotFound)
	for org, want := range map[string]int{"bakery": 1, "airline": 0} {
		page, err := s.CampaignsPage(t.Context(), org, 10, "")
		if wantCode(t, "CampaignsPage", err, ""); len(page.Items) != want {
			t.Errorf("%s lists %d campaigns, want %d", org, len(page.Items), want)
		}
	}
}

// importMemory: each organization has its own column mappings, the newest first.
func importMemory(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	headers := []string{"name", "phone"}
	for _, fields := range [][]string{{"", "phone_number"}, {"name", "phone_number"}} {
		err := s.ChangeImportMemory(t.Context(), "bakery", func(m *campaign.ImportMemory) {
			m.Region = "SA"
			m.AddMapping(campaign.ColumnMapping{Headers: headers, ScenarioID: "order", Fields: fields})
		})
		wantCode(t, "ChangeImportMemory", err, "")
	}
	kept, err := s.FindImportMemory(t.Context(), "bakery")
	wantCode(t, "FindImportMemory", err, "")
	if found, known := kept.FindMapping(headers, "other"); !known || found.Fields[0] != "name" || len(kept.Mappings) != 1 || kept.Region != "SA" {
		t.Errorf("remembered %+v", kept)
	}
	if other, err := s.FindImportMemory(t.Context(), "airline"); err != nil || other.Region != "" || len(other.Mappings) != 0 {
		t.Errorf("another organization remembers %+v, %v", other, err)
	}
	err = s.ChangeImportMemory(t.Context(), "nobody", func(*campaign.ImportMemory) {})
	wantCode(t, "ChangeImportMemory of no organization", err, store.CodeNotFound)
}
