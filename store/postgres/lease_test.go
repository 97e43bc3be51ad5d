package postgres

import (
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/job"
	"munadi/store/storetest"
)

// TestTakeOver: the calls of an appliance whose lease has expired are ended once, with their retry and webhook, and
// another one makes its deliveries; an appliance that was disconnected itself does not end calls of others.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	one, server := openAlone(t)
	two, err := OpenStore(t.Context(), server.URL(""), OpenOptions{Appliance: "two"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = two.Close() }()
	ctx, now := t.Context(), time.Now()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(one.CreateOrganization(ctx, account.Organization{ID: "bakery"}, "test"))
	must(storetest.ReplaceWebhook(ctx, one, "bakery", delivery.WebhookSetting{URL: "https://example.com", Enabled: true}, "test", now))
	id := call.NewID()
	_, err = one.BookCall(ctx, call.Call{
		ID: id, OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "order",
		CreatedAt: now, ScheduledAt: now,
		Attempt: call.AttemptChain{Number: 1, Max: 2, ChainID: id, Plan: call.RetryPlan{MaxAttempts: 2}},
	}, "test", nil)
	must(err)
	_, err = one.ReleaseCall(ctx, "bakery", id, now)
	must(err)
	var taken []call.Call
	watch := newLeaseWatch()
	sweep := func(want int, when string) {
		t.Helper()
		must(two.renewLease(ctx, nil, watch))
		two.takeOver(ctx, LeaseHolder{Rescued: func(some []call.Call) { taken = append(taken, some...) }}, watch)
		if len(taken) != want {
			t.Fatalf("%s %d calls were taken over, want %d", when, len(taken), want)
		}
	}
	must(one.renewLease(ctx, nil, newLeaseWatch()))
	sweep(0, "while the first appliance lives")
	server.Run(t, "UPDATE appliances SET deadline = now() - interval '1 s' WHERE id = 'one'")
	sweep(0, "by an appliance that has just come")
	watch.passTime(leaseTime)
	server.Run(t, "UPDATE appliances SET deadline = now() - interval '1 s' WHERE id = 'two'")
	sweep(0, "by an appliance that was away itself")
	watch.passTime(leaseTime)
	sweep(1, "after the lease has expired")
	sweep(1, "a second time")
	ended, err := two.FindCall(ctx, "bakery", id)
	must(err)
	if call.ReasonOf(ended.Failure) != call.Interrupted || ended.Attempt.NextID == nil || !ended.Notify {
		t.Errorf("it ended as %+v", ended)
	}
	due, _, err := two.DueDeliveries(ctx, func(string) int { return 9 }, nil, time.Now(), 9)
	if must(err); len(due) != 1 {
		t.Errorf("%d deliveries are due with the appliance that took over", len(due))
	}
	if due, _, err = one.DueDeliveries(ctx, func(string) int { return 9 }, nil, time.Now(), 9); err != nil || len(due) != 0 {
		t.Errorf("%d deliveries are due with the other one, %v", len(due), err)
	}
	// The first appliance was only disconnected: the true outcome replaces the interrupted one, its webhook follows, and
	// the retry that is no longer needed is cancelled.
	seconds := 30
	outcome := call.CallOutcome{Status: call.Completed, Duration: &seconds, Messages: []call.Message{{Content: "نعم"}}}
	if _, err := two.FinishCall(ctx, "bakery", id, outcome, nil, now); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("another appliance corrects a call of the first: %v", err)
	}
	after, err := one.FinishCall(ctx, "bakery", id, outcome, nil, now)
	must(err)
	if after.Status != call.Completed || after.Failure != nil || after.StartedAt == nil || after.Attempt.NextID != nil {
		t.Errorf("the corrected call is %+v", after)
	}
	if retry, err := one.FindCall(ctx, "bakery", *ended.Attempt.NextID); err != nil || retry.Status != call.Cancelled {
		t.Errorf("the retry of the corrected call is %s, %v", retry.Status, err)
	}
	if due, _, err = one.DueDeliveries(ctx, func(string) int { return 9 }, nil, time.Now(), 9); err != nil || len(due) != 1 {
		t.Errorf("%d deliveries of the correction are due, %v", len(due), err)
	}
	if _, err := one.FinishCall(ctx, "bakery", id, outcome, nil, now); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("a call was corrected twice: %v", err)
	}
	tallies, err := one.TallyCalls(ctx, "bakery", time.Time{}, time.Time{})
	must(err)
	if len(tallies) != 1 || tallies[0].Counts[call.Completed] != 1 || tallies[0].Counts[call.Failed] != 0 {
		t.Errorf("after the correction the counters are %+v", tallies)
	}
	must(one.ChangeRules(ctx, "bakery", "test", now, func(r *callrules.CallRules) error { r.KillSwitch = true; return nil }))
}

