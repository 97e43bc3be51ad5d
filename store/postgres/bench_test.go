package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/postgres/postgrestest"
)

// BenchmarkCall books, releases and ends calls on a server that syncs its commits, by 16 clients at once.
func BenchmarkCall(b *testing.B) {
	postgrestest.NeedServer(b)
	server, err := postgrestest.StartServer(true)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	s, err := OpenStore(b.Context(), server.URL(""), OpenOptions{Appliance: "one"})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.CreateOrganization(b.Context(), account.Organization{ID: "bakery"}, "test"); err != nil {
		b.Fatal(err)
	}
	steps := []struct {
		name string
		do   func(ctx context.Context, c call.Call) error
	}{
		{"book", func(ctx context.Context, c call.Call) error { _, err := s.BookCall(ctx, c, "test", nil); return err }},
		{"release", func(ctx context.Context, c call.Call) error {
			_, err := s.ReleaseCall(ctx, "bakery", c.ID, c.ScheduledAt)
			return err
		}},
		{"finish", func(ctx context.Context, c call.Call) error {
			_, err := s.FinishCall(ctx, "bakery", c.ID, call.CallOutcome{Status: call.NoAnswer}, nil, c.ScheduledAt)
			return err
		}},
	}
	now := time.Now()
	all := make([]call.Call, 0, b.N)
	for i := range b.N {
		id := call.NewID()
		all = append(all, call.Call{
			ID: id, OrgID: "bakery", Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+9665%08d", i), ScenarioID: "order",
			CreatedAt: now, ScheduledAt: now, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
		})
	}
	for _, step := range steps {
		var next atomic.Int64
		begin := time.Now()
		b.SetParallelism(8)
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				if i := next.Add(1) - 1; int(i) < len(all) {
					if err := step.do(b.Context(), all[i]); err != nil {
						b.Error(err)
					}
				}
			}
		})
		b.ReportMetric(float64(b.N)/time.Since(begin).Seconds(), step.name+"/s")
	}
}
