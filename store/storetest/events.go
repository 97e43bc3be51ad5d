package storetest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/job"
)

// addDestination adds an enabled destination of some events, or of all without any.
func addDestination(t *testing.T, s store.Store, orgID string, types ...delivery.EventType) delivery.Destination {
	t.Helper()
	if types == nil {
		types = delivery.AllEventTypes()
	}
	d := delivery.NewDestination("https://shop.example/"+orgID, types, true, startTime())
	changeDestinations(t, s, orgID, func(b *delivery.DestinationBoard) { b.Destinations = append(b.Destinations, d) })
	return d
}

// changeDestinations changes an organization's destinations.
func changeDestinations(t *testing.T, s store.Store, orgID string, change func(*delivery.DestinationBoard)) {
	t.Helper()
	err := s.ChangeDestinations(t.Context(), orgID, func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		change(b)
		return store.AuditEntry{}, nil
	})
	wantCode(t, "ChangeDestinations", err, "")
}

// findDestination reads a destination.
func findDestination(t *testing.T, s store.Store, orgID, id string) delivery.Destination {
	t.Helper()
	board, err := s.FindDestinations(t.Context(), orgID)
	wantCode(t, "FindDestinations", err, "")
	one := board.FindDestination(id)
	if one == nil {
		t.Fatalf("there is no destination %q: %+v", id, board)
	}
	return *one
}

// listEvents returns the deliveries of a destination, oldest first.
func listEvents(t *testing.T, s store.Store, d delivery.Destination, orgID string) (all []delivery.Delivery) {
	t.Helper()
	for cursor, more := "", true; more; more = cursor != "" {
		page, err := s.ListEvents(t.Context(), orgID, d.ID, "", 3, cursor)
		wantCode(t, "ListEvents", err, "")
		all, cursor = append(all, page.Items...), page.Next
	}
	slices.Reverse(all)
	return all
}

// wantEvents fails unless a destination has deliveries of these events, in this order, and returns them.
func wantEvents(
	t *testing.T, s store.Store, d delivery.Destination, orgID string, want ...delivery.EventType,
) []delivery.Delivery {
	t.Helper()
	all := listEvents(t, s, d, orgID)
	var got []delivery.EventType
	for _, one := range all {
		got = append(got, one.Event)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("events of %s (-want +got):\n%s", orgID, diff)
	}
	return all
}

// tryEvent records an attempt of an event, with a body; an empty fault means delivered.
func tryEvent(t *testing.T, s store.Store, d delivery.Delivery, fault string, now time.Time) delivery.Delivery {
	t.Helper()
	try := delivery.DeliveryTry{At: now, URL: "https://shop.example", StatusCode: 200, Error: fault, Sent: []byte(`{"id":"x"}`)}
	after, err := s.RecordEventTry(t.Context(), d.OrgID, d.Destination, d.ID, try, now)
	wantCode(t, "RecordEventTry", err, "")
	return after
}

// eventsOfCalls: each change of a call raises its event with the call as it then is, for each enabled destination of
// the organization that wants it, under one id.
func eventsOfCalls(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline", "quiet")
	all, ends := addDestination(t, s, "bakery"), addDestination(t, s, "bakery", delivery.CallCompleted, delivery.CallFailed)
	off, foreign := addDestination(t, s, "bakery"), addDestination(t, s, "airline")
	changeDestinations(t, s, "bakery", func(b *delivery.DestinationBoard) { b.FindDestination(off.ID).Enabled = false })
	now := startTime()
	c := newRetriedCall("bakery", 0, 2)
	bookCalls(t, s, c, newCall("quiet", 0))
	releaseCall(t, s, c, now.Add(time.Second))
	_, err := s.AnswerCall(t.Context(), "bakery", c.ID, soundFile, now.Add(2*time.Second))
	wantCode(t, "AnswerCall", err, "")
	outcome := newOutcome(call.Completed)
	outcome.Need = call.NeedAsked
	_, err = s.FinishCall(t.Context(), "bakery", c.ID, outcome, nil, now.Add(3*time.Second))
	wantCode(t, "FinishCall", err, "")
	got := wantEvents(t, s, all, "bakery", delivery.CallBooked, delivery.CallDialing, delivery.CallAnswered,
		delivery.CallCompleted, delivery.NeedsStaff)
	for i, status := range []call.CallStatus{
		call.Scheduled, call.Dialing, call.InProgress, call.Completed, call.Completed,
	} {
		var state call.Call
		err := json.Unmarshal(got[i].Subject, &state)
		if err != nil || state.ID != c.ID || state.Status != status || (len(state.Messages) > 0) != (status == call.Completed) ||
			!got[i].CreatedAt.Equal(now.Add(time.Duration(min(i, 3))*time.Second)) || got[i].CallID != c.ID {
			t.Errorf("event %d is %+v of %+v, %v", i, got[i], state, err)
		}
	}
	if same := wantEvents(t, s, ends, "bakery", delivery.CallCompleted); same[0].ID != got[3].ID {
		t.Errorf("an event has the ids %s and %s", same[0].ID, got[3].ID)
	}
	wantEvents(t, s, off, "bakery")
	wantEvents(t, s, foreign, "airline")
	due, _, err := s.DueEvents(t.Context(), roomForAll, nil, now.Add(time.Hour), 100)
	if wantCode(t, "DueEvents", err, ""); len(due) != 6 {
		t.Errorf("%d deliveries are due", len(due))
	}
}

