package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/job"
)

// jobsInOrder: jobs are claimed in order of creation over all organizations, regardless of their ids.
func jobsInOrder(t *testing.T, s store.Store) {
	enqueueJob(t, s, "bakery", "c", startTime().Add(time.Second))
	enqueueJob(t, s, "airline", "b", startTime().Add(time.Second*2))
	enqueueJob(t, s, "zoo", "a", startTime())
	for org, want := range map[string]int{"bakery": 1, "zoo": 1, "nobody": 0} {
		own, all, err := s.QueuedJobs(t.Context(), org)
		if wantCode(t, "QueuedJobs", err, ""); own != want || all != 3 {
			t.Errorf("%s has %d of %d waiting jobs, want %d of 3", org, own, all, want)
		}
	}
	for _, id := range []string{"a", "c", "b"} {
		claimJob(t, s, id)
	}
	_, ok, err := s.ClaimJob(t.Context(), startTime())
	if wantCode(t, "ClaimJob", err, ""); ok {
		t.Fatal("a fourth job was claimed")
	}
}

// jobsWithinLimits: concurrent bookings are accepted up to the limits, and a claimed job makes room.
func jobsWithinLimits(t *testing.T, s store.Store) {
	limits := job.QueueLimits{All: 5, Share: 3}
	var mu sync.Mutex
	accepted := map[string]int{}
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			org := []string{"bakery", "airline"}[i%2]
			err := s.EnqueueJob(t.Context(), newJob(org, fmt.Sprint(i), startTime()), limits)
			var full *job.QueueFullError
			if err != nil && !errors.As(err, &full) {
				t.Errorf("EnqueueJob: %v", err)
			} else if err == nil {
				mu.Lock()
				defer mu.Unlock()
				accepted[org]++
			}
		})
	}
	wg.Wait()
	if accepted["bakery"] > 3 || accepted["airline"] > 3 || accepted["bakery"]+accepted["airline"] != 5 {
		t.Errorf("accepted are %v, want 5, at most 3 of one organization", accepted)
	}
	if _, ok, err := s.ClaimJob(t.Context(), startTime()); err != nil || !ok {
		t.Fatalf("ClaimJob: %v, %v", ok, err)
	}
	wantCode(t, "room again", s.EnqueueJob(t.Context(), newJob("zoo", "one", startTime()), limits), "")
	wantCode(t, "no limits", s.EnqueueJob(t.Context(), newJob("zoo", "two", startTime()), job.QueueLimits{}), "")
}

// jobsTakeTurns: an organization with many jobs does not delay another one's.
func jobsTakeTurns(t *testing.T, s store.Store) {
	for i, id := range []string{"a1", "a2", "a3"} {
		enqueueJob(t, s, "bakery", id, startTime().Add(time.Duration(i)))
	}
	claimAt := func(want string, after time.Duration) {
		t.Helper()
		j, ok, err := s.ClaimJob(t.Context(), startTime().Add(after))
		if wantCode(t, "ClaimJob", err, ""); !ok || j.ID != want {
			t.Fatalf("claimed %q, want %q", j.ID, want)
		}
	}
	claimAt("a1", time.Second)
	enqueueJob(t, s, "airline", "b1", startTime().Add(time.Minute))
	enqueueJob(t, s, "airline", "b2", startTime().Add(time.Minute+1))
	enqueueJob(t, s, "zoo", "c1", startTime().Add(time.Minute+2))
	claimAt("b1", 2*time.Second)
	claimAt("c1", 3*time.Second)
	wantCode(t, "FailJob", s.FailJob(t.Context(), "zoo", "c1", job.JobFailure{Code: "x"}, startTime()), "")
	claimAt("a2", 4*time.Second)
	enqueueJob(t, s, "zoo", "c2", startTime())
	claimAt("b2", 5*time.Second)
	claimAt("c2", 6*time.Second)
	claimAt("a3", 7*time.Second)
}

// jobsClaimedOnce: concurrent workers never claim the same job.
func jobsClaimedOnce(t *testing.T, s store.Store) {
	const jobs, workers = 40, 8
	for i := range jobs {
		enqueueJob(t, s, "bakery", fmt.Sprint(i), startTime().Add(time.Duration(i)))
	}
	var mu sync.Mutex
	times := map[string]int{}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				j, ok, err := s.ClaimJob(t.Context(), startTime())
				if err != nil {
					t.Errorf("ClaimJob: %v", err)
				}
				if !ok {
					return
				}
				mu.Lock()
				times[j.ID]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for id, n := range times {
		if n != 1 {
			t.Errorf("job %s was claimed %d times", id, n)
		}
	}
	if len(times) != jobs {
		t.Errorf("%d of %d jobs were claimed", len(times), jobs)
	}
}
