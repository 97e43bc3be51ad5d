package postgres

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/campaign"
)

// addTestCampaign adds a campaign in a new organization, whose calls have this many attempts.
func addTestCampaign(
	t *testing.T, s *PostgresStore, people, attempts int, now time.Time, change ...func([]call.Call),
) (campaign.Campaign, []call.Call) {
	t.Helper()
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "bakery"}, "test"); err != nil && store.CodeOf(err) != store.CodeConflict {
		t.Fatal(err)
	}
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: "bakery", Name: "Reminders", ScenarioID: "order", Status: campaign.Running, CreatedAt: now,
	}
	var all []call.Call
	for i := range people {
		id := call.NewID()
		all = append(all, call.Call{
			ID: id, OrgID: "bakery", Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+9665000000%02d", i), ScenarioID: "order",
			CampaignID: c.ID, CreatedAt: now.Add(time.Duration(i)), ScheduledAt: now,
			Attempt: call.AttemptChain{Number: 1, Max: attempts, ChainID: id, Plan: call.RetryPlan{MaxAttempts: attempts}},
		})
	}
	for _, f := range change {
		f(all)
	}
	if _, err := s.CreateCampaign(t.Context(), c, all, "test", nil); err != nil {
		t.Fatal(err)
	}
	return c, all
}

// endTestCall releases a call, answers it if the outcome is a conversation, and ends it.
func endTestCall(t *testing.T, s *PostgresStore, id string, status call.CallStatus, now time.Time) call.Call {
	t.Helper()
	_, err := s.ReleaseCall(t.Context(), "bakery", id, now)
	if err == nil && status == call.Completed {
		_, err = s.AnswerCall(t.Context(), "bakery", id, "", now)
	}
	if err != nil {
		t.Fatal(err)
	}
	return finishTestCall(t, s, id, status, now)
}