// eventsOfOtherEnds: a call that is cancelled, fails, or is marked later.
func eventsOfOtherEnds(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	all, now := addDestination(t, s, "bakery"), startTime()
	cancelled, failed := newCall("bakery", 0), newRetriedCall("bakery", time.Second, 2)
	bookCalls(t, s, cancelled)
	_, err := s.CancelCall(t.Context(), "bakery", cancelled.ID, asked, now)
	wantCode(t, "CancelCall", err, "")
	bookCalls(t, s, failed)
	finishCall(t, s, failed, call.NoAnswer, now.Add(2*time.Second))
	for range 2 { // the second changes nothing
		mark := call.Amendment{Kind: call.AmendMark}
		_, err = s.AmendCall(t.Context(), "bakery", failed.ID, mark, asked, now.Add(3*time.Second))
		wantCode(t, "AmendCall", err, "")
	}
	wantEvents(t, s, all, "bakery", delivery.CallBooked, delivery.CallCancelled, delivery.CallBooked, delivery.CallDialing,
		delivery.CallBooked, delivery.CallFailed, delivery.NeedsStaff) // the retry is booked before the end is told
}

// eventsOfOthers: the ends of campaigns and jobs.
func eventsOfOthers(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	d, now := addDestination(t, s, "bakery", delivery.CampaignFinished, delivery.JobFinished), startTime()
	made, calls := createCampaign(t, s, 2, 1)
	finishCall(t, s, calls[0], call.Completed, now.Add(time.Second))
	wantEvents(t, s, d, "bakery")
	finishCall(t, s, calls[1], call.NoAnswer, now.Add(2*time.Second))
	for i, end := range []func(id string) error{
		func(id string) error {
			return s.FinishJob(t.Context(), "bakery", id, json.RawMessage(`{}`), now.Add(3*time.Second))
		},
		func(id string) error {
			return s.FailJob(t.Context(), "bakery", id, job.JobFailure{Code: "x"}, now.Add(4*time.Second))
		},
	} {
		id := []string{"one", "two"}[i]
		enqueueJob(t, s, "bakery", id, now)
		claimJob(t, s, id)
		wantCode(t, "the end of job "+id, end(id), "")
	}
	got := wantEvents(t, s, d, "bakery", delivery.CampaignFinished, delivery.JobFinished, delivery.JobFinished)
	var state campaign.CampaignSnapshot
	if err := json.Unmarshal(got[0].Subject, &state); err != nil || got[0].CallID != made.ID {
		t.Fatal(err, got[0])
	}
	finished, err := s.FindCampaign(t.Context(), "bakery", made.ID)
	wantCode(t, "FindCampaign", err, "")
	if diff := cmp.Diff(finished, state.Restore()); diff != "" || finished.Status != campaign.Finished {
		t.Errorf("the campaign of the event is %s:\n%s", finished.Status, diff)
	}
	if got[1].CallID != "one" || got[2].CallID != "two" || got[1].Subject != nil {
		t.Errorf("the events of jobs are %+v and %+v", got[1], got[2])
	}
}

