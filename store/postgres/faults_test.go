package postgres

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/postgres/postgrestest"
)

// TestServerKilledUnderLoad: the server is killed repeatedly while calls are booked, released and ended. Acknowledged
// changes exist, no call is released twice, and each idempotency key books one call.
func TestServerKilledUnderLoad(t *testing.T) {
	t.Parallel()
	s, server := openAlone(t)
	kills := 3
	if os.Getenv("MUNADI_LONG") == "1" {
		kills = 50
	}
	load := startLoad(t, s)
	for range kills {
		time.Sleep(300 * time.Millisecond)
		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(300 * time.Millisecond)
	t.Logf("%d kills, %d calls acknowledged", kills, load.finish(t, server))
}

// TestFailoverToStandby: the primary server is killed under load and its synchronous standby promoted. The store finds
// the new primary by the hosts of its URL; acknowledged changes exist, and nothing is released or booked twice.
func TestFailoverToStandby(t *testing.T) {
	t.Parallel()
	_, primary := openAlone(t)
	standby := primary.StartStandby(t)
	s, err := OpenStore(t.Context(), postgrestest.FailoverURL(primary, standby), OpenOptions{Appliance: "two"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	load := startLoad(t, s)
	time.Sleep(time.Second)
	if err := primary.Kill(); err != nil {
		t.Fatal(err)
	}
	before := load.acknowledged()
	standby.Promote(t)
	for deadline := time.Now().Add(5 * time.Minute); load.acknowledged() < before+20; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no calls end on the promoted server")
		}
	}
	t.Logf("%d calls acknowledged before the failover, %d in all", before, load.finish(t, standby))
}

// callLoad books, releases and ends calls until it is finished.
type callLoad struct {
	store   *PostgresStore
	stop    context.CancelFunc
	workers sync.WaitGroup
	mu      sync.Mutex
	ended   map[string]bool // calls whose end was acknowledged
}

func startLoad(t *testing.T, s *PostgresStore) *callLoad {
	t.Helper()
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "bakery"}, "test"); err != nil {
		t.Fatal(err)
	}
	loading, stop := context.WithCancel(t.Context())
	l := &callLoad{store: s, stop: stop, ended: map[string]bool{}}
	for worker := range 16 { // enough for claims that share transactions
		l.workers.Go(func() {
			for i := 0; loading.Err() == nil; i++ {
				if id := runCall(t, s, fmt.Sprintf("%d-%d", worker, i), loading); id != "" {
					l.mu.Lock()
					l.ended[id] = true
					l.mu.Unlock()
				}
			}
		})
	}
	t.Cleanup(stop)
	return l
}

// acknowledged counts the calls whose end was acknowledged.
func (l *callLoad) acknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.ended)
}

// finish ends the load and compares the acknowledged changes with the server's records; it returns the number of
// acknowledged calls.
func (l *callLoad) finish(t *testing.T, server *postgrestest.Server) int {
	t.Helper()
	l.stop()
	l.workers.Wait()
	for id := range l.ended {
		if c, err := l.store.FindCall(t.Context(), "bakery", id); err != nil || c.Status != call.NoAnswer {
			t.Errorf("the end of call %s was acknowledged; it is %s, %v", id, c.Status, err)
		}
	}
	if n := server.Run(t, "SELECT count(*) FROM (SELECT number FROM calls GROUP BY number HAVING count(*) > 1) twice"); n != "0" {
		t.Errorf("%s bookings were made twice", n)
	}
	if n := server.Run(t, "SELECT count(*) FROM (SELECT call FROM call_lines WHERE convert_from(record, 'UTF8') LIKE "+
		"'%\"released\"%' GROUP BY call HAVING count(*) > 1) twice"); n != "0" {
		t.Errorf("%s calls were released twice", n)
	}
	return len(l.ended)
}

// runCall books, releases and ends a call, and returns its id when all steps were acknowledged. Failed steps are
// retried as clients do: a booking under its idempotency key, an end until it is stored.
func runCall(t *testing.T, s *PostgresStore, name string, loading context.Context) string { //nolint:revive // it stops the load, the calls end
	c := call.Call{
		OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+" + name, ScenarioID: "order",
		CreatedAt: time.Now(), ScheduledAt: time.Now(), Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: "x"},
	}
	var id string
	for id == "" {
		c.ID = call.NewID()
		receipt, err := s.BookCall(t.Context(), c, "test", &store.IdempotencyReceipt{Key: name, MadeAt: time.Now()})
		if id = receipt.CallID; err != nil {
			id = ""
		}
		if err != nil && loading.Err() != nil {
			return ""
		}
	}
	if _, err := s.ReleaseCall(t.Context(), "bakery", id, time.Now()); err != nil {
		return "" // it may have been released; RescueCalls ends it
	}
	for range 1000 {
		o := call.CallOutcome{Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout}}
		_, err := s.FinishCall(t.Context(), "bakery", id, o, nil, time.Now())
		if err == nil || store.CodeOf(err) == store.CodeConflict {
			return id
		}
		time.Sleep(10 * time.Millisecond)
	}
	return ""
}