// finishTestCall ends a running call.
func finishTestCall(t *testing.T, s *PostgresStore, id string, status call.CallStatus, now time.Time) call.Call {
	t.Helper()
	o := call.CallOutcome{Status: status, Failure: &call.CallFailure{Reason: call.RingTimeout}}
	if status == call.Completed {
		seconds := 30
		o.Failure, o.Report, o.Duration = nil, []byte(`{"ok":true}`), &seconds
	}
	ended, err := s.FinishCall(t.Context(), "bakery", id, o, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	return ended
}

// wantPeople fails unless a campaign's people have these statuses, in its counters and in its lists.
func wantPeople(t *testing.T, s *PostgresStore, id string, want map[call.CallStatus]int) campaign.Campaign {
	t.Helper()
	found, err := s.FindCampaign(t.Context(), "bakery", id)
	if err != nil || found.Tally.People == nil || !reflect.DeepEqual(found.Tally.People.Counts, want) {
		t.Fatalf("the people are counted as %+v, want %v, %v", found.Tally.People, want, err)
	}
	for _, status := range call.AllStatuses() {
		f := store.CallFilter{CampaignID: id, People: store.AllPeople, Statuses: []call.CallStatus{status}, Limit: 100}
		if page, err := s.CallsPage(t.Context(), "bakery", f); err != nil || len(page.Items) != want[status] {
			t.Errorf("%d people are listed as %s, want %d, %v", len(page.Items), status, want[status], err)
		}
	}
	return found
}

// TestPeopleOfOlderVersions: campaigns that an appliance of an older version wrote last have their people counted and
// listed at the next start, and while appliances of both versions run.
func TestPeopleOfOlderVersions(t *testing.T) {
	t.Parallel()
	s, server := openAlone(t)
	now := time.Now().UTC().Truncate(time.Microsecond)
	c, all := addTestCampaign(t, s, 6, 2, now)
	for i, status := range []call.CallStatus{call.Completed, call.NoAnswer, call.UserUnavailable} {
		endTestCall(t, s, all[i].ID, status, now)
	}
	want := wantPeople(t, s, c.ID, map[call.CallStatus]int{call.Completed: 1, call.Scheduled: 5})
	older := `UPDATE calls SET person = ''; UPDATE campaign_tallies SET record = convert_to(
		(convert_from(record, 'UTF8')::jsonb - 'people')::text, 'UTF8')`
	check := func(when string, s *PostgresStore) {
		t.Helper()
		got := wantPeople(t, s, c.ID, want.Tally.People.Counts)
		if !reflect.DeepEqual(got.Tally, want.Tally) {
			t.Errorf("%s the counters are %+v\n%+v, want\n%+v", when, got.Tally, got.Tally.People, want.Tally.People)
		}
	}
	server.Run(t, older)
	s.countForOlder(t.Context())
	check("beside an older version", s)
	server.Run(t, older)
	again, err := OpenStore(t.Context(), server.URL(""), OpenOptions{Appliance: "two"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	check("after a start", again)
}

// TestPeopleOfReopenedCalls: if a call gets its true outcome after another appliance had ended it as interrupted, its
// person is counted once, regardless of the retry's state.
func TestPeopleOfReopenedCalls(t *testing.T) {
	t.Parallel()
	s, _ := openAlone(t)
	now := time.Now()
	interrupt := func(attempts int) (id string, c campaign.Campaign, ended call.Call) {
		c, all := addTestCampaign(t, s, 1, attempts, now)
		if _, err := s.ReleaseCall(t.Context(), "bakery", all[0].ID, now); err != nil {
			t.Fatal(err)
		}
		rescued, err := s.RescueCalls(t.Context(), now)
		if err != nil || len(rescued) != 1 {
			t.Fatalf("rescued %+v, %v", rescued, err)
		}
		return all[0].ID, c, rescued[0]
	}
	for _, status := range []call.CallStatus{call.Completed, call.NoAnswer} {
		// The retry is still scheduled: it is cancelled. An unreached person gets another one.
		id, c, _ := interrupt(2)
		finishTestCall(t, s, id, status, now)
		if status == call.Completed {
			wantPeople(t, s, c.ID, map[call.CallStatus]int{call.Completed: 1})
		} else {
			wantPeople(t, s, c.ID, map[call.CallStatus]int{call.Scheduled: 1})
		}
		// No attempt is left.
		id, c, _ = interrupt(1)
		wantPeople(t, s, c.ID, map[call.CallStatus]int{call.Failed: 1})
		finishTestCall(t, s, id, status, now)
		wantPeople(t, s, c.ID, map[call.CallStatus]int{status: 1})
		// The retry has reached the person: the last call that did decides.
		id, c, again := interrupt(2)
		retry := endTestCall(t, s, *again.Attempt.NextID, call.Completed, now.Add(time.Hour))
		finishTestCall(t, s, id, status, now)
		wantPeople(t, s, c.ID, map[call.CallStatus]int{call.Completed: 1})
		f := store.CallFilter{CampaignID: c.ID, People: store.AllPeople, Limit: 9}
		if page, err := s.CallsPage(t.Context(), "bakery", f); err != nil || len(page.Items) != 1 || page.Items[0].ID != retry.ID {
			t.Errorf("the call that decides is %+v, want %s, %v", page.Items, retry.ID, err)
		}
		// The retry has ended, and another one is planned.
		id, c, ended := interrupt(3)
		endTestCall(t, s, *ended.Attempt.NextID, call.UserUnavailable, now.Add(time.Hour))
		wantPeople(t, s, c.ID, map[call.CallStatus]int{call.Scheduled: 1})
		finishTestCall(t, s, id, status, now)
		if status == call.Completed {
			wantPeople(t, s, c.ID, map[call.CallStatus]int{call.Completed: 1})
		} else {
			wantPeople(t, s, c.ID, map[call.CallStatus]int{call.Scheduled: 1})
		}
	}
}

// TestPeopleOfOneNumber: a reopened call that reaches a mother does not stand for the one that reached her child on the
// same number.
func TestPeopleOfOneNumber(t *testing.T) {
	t.Parallel()
	s, _ := openAlone(t)
	now := time.Now()
	c, all := addTestCampaign(t, s, 2, 1, now, func(all []call.Call) {
		all[1].PhoneNumber, all[1].Variables = all[0].PhoneNumber, map[string]any{"name": "child"}
	})
	if _, err := s.ReleaseCall(t.Context(), "bakery", all[0].ID, now); err != nil {
		t.Fatal(err)
	}
	if rescued, err := s.RescueCalls(t.Context(), now); err != nil || len(rescued) != 1 {
		t.Fatalf("rescued %+v, %v", rescued, err)
	}
	endTestCall(t, s, all[1].ID, call.Completed, now.Add(time.Hour))
	finishTestCall(t, s, all[0].ID, call.Completed, now)
	wantPeople(t, s, c.ID, map[call.CallStatus]int{call.Completed: 2})
}