// eventTries: eight attempts whose pauses are those of the contract, ± 20 %; the first body is kept for all.
func eventTries(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	to, now := addDestination(t, s, "bakery"), startTime()
	bookCalls(t, s, newCall("bakery", 0))
	d := listEvents(t, s, to, "bakery")[0]
	for _, pause := range []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour, 0,
	} {
		due, next, err := s.DueEvents(t.Context(), roomForAll, nil, now, 100)
		if wantCode(t, "DueEvents", err, ""); len(due) != 1 || due[0].ID != d.ID || !next.IsZero() {
			t.Fatalf("at %v due: %+v, %v", now, due, next)
		}
		d = tryEvent(t, s, d, "refused", now)
		if after := d.NextAt.Sub(now); pause > 0 && (after < pause*8/10 || after > pause*12/10) {
			t.Errorf("the attempt after %d follows after %v, want %v", d.Round, after, pause)
		}
		if due, next, _ = s.DueEvents(t.Context(), roomForAll, nil, now, 100); len(due) != 0 || !next.Equal(d.NextAt) {
			t.Errorf("after attempt %d due: %+v, next %v", d.Round, due, next)
		}
		now = d.NextAt
	}
	if d.State != delivery.Failed || len(d.Tries) != delivery.MaxEventTries || d.Subject != nil {
		t.Fatalf("in the end it is %+v", d)
	}
	_, err := s.RecordEventTry(t.Context(), "bakery", to.ID, d.ID, delivery.DeliveryTry{At: now}, now)
	wantCode(t, "a ninth try", err, store.CodeConflict)
	now = startTime().Add(48 * time.Hour)
	again, err := s.RedeliverEvent(t.Context(), "bakery", to.ID, d.ID, asked, now)
	wantCode(t, "RedeliverEvent", err, "")
	_, err = s.RedeliverEvent(t.Context(), "bakery", to.ID, d.ID, asked, now)
	wantCode(t, "RedeliverEvent again", err, store.CodeConflict)
	if done := tryEvent(t, s, again, "", now); done.State != delivery.Delivered || len(done.Tries) != 9 {
		t.Errorf("redelivered it is %+v", done)
	}
	if kept, err := s.FindEvent(t.Context(), "bakery", to.ID, d.ID); err != nil || string(kept.Body) != `{"id":"x"}` {
		t.Errorf("the body is %s, %v", kept.Body, err)
	}
}

// eventsReplayed: a replay sends what ended again, and at once what waits for its next attempt, of its time, types and
// destination alone.
func eventsReplayed(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	to, other := addDestination(t, s, "bakery"), addDestination(t, s, "bakery")
	start := startTime()
	for i := range 4 {
		c := newCall("bakery", 0)
		c.CreatedAt = start.Add(time.Duration(i) * time.Hour)
		bookCalls(t, s, c)
	}
	made := listEvents(t, s, to, "bakery")
	now := start.Add(5 * time.Hour)
	tryEvent(t, s, made[0], "", now)
	tryEvent(t, s, made[1], "", now)
	waiting := tryEvent(t, s, tryEvent(t, s, made[2], "refused", now), "refused", now)
	for d := made[3]; d.State == delivery.Pending; {
		d = tryEvent(t, s, d, "refused", now)
	}
	replay := func(r delivery.EventReplay, want ...delivery.Delivery) {
		t.Helper()
		queued, more, err := s.ReplayEvents(t.Context(), "bakery", to.ID, r, asked, now)
		if wantCode(t, "ReplayEvents", err, ""); queued != len(want) || !more.IsZero() {
			t.Errorf("%+v: %d are queued, want %d; more %v", r, queued, len(want), more)
		}
		for _, d := range want {
			if got, err := s.FindEvent(t.Context(), "bakery", to.ID, d.ID); err != nil || got.State != delivery.Pending ||
				!got.NextAt.Equal(now) || got.ID != d.ID {
				t.Errorf("%+v leaves %+v, %v", r, got, err)
			}
		}
	}
	replay(delivery.EventReplay{From: start, Events: []delivery.EventType{delivery.JobFinished}})
	replay(delivery.EventReplay{From: start, To: start.Add(30 * time.Minute), Failed: true})
	replay(delivery.EventReplay{From: start, To: start.Add(30 * time.Minute)}, made[0])
	replay(delivery.EventReplay{From: start.Add(time.Hour), Failed: true}, waiting, made[3])
	replay(delivery.EventReplay{From: start.Add(time.Hour)}, made[1])
	replay(delivery.EventReplay{From: start})
	for _, d := range listEvents(t, s, other, "bakery") {
		if len(d.Tries) > 0 || !d.NextAt.Equal(d.CreatedAt) {
			t.Errorf("of the other destination %+v", d)
		}
	}
	all := delivery.EventReplay{From: start}
	_, _, err := s.ReplayEvents(t.Context(), "airline", to.ID, all, asked, now)
	wantCode(t, "ReplayEvents of another organization", err, store.CodeNotFound)
	changeDestinations(t, s, "bakery", func(b *delivery.DestinationBoard) { b.FindDestination(to.ID).Enabled = false })
	_, _, err = s.ReplayEvents(t.Context(), "bakery", to.ID, all, asked, now)
	wantCode(t, "ReplayEvents while it is off", err, store.CodeConflict)
}

