package records_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/memory"
	"munadi/store/records"
)

// slowDriver lets transactions wait until they may begin, and counts them.
type slowDriver struct {
	driver.Driver
	begin chan error // each begins a transaction, with an error one that fails before it commits

	mu    sync.Mutex
	count int
}

func (d *slowDriver) Update(ctx context.Context, f func(driver.Tx) error) error {
	d.mu.Lock()
	d.count++
	d.mu.Unlock()
	fault := <-d.begin
	return d.Driver.Update(ctx, func(tx driver.Tx) error {
		return errors.Join(f(tx), fault)
	})
}

// claimAll releases calls at once on a driver whose first transactions have the given faults, later ones none, and
// returns the errors and the number of transactions.
func claimAll(t *testing.T, n int, faults ...error) (errs []error, transactions int, s *memory.Store) {
	t.Helper()
	s = memory.OpenStore()
	now := time.Now()
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "bakery"}, "test"); err != nil {
		t.Fatal(err)
	}
	slow := &slowDriver{Driver: s, begin: make(chan error)}
	claims := records.NewRecords(slow)
	errs = make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		id := call.NewID()
		_, err := s.BookCall(t.Context(), call.Call{
			ID: id, OrgID: "bakery", Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+9665%08d", i), ScenarioID: "order",
			CreatedAt: now, ScheduledAt: now, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
		}, "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() { _, errs[i] = claims.ReleaseCall(t.Context(), "bakery", id, now) })
	}
	synctest.Wait() // all claims wait
	for _, fault := range faults {
		slow.begin <- fault
		synctest.Wait()
	}
	close(slow.begin)
	all.Wait()
	return errs, slow.count, s
}

// TestClaimsShareTransactions: claims that come while others are written share the next transaction, up to a number.
func TestClaimsShareTransactions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 150
		errs, transactions, s := claimAll(t, n)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		if transactions != 7 { // four at once of one claim each, then 64, 64 and 18
			t.Errorf("%d claims took %d transactions", n, transactions)
		}
		if left, _, err := s.DueCallsOf(t.Context(), func(string) int { return n }, time.Now(), n); err != nil || len(left) != 0 {
			t.Errorf("%d calls are still due, %v", len(left), err)
		}
	})
}

// TestFailedSharedTransaction: claims of a transaction that cannot be committed are repeated one by one, so that one
// call holds up no other; not while the database is away.
func TestFailedSharedTransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		errs, transactions, _ := claimAll(t, 12, nil, nil, nil, nil, errors.New("disk fault"))
		if err := errors.Join(errs...); err != nil || transactions != 13 {
			t.Errorf("%d transactions, %v", transactions, err)
		}
		away := store.Errorf(store.CodeUnavailable, "away")
		errs, transactions, s := claimAll(t, 12, nil, nil, nil, nil, away)
		failed := 0
		for _, err := range errs {
			if store.CodeOf(err) == store.CodeUnavailable {
				failed++
			} else if err != nil {
				t.Error(err)
			}
		}
		left, _, err := s.DueCallsOf(t.Context(), func(string) int { return 12 }, time.Now(), 12)
		if err != nil || failed != 8 || len(left) != failed || transactions != 5 {
			t.Errorf("%d of 12 claims failed in %d transactions, %d calls are due, %v", failed, transactions, len(left), err)
		}
	})
}
