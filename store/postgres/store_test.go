package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/job"
	"munadi/store/postgres"
	"munadi/store/postgres/postgrestest"
	"munadi/store/storetest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	postgrestest.CloseShared()
	os.Exit(code)
}

// openStore opens a store or ends the test.
func openStore(t testing.TB, url, appliance string) *postgres.PostgresStore {
	t.Helper()
	s, err := postgres.OpenStore(t.Context(), url, postgres.OpenOptions{Appliance: appliance})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	cluster := postgrestest.SharedServer(t)
	storetest.RunSuite(t, func(t *testing.T) store.Store { return openStore(t, cluster.NewURL(t), fmt.Sprint("test ", t.Name())) })
}

// TestWatchersOfOthers: a commit of one appliance wakes the workers of another within the time that kill switch and
// hang-up may take.
func TestWatchersOfOthers(t *testing.T) {
	t.Parallel()
	url := postgrestest.SharedServer(t).NewURL(t)
	one, two := openStore(t, url, "one"), openStore(t, url, "two")
	woken, stop := two.WatchKind(store.CallsChanged)
	defer stop()
	if err := one.CreateOrganization(t.Context(), account.Organization{ID: "bakery"}, "test"); err != nil {
		t.Fatal(err)
	}
	for range 600 { // the other appliance may not listen yet
		stopCalls := func(r *callrules.CallRules) error { r.KillSwitch = true; return nil }
		if err := one.ChangeRules(t.Context(), "bakery", "test", time.Now(), stopCalls); err != nil {
			t.Fatal(err)
		}
		select {
		case <-woken:
			if r, err := two.FindRules(t.Context(), "bakery"); err != nil || !r.KillSwitch {
				t.Errorf("the other appliance reads %+v, %v", r, err)
			}
			return
		case <-time.After(200 * time.Millisecond):
		}
	}
	t.Error("the other appliance was not woken in two minutes")
}

// TestQueueLimitsOfTwo: two appliances together queue no more jobs than the limits allow, and one that was declared
// dead can neither fail nor return the job that the other one runs.
func TestQueueLimitsOfTwo(t *testing.T) {
	t.Parallel()
	url := postgrestest.SharedServer(t).NewURL(t)
	var both []*postgres.PostgresStore
	for _, name := range []string{"one", "two"} {
		s, err := postgres.OpenStore(t.Context(), url, postgres.OpenOptions{Appliance: name, SharesUploads: true})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		both = append(both, s)
	}
	ctx, now := t.Context(), time.Now()
	var accepted atomic.Int32
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			j := job.Job{ID: fmt.Sprint(i), OrgID: "bakery", Status: job.Queued, CreatedAt: now, Shared: true}
			err := both[i%2].EnqueueJob(ctx, j, job.QueueLimits{All: 9, Share: 3})
			var full *job.QueueFullError
			if err == nil {
				accepted.Add(1)
			} else if !errors.As(err, &full) || full.OfAll {
				t.Errorf("EnqueueJob: %v", err)
			}
		})
	}
	all.Wait()
	if accepted.Load() != 3 {
		t.Errorf("%d jobs were accepted, want 3", accepted.Load())
	}
	j, _, err := both[0].ClaimJob(ctx, now)
	if err == nil {
		_, err = both[0].RequeueRunning(ctx, now.Add(-time.Hour)) // as another appliance would, ahead of the others
	}
	if again, _, claimed := both[1].ClaimJob(ctx, now); err != nil || claimed != nil || again.ID != j.ID {
		t.Fatalf("the other appliance runs %s after %s: %v, %v", again.ID, j.ID, err, claimed)
	}
	if err := both[0].FailJob(ctx, "bakery", j.ID, job.JobFailure{Code: "x"}, now); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("an appliance fails a job of another one: %v", err)
	}
	if err := both[0].ReturnJob(ctx, "bakery", j.ID); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("an appliance returns a job of another one: %v", err)
	}
	if err := both[1].FinishJob(ctx, "bakery", j.ID, []byte(`{}`), now); err != nil {
		t.Errorf("its own appliance finishes it: %v", err)
	}
}