// eventRoom: the room limits each destination by itself; those in flight are left out, and the order is that of events.
func eventRoom(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	one, two := addDestination(t, s, "bakery"), addDestination(t, s, "bakery")
	for i := range 4 {
		bookCalls(t, s, newCall("bakery", time.Duration(i)*time.Second))
	}
	first, second := listEvents(t, s, one, "bakery"), listEvents(t, s, two, "bakery")
	room := func(id string) int { return map[string]int{one.ID: 2, two.ID: 1}[id] }
	busy := func(key string) bool { return key == first[0].Key() }
	due, _, err := s.DueEvents(t.Context(), room, busy, startTime().Add(time.Hour), 100)
	wantCode(t, "DueEvents", err, "")
	var got []string
	for _, d := range due {
		got = append(got, d.Key())
	}
	if diff := cmp.Diff([]string{second[0].Key(), first[1].Key(), first[2].Key()}, got); diff != "" {
		t.Errorf("due (-want +got):\n%s", diff)
	}
}

// destinationHealth: five days of nothing but failures switch a destination off; it then gets nothing, and what was
// still to be sent ends.
func destinationHealth(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	to, now := addDestination(t, s, "bakery"), startTime()
	for i := range 5 {
		bookCalls(t, s, newCall("bakery", time.Duration(i)))
	}
	all := listEvents(t, s, to, "bakery")
	tryEvent(t, s, all[0], "refused", now)
	tryEvent(t, s, all[1], "", now.Add(time.Hour)) // begins anew
	if d := findDestination(t, s, "bakery", to.ID); d.FailingSince != nil || !d.Enabled {
		t.Fatalf("after a success it is %+v", d)
	}
	tryEvent(t, s, all[2], "refused", now.Add(2*time.Hour))
	tryEvent(t, s, all[3], "refused", now.Add(2*time.Hour+delivery.SwitchOffAfter-1))
	if d := findDestination(t, s, "bakery", to.ID); d.FailingSince == nil || !d.Enabled {
		t.Fatalf("before the five days are over it is %+v", d)
	}
	at := now.Add(2*time.Hour + delivery.SwitchOffAfter)
	if last := tryEvent(t, s, all[0], "refused", at); last.State != delivery.Failed {
		t.Errorf("the attempt that switches it off leaves %+v", last)
	}
	d := findDestination(t, s, "bakery", to.ID)
	if d.Enabled || d.SwitchedOffAt == nil || !d.SwitchedOffAt.Equal(at) {
		t.Fatalf("after five days it is %+v", d)
	}
	if left := tryEvent(t, s, all[4], "off", at); left.State != delivery.Failed {
		t.Errorf("what is tried after that is %+v", left)
	}
	bookCalls(t, s, newCall("bakery", time.Minute))
	if n := len(listEvents(t, s, to, "bakery")); n != 5 {
		t.Errorf("%d events, one of them while it was off", n)
	}
}

