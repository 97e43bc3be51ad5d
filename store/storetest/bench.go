package storetest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/delivery"
)

// benchClients is the number of concurrent clients; benchLines that of lines whose calls are claimed at once.
const (
	benchClients = 16
	benchLines   = 200
)

// BenchmarkCalls books, claims (releases to a line), ends and notifies b.N calls with 16 concurrent clients, distributed
// over the stores; several stores are appliances that share a database. As many others are claimed by 200 lines at once.
// It reports the rate of each step.
func BenchmarkCalls(b *testing.B, stores ...store.Store) {
	b.Helper()
	ctx, now := b.Context(), time.Now()
	must := func(err error) {
		if err != nil {
			b.Error(err)
		}
	}
	must(stores[0].CreateOrganization(ctx, account.Organization{ID: "bench"}, "test"))
	must(ReplaceWebhook(
		ctx, stores[0], "bench", delivery.WebhookSetting{URL: "https://example.com", Enabled: true}, "test", now,
	))
	ids := make([]string, 2*b.N)
	for i := range ids {
		ids[i] = call.NewID()
	}
	book := func(s store.Store, i int) error {
		_, err := s.BookCall(ctx, call.Call{
			ID: ids[i], OrgID: "bench", Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+9665%08d", i), ScenarioID: "order",
			CreatedAt: now, ScheduledAt: now, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: ids[i]},
		}, "test", nil)
		return err
	}
	claim := func(s store.Store, i int) error {
		_, err := s.ReleaseCall(ctx, "bench", ids[i], now)
		return err
	}
	timeStep(b, "book", benchClients, b.N, stores, book)
	timeStep(b, "claim", benchClients, b.N, stores, claim)
	timeStep(b, "", benchClients, b.N, stores, func(s store.Store, i int) error { return book(s, b.N+i) })
	timeStep(b, "claim-by-lines", benchLines, b.N, stores, func(s store.Store, i int) error { return claim(s, b.N+i) })
	timeStep(b, "finish", benchClients, b.N, stores, func(s store.Store, i int) error {
		// Each call is ended by the appliance that owns it.
		_, err := s.FinishCall(ctx, "bench", ids[i], call.CallOutcome{Status: call.NoAnswer}, nil, now)
		return err
	})
	var due []string
	for _, s := range stores {
		all, _, err := s.DueDeliveries(ctx, func(string) int { return b.N }, func(string) bool { return false },
			time.Now(), b.N)
		must(err)
		for _, d := range all {
			due = append(due, d.ID)
		}
	}
	timeStep(b, "deliver", benchClients, len(due), stores, func(s store.Store, i int) error {
		_, err := s.RecordTry(ctx, "bench", due[i], delivery.DeliveryTry{At: now, StatusCode: 200}, time.Now())
		return err
	})
}

// timeStep runs a step n times by a number of clients and, if it has a name, reports its rate.
func timeStep(b *testing.B, name string, clients, n int, stores []store.Store, do func(s store.Store, i int) error) {
	b.Helper()
	var next atomic.Int64
	var all sync.WaitGroup
	begin := time.Now()
	for range clients {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(stores[i%len(stores)], i); err != nil {
					b.Error(name, err)
				}
			}
		})
	}
	all.Wait()
	if name != "" {
		b.ReportMetric(float64(n)/time.Since(begin).Seconds(), name+"/s")
	}
}

// ClaimDue finds one due call and releases it, as the scheduler does; it returns the time that this took.
func ClaimDue(ctx context.Context, s store.Store) (time.Duration, error) {
	begin := time.Now()
	due, _, err := s.DueCallsOf(ctx, func(string) int { return 1 }, begin, 1)
	if err == nil && len(due) == 0 {
		err = store.Errorf(store.CodeNotFound, "no call is due")
	}
	if err == nil {
		_, err = s.ReleaseCall(ctx, due[0].OrgID, due[0].ID, begin)
	}
	return time.Since(begin), err
}