// TestOneNumberAtATime: two appliances do not call the same number for the same organization at once.
func TestOneNumberAtATime(t *testing.T) {
	t.Parallel()
	url := postgrestest.SharedServer(t).NewURL(t)
	one, two := openStore(t, url, "one"), openStore(t, url, "two")
	if err := one.CreateOrganization(t.Context(), account.Organization{ID: "bakery"}, "test"); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	var ids []string
	for range 3 {
		c := call.Call{
			ID: call.NewID(), OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "order",
			CreatedAt: now, ScheduledAt: now, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: "x"},
		}
		if _, err := one.BookCall(t.Context(), c, "test", nil); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.ID)
	}
	if _, err := one.ReleaseCall(t.Context(), "bakery", ids[0], now); err != nil {
		t.Fatal(err)
	}
	if _, err := two.ReleaseCall(t.Context(), "bakery", ids[1], now); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("the second appliance releases a call to the same number: %v", err)
	}
	if due, _, err := storetest.FindDueCalls(t.Context(), two, now, 10); err != nil || len(due) != 0 {
		t.Errorf("%d calls to the number are due for the second appliance, %v", len(due), err)
	}
	if _, err := two.ReleaseCall(t.Context(), "bakery", ids[0], now); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("a call that is on a line was released again: %v", err)
	}
	if rescued, err := two.RescueCalls(t.Context(), now); err != nil || len(rescued) != 0 {
		t.Errorf("the start of the second appliance ended calls of the first: %+v, %v", rescued, err)
	}
	if rescued, err := one.RescueCalls(t.Context(), now); err != nil || len(rescued) != 1 {
		t.Errorf("the first appliance rescued %+v, %v", rescued, err)
	}
	if _, err := two.ReleaseCall(t.Context(), "bakery", ids[1], now); err != nil {
		t.Errorf("the number is free, and the second appliance cannot release: %v", err)
	}
}

// TestClaimsAtOnce: two appliances claim many calls at once, in transactions that several claims share. Each call is
// claimed once, no number by both, and of a limited organization exactly as many as its limit.
func TestClaimsAtOnce(t *testing.T) {
	t.Parallel()
	const numbers, limit = 30, 7
	url := postgrestest.SharedServer(t).NewURL(t)
	both := []*postgres.PostgresStore{openStore(t, url, "one"), openStore(t, url, "two")}
	now := time.Now()
	var ids [2][]string // of free, and of limited, whose calls at each index twice in a row have one number
	for i, org := range []string{"free", "limited"} {
		err := both[0].CreateOrganization(t.Context(), account.Organization{ID: org}, "test")
		if err == nil && i == 1 {
			err = storetest.ReplaceRules(t.Context(), both[0], org, callrules.CallRules{MaxConcurrent: limit}, "test", now)
		}
		for n := range 2 * numbers {
			c := call.Call{
				ID: call.NewID(), OrgID: org, Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+9665%08d", n/2),
				ScenarioID: "order", CreatedAt: now, ScheduledAt: now, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: "x"},
			}
			if err == nil {
				_, err = both[0].BookCall(t.Context(), c, "test", nil)
			}
			ids[i] = append(ids[i], c.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	claimed := map[string]int{} // by organization; of free by number, too
	var all sync.WaitGroup
	for i, org := range []string{"free", "limited"} {
		for n, id := range ids[i] {
			for _, s := range []*postgres.PostgresStore{both[n%2], both[n%2]} { // the appliance tries twice
				all.Go(func() {
					_, err := s.ReleaseCall(t.Context(), org, id, now)
					if code := store.CodeOf(err); code != "" && code != store.CodeConflict {
						t.Error(err)
					}
					if mu.Lock(); err == nil {
						claimed[org]++
						claimed[fmt.Sprint(org, n/2)]++
					}
					mu.Unlock()
				})
			}
		}
	}
	all.Wait()
	if claimed["free"] != numbers || claimed["limited"] != limit {
		t.Errorf("%d calls were claimed, want one for each of %d numbers; and %d, want %d",
			claimed["free"], numbers, claimed["limited"], limit)
	}
	for n := range numbers {
		if claimed[fmt.Sprint("free", n)] != 1 {
			t.Errorf("number %d is claimed %d times", n, claimed[fmt.Sprint("free", n)])
		}
	}
}