// destinationRemoved: its deliveries go with it; another organization can neither see nor change any of it.
func destinationRemoved(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "airline")
	to, kept, now := addDestination(t, s, "bakery"), addDestination(t, s, "bakery"), startTime()
	bookCalls(t, s, newCall("bakery", 0))
	d := tryEvent(t, s, listEvents(t, s, to, "bakery")[0], "", now)
	_, err := s.FindEvent(t.Context(), "airline", to.ID, d.ID)
	wantCode(t, "FindEvent of another organization", err, store.CodeNotFound)
	_, err = s.RedeliverEvent(t.Context(), "airline", to.ID, d.ID, asked, now)
	wantCode(t, "RedeliverEvent of another organization", err, store.CodeNotFound)
	_, err = s.RemoveDestination(t.Context(), "airline", to.ID, asked, now)
	wantCode(t, "RemoveDestination of another organization", err, store.CodeNotFound)
	wantEvents(t, s, to, "airline")
	removed, err := s.RemoveDestination(t.Context(), "bakery", to.ID, asked, now)
	if wantCode(t, "RemoveDestination", err, ""); removed.ID != to.ID {
		t.Errorf("removed %+v", removed)
	}
	_, err = s.RemoveDestination(t.Context(), "bakery", to.ID, asked, now)
	wantCode(t, "RemoveDestination again", err, store.CodeNotFound)
	_, err = s.FindEvent(t.Context(), "bakery", to.ID, d.ID)
	wantCode(t, "FindEvent of a removed destination", err, store.CodeNotFound)
	wantEvents(t, s, to, "bakery")
	wantEvents(t, s, kept, "bakery", delivery.CallBooked)
	for key := range readRecords(t, s) {
		if slices.Contains([]string{"event/bakery/" + d.Key(), "event-body/bakery/" + d.Key()}, key) {
			t.Errorf("%s is left", key)
		}
	}
}

// eventsErased: neither an erasure, nor the end of the retention of texts, nor the deletion of a job leaves a body, or
// the state of what is still to be sent.
func eventsErased(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	to, now := addDestination(t, s, "bakery"), startTime()
	gone, old, other := newCall("bakery", 0), newCall("bakery", 0), newCall("bakery", 0)
	old.PhoneNumber, other.PhoneNumber = "+966500000002", "+966500000003"
	bookCalls(t, s, gone, old, other)
	for _, c := range []call.Call{gone, old} {
		finishCall(t, s, c, call.Completed, now)
	}
	enqueueJob(t, s, "bakery", "one", now)
	claimJob(t, s, "one")
	wantCode(t, "FinishJob", s.FinishJob(t.Context(), "bakery", "one", json.RawMessage(`{}`), now), "")
	for _, d := range listEvents(t, s, to, "bakery") {
		if d.Event != delivery.CallBooked {
			tryEvent(t, s, d, "", now)
		}
	}
	_, err := s.ErasePerson(t.Context(), "bakery", number, asked, now)
	wantCode(t, "ErasePerson", err, "")
	_, err = s.ExpireWords(t.Context(), "bakery", now.Add(time.Hour), 100)
	wantCode(t, "ExpireWords", err, "")
	_, err = s.RemoveJob(t.Context(), "bakery", "one")
	wantCode(t, "RemoveJob", err, "")
	for _, d := range listEvents(t, s, to, "bakery") {
		kept, err := s.FindEvent(t.Context(), "bakery", to.ID, d.ID)
		wantCode(t, "FindEvent", err, "")
		if holds := kept.Subject != nil || kept.Body != nil; holds != (d.CallID == other.ID) {
			t.Errorf("%s of %s holds %s %s", d.Event, d.CallID, kept.Subject, kept.Body)
		}
	}
	for key := range readRecords(t, s) {
		if strings.HasPrefix(key, "event-body/") {
			t.Errorf("%s is left", key)
		}
	}
	for _, d := range listEvents(t, s, to, "bakery") {
		if d.CallID == gone.ID && d.State == delivery.Pending {
			tryEvent(t, s, d, "refused", now)
			if kept, _ := s.FindEvent(t.Context(), "bakery", to.ID, d.ID); kept.Body != nil {
				t.Errorf("after another attempt %s has the body %s", d.Event, kept.Body)
			}
		}
	}
}

// eventsExpire: an ended delivery is kept for thirty days, a pending one until it ends.
func eventsExpire(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	to, now := addDestination(t, s, "bakery"), startTime()
	bookCalls(t, s, newCall("bakery", 0), newCall("bakery", time.Second))
	d := tryEvent(t, s, listEvents(t, s, to, "bakery")[0], "", now)
	for _, c := range []struct {
		at   time.Time
		want int
	}{{now.Add(delivery.KeepEvents - 1), 0}, {now.Add(delivery.KeepEvents), 1}, {now.Add(2 * delivery.KeepEvents), 0}} {
		if n, err := s.ExpireEvents(t.Context(), c.at); err != nil || n != c.want {
			t.Errorf("at %v %d expired, %v, want %d", c.at, n, err, c.want)
		}
	}
	_, err := s.FindEvent(t.Context(), "bakery", to.ID, d.ID)
	wantCode(t, "FindEvent", err, store.CodeNotFound)
	wantEvents(t, s, to, "bakery", delivery.CallBooked)
}