// passTime advances the clock that an appliance uses for leases.
func (w *leaseWatch) passTime(d time.Duration) {
	w.held = w.held.Add(-d)
	for id, one := range w.seen {
		one.at = one.at.Add(-d)
		w.seen[id] = one
	}
}

// TestDatabaseClockJumps: if the database's clock is set forward, leases renewed just before have expired although
// their owners run; if it is set back, the lease of a dead appliance seems valid for an hour. Neither is misjudged.
func TestDatabaseClockJumps(t *testing.T) {
	t.Parallel()
	one, server := openAlone(t)
	ctx := t.Context()
	two, err := OpenStore(ctx, server.URL(""), OpenOptions{Appliance: "two", NeedsLease: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = two.Close() }()
	id := releasedCall(t, one)
	watch, rescued := newLeaseWatch(), 0
	look := func() {
		t.Helper()
		if err := two.renewLease(ctx, nil, watch); err != nil {
			t.Fatal(err)
		}
		two.takeOver(ctx, LeaseHolder{Rescued: func(some []call.Call) { rescued += len(some) }}, watch)
	}
	if err := one.renewLease(ctx, nil, newLeaseWatch()); err != nil {
		t.Fatal(err)
	}
	look()
	watch.passTime(2 * leaseTime)
	if err := one.renewLease(ctx, nil, newLeaseWatch()); err != nil {
		t.Fatal(err)
	}
	look()
	server.Run(t, "UPDATE appliances SET deadline = deadline - interval '41 s' WHERE id = 'one'") // the jump
	look()
	if rescued != 0 {
		t.Errorf("after a jump of the clock %d calls of a running appliance were ended", rescued)
	}
	server.Run(t, "UPDATE appliances SET deadline = now() + interval '1 h'")
	if _, err := two.ReleaseCall(ctx, "bakery", id, time.Now()); store.CodeOf(err) != store.CodeUnavailable {
		t.Errorf("an appliance whose lease was not renewed since the clock was set back releases a call: %v", err)
	}
	look()
	watch.passTime(2 * leaseTime)
	look()
	if rescued != 1 {
		t.Errorf("%d calls of a dead appliance were ended after the clock was set back, want 1", rescued)
	}
	if all, err := two.ListAppliances(ctx); err != nil || len(all) != 2 || all[0].Alive || !all[1].Alive || all[0].Silent < 0 {
		t.Errorf("listed are %+v, %v", all, err)
	}
}

// TestReleaseWithoutAnswer: a call whose release was committed, but whose appliance did not receive the answer, is ended
// as interrupted; a call with a line is not.
func TestReleaseWithoutAnswer(t *testing.T) {
	t.Parallel()
	s, _ := openAlone(t)
	id := releasedCall(t, s)
	var ended []call.Call
	held, watch := true, newLeaseWatch()
	holder := LeaseHolder{
		Rescued:   func(some []call.Call) { ended = append(ended, some...) },
		HoldsCall: func(asked string) bool { return held && asked == id },
	}
	for _, want := range []int{0, 1, 1} {
		if err := s.renewLease(t.Context(), nil, watch); err != nil {
			t.Fatal(err)
		}
		if s.takeOver(t.Context(), holder, watch); len(ended) != want {
			t.Fatalf("held %v: %d calls were ended, want %d", held, len(ended), want)
		}
		held = false
	}
	if call.ReasonOf(ended[0].Failure) != call.Interrupted {
		t.Errorf("it ended as %+v", ended[0])
	}
}

// TestRepeatedReturn: an appliance that repeats the return of a call to the queue, because it did not receive the
// answer, does not requeue, answer or end a call that another appliance dials by now.
func TestRepeatedReturn(t *testing.T) {
	t.Parallel()
	one, server := openAlone(t)
	ctx, now := t.Context(), time.Now()
	two, err := OpenStore(ctx, server.URL(""), OpenOptions{Appliance: "two"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = two.Close() }()
	id := releasedCall(t, one)
	if _, err := one.ReturnCall(ctx, "bakery", id, now, "busy trunk", now); err != nil {
		t.Fatal(err)
	}
	if _, err := two.ReleaseCall(ctx, "bakery", id, now); err != nil {
		t.Fatal(err)
	}
	failed := call.CallOutcome{Status: call.Failed, Failure: &call.CallFailure{Reason: call.CarrierFailure}}
	for what, change := range map[string]func() (call.Call, error){
		"return": func() (call.Call, error) { return one.ReturnCall(ctx, "bakery", id, now, "busy trunk", now) },
		"answer": func() (call.Call, error) { return one.AnswerCall(ctx, "bakery", id, "", now) },
		"end":    func() (call.Call, error) { return one.FinishCall(ctx, "bakery", id, failed, nil, now) },
	} {
		if _, err := change(); store.CodeOf(err) != store.CodeConflict {
			t.Errorf("%s of a call that another appliance dials: %v", what, err)
		}
	}
	if c, err := two.FindCall(ctx, "bakery", id); err != nil || c.Status != call.Dialing {
		t.Errorf("the call is %s, %v", c.Status, err)
	}
}

// releasedCall books and releases a call of a new organization.
func releasedCall(t *testing.T, s *PostgresStore) string {
	t.Helper()
	id, now := call.NewID(), time.Now()
	err := s.CreateOrganization(t.Context(), account.Organization{ID: "bakery"}, "test")
	if err == nil {
		_, err = s.BookCall(t.Context(), call.Call{
			ID: id, OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "order",
			CreatedAt: now, ScheduledAt: now, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
		}, "test", nil)
	}
	if err == nil {
		_, err = s.ReleaseCall(t.Context(), "bakery", id, now)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestDatabaseAway: while the server is down, methods fail with CodeUnavailable, and the same store works again when it
// is back; acknowledged changes exist.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	s, server := openAlone(t)
	org := account.Organization{ID: "bakery"}
	if err := s.CreateOrganization(t.Context(), org, "test"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := s.Ping(t.Context()); err == nil {
			t.Error("the database answers while it is away")
		}
		wantUnavailable(t, s.AddAudit(t.Context(), "bakery", storeEntry()))
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		if err := s.AddAudit(t.Context(), "bakery", storeEntry()); err != nil {
			t.Errorf("after its return: %v", err)
		}
	}
	page, err := s.AuditTrail(t.Context(), "bakery", 10, "")
	if err != nil || len(page.Items) != 4 {
		t.Errorf("the trail has %d entries, %v", len(page.Items), err)
	}
}

// TestClaimNeedsLease: an appliance without a lease, such as one that has just reconnected, claims neither calls nor
// jobs: others would end them as those of a dead one.
func TestClaimNeedsLease(t *testing.T) {
	t.Parallel()
	one, server := openAlone(t)
	ctx, now := t.Context(), time.Now()
	two, err := OpenStore(ctx, server.URL(""), OpenOptions{Appliance: "two", NeedsLease: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = two.Close() }()
	if err := one.CreateOrganization(ctx, account.Organization{ID: "bakery"}, "test"); err != nil {
		t.Fatal(err)
	}
	id := call.NewID()
	if _, err = one.BookCall(ctx, call.Call{
		ID: id, OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "order",
		CreatedAt: now, ScheduledAt: now, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
	}, "test", nil); err != nil {
		t.Fatal(err)
	}
	j := job.Job{ID: "one", OrgID: "bakery", Status: job.Queued, CreatedAt: now, Shared: true}
	if err := one.EnqueueJob(ctx, j, job.QueueLimits{}); err != nil {
		t.Fatal(err)
	}
	two.sharesUploads = true
	for _, leased := range []bool{false, true} {
		want := store.CodeUnavailable
		if leased {
			two.BeginLease(ctx, nil)
			want = ""
		}
		if _, _, err := two.ClaimJob(ctx, now); store.CodeOf(err) != want {
			t.Errorf("leased %v: a job is claimed: %v", leased, err)
		}
		if _, err := two.ReleaseCall(ctx, "bakery", id, now); store.CodeOf(err) != want {
			t.Errorf("leased %v: a call is claimed: %v", leased, err)
		}
	}
}
