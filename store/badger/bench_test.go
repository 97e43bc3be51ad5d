package badger

import (
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/record"
	"munadi/store/records"
	"munadi/store/storetest"
)

// BenchmarkBadgerSyncedWrite measures the upper limit of acknowledged writes: Badger's own synced commits of one small
// value each, by one writer and by as many as a busy appliance has.
func BenchmarkBadgerSyncedWrite(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			db, err := badgerdb.Open(badgerOptions(b.TempDir(), OpenOptions{}))
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			runParallel(b, writers, func(i int) error {
				return db.Update(func(txn *badgerdb.Txn) error {
					return txn.Set(fmt.Appendf(nil, "bench/%d", i), []byte(`{"status":"scheduled"}`))
				})
			})
		})
	}
}

// BenchmarkBook books calls, each acknowledged after its commit was synced.
func BenchmarkBook(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			s := openCalls(b, b.TempDir(), OpenOptions{}, "bakery")
			runParallel(b, writers, func(i int) error {
				c := newTestCall("bakery")
				_, err := s.BookCall(b.Context(), c, "key:x", &store.IdempotencyReceipt{Key: fmt.Sprint(i), MadeAt: c.CreatedAt})
				return err
			})
		})
	}
}

// BenchmarkBookNamed measures what the search by name costs a booking: rounds of 1,984 bookings by 64 writers, in turn of
// calls that are found by name and of calls that are not, each in its own store. It reports the median rates, and the
// processor time of a booking, with what runs in the background.
func BenchmarkBookNamed(b *testing.B) {
	var stores [2]*BadgerStore
	for i := range stores {
		stores[i] = openCalls(b, b.TempDir(), OpenOptions{}, "bakery")
	}
	const writers, each = 64, 31
	var rates [2][]float64
	var busy [2]time.Duration
	bookRound := func(found int) {
		began, before := time.Now(), processorTime(b)
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				for range each {
					c := newTestCall("bakery")
					c.Variables = map[string]any{"name": "نورة عبدالله العتيبي", "date": "2026-12-01"}
					c.NameVariable = []string{"", "name"}[found]
					if _, err := stores[found].BookCall(b.Context(), c, "key:x", nil); err != nil {
						b.Error(err)
					}
				}
			})
		}
		wg.Wait()
		rates[found] = append(rates[found], writers*each/time.Since(began).Seconds())
		busy[found] += processorTime(b) - before
	}
	for i := 0; b.Loop(); i++ {
		bookRound(i % 2)
		bookRound(1 - i%2)
	}
	for i, what := range []string{"unnamed", "named"} {
		slices.Sort(rates[i])
		b.ReportMetric(rates[i][len(rates[i])/2], what+"/s")
		b.ReportMetric(float64(busy[i].Microseconds())/float64(len(rates[i])*writers*each), what+"-cpu-us")
	}
}

// processorTime returns the processor time that this process has used.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkCallLife books, releases, answers and finishes calls with their deliveries and retries.
func BenchmarkCallLife(b *testing.B) {
	s := openCalls(b, b.TempDir(), OpenOptions{}, "bakery")
	runParallel(b, 64, func(int) error {
		c := newTestCall("bakery")
		if _, err := s.BookCall(b.Context(), c, "key:x", nil); err != nil {
			return err
		}
		if _, err := s.ReleaseCall(b.Context(), "bakery", c.ID, testClock()); err != nil {
			return err
		}
		o := call.CallOutcome{Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout}}
		_, err := s.FinishCall(b.Context(), "bakery", c.ID, o, nil, testClock())
		return err
	})
}

// runParallel runs b.N operations in parallel.
func runParallel(b *testing.B, writers int, do func(i int) error) {
	b.Helper()
	b.ResetTimer()
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := w; i < b.N; i += writers {
				if err := do(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
}

// storeWithCalls returns a store with n calls booked for tomorrow, one of them due now.
func storeWithCalls(b *testing.B, n int) *BadgerStore {
	b.Helper()
	s := openCalls(b, b.TempDir(), OpenOptions{}, "bakery")
	var wg sync.WaitGroup
	for w := range 512 {
		wg.Go(func() {
			for i := w; i < n; i += 512 {
				c := newTestCall("bakery")
				c.ScenarioID = fmt.Sprint("scenario-", i%7)
				c.PhoneNumber = fmt.Sprintf("+9665%08d", i)
				c.CreatedAt = c.CreatedAt.Add(time.Duration(i) * time.Millisecond)
				if c.ScheduledAt = testClock().Add(24*time.Hour + time.Duration(i)*time.Second); i == n/2 {
					c.ScheduledAt = testClock()
				}
				if _, err := s.BookCall(b.Context(), c, "key:x", nil); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return s
}

// BenchmarkDueWith100kBooked lists due calls with 1 and with 100,000 calls booked: the cost must not grow.
func BenchmarkDueWith100kBooked(b *testing.B) {
	for _, n := range []int{1, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := storeWithCalls(b, n)
			b.ResetTimer()
			for b.Loop() {
				due, next, err := storetest.FindDueCalls(b.Context(), s, testClock(), 50)
				if err != nil || len(due) != 1 || next.IsZero() != (n == 1) {
					b.Fatal(len(due), next, err)
				}
			}
		})
	}
}

// BenchmarkPagesOf100k reads a page of 50 by each filter, the first and one from the middle.
func BenchmarkPagesOf100k(b *testing.B) {
	s := storeWithCalls(b, 100_000)
	for name, f := range map[string]store.CallFilter{
		"all":             {},
		"status":          {Statuses: []call.CallStatus{call.Scheduled}},
		"scenario":        {ScenarioID: "scenario-3"},
		"status+scenario": {Statuses: []call.CallStatus{call.Scheduled}, ScenarioID: "scenario-3"},
		"number":          {PhoneNumber: "+966500004711"},
		"due":             {Sort: store.SortByDueTime},
		"part of number":  {NumberContains: "4711"},
		"rare number":     {NumberContains: "500004711"},
		"nothing":         {Statuses: []call.CallStatus{call.Failed}, ScenarioID: "scenario-3"},
		"middle":          {CreatedTo: testClock().Add(50 * time.Second), Statuses: []call.CallStatus{call.Scheduled}},
	} {
		b.Run(name, func(b *testing.B) {
			for f.Limit = 50; b.Loop(); {
				if _, err := s.CallsPage(b.Context(), "bakery", f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReopenWith100kBooked measures the time that 100,000 calls add to an opening.
func BenchmarkReopenWith100kBooked(b *testing.B) {
	s := storeWithCalls(b, 100_000)
	dir := s.db.Opts().Dir
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		again, err := OpenStore(dir, OpenOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := again.RescueCalls(b.Context(), testClock()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := again.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkDueDeliveries lists due deliveries of 200 organizations with 100 pending rows each.
func BenchmarkDueDeliveries(b *testing.B) {
	s := openTest(b, b.TempDir(), OpenOptions{})
	for i := range 200 {
		orgID := fmt.Sprint("org-", i)
		if err := s.CreateOrganization(b.Context(), account.Organization{ID: orgID}, "test"); err != nil {
			b.Fatal(err)
		}
		err := s.updateTx(b.Context(), func(e writeTx) error {
			for range 100 {
				d := delivery.NewDelivery(orgID, delivery.CallEnded, call.NewID(), testClock())
				if err := records.EnqueueDelivery(e, d, record.LaneOfCalls); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		due, _, err := s.DueDeliveries(b.Context(), func(string) int { return 1 }, nil, testClock(), 1000)
		if err != nil || len(due) != 200 {
			b.Fatal(len(due), err)
		}
	}
}
