package postgres

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/postgres/postgrestest"
	"munadi/store/storetest"
)

// benchStores opens stores of several appliances on a server that syncs its commits.
func benchStores(b *testing.B, n int) ([]*PostgresStore, *postgrestest.Server) {
	b.Helper()
	server := postgrestest.OpenServer(b, true)
	var all []*PostgresStore
	for i := range n {
		s, err := OpenStore(b.Context(), server.URL(""), OpenOptions{Appliance: fmt.Sprint("appliance ", i)})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = s.Close() })
		all = append(all, s)
	}
	return all, server
}

// BenchmarkCall is [storetest.BenchmarkCalls] on one appliance, and on two that share the database.
func BenchmarkCall(b *testing.B) {
	for n := 1; n <= 2; n++ {
		b.Run(fmt.Sprint("appliances ", n), func(b *testing.B) {
			all, _ := benchStores(b, n)
			var stores []store.Store
			for _, s := range all {
				stores = append(stores, s)
			}
			storetest.BenchmarkCalls(b, stores...)
		})
	}
}

// manyCalls copies the one call of the table a million times. Indexes are created afterwards, which is faster.
const manyCalls = `DO $$
DECLARE made text[]; one text;
BEGIN
	SELECT array_agg(indexdef) INTO made FROM pg_indexes WHERE tablename = 'calls' AND indexname <> 'calls_pkey';
	FOR one IN SELECT indexname FROM pg_indexes WHERE tablename = 'calls' AND indexname <> 'calls_pkey' LOOP
		EXECUTE 'DROP INDEX ' || one;
	END LOOP;
	INSERT INTO calls SELECT (r).* FROM (SELECT jsonb_populate_record(c, jsonb_build_object(
		'id', 'call_' || gen_random_uuid(), 'number', '+9666' || lpad(g::text, 8, '0'), 'due', c.due + g * 1000000::bigint)) AS r
		FROM calls c, generate_series(1, 1000000) g) copies;
	FOREACH one IN ARRAY made LOOP
		EXECUTE one;
	END LOOP;
END $$`

// BenchmarkDueAmongMany measures the time to find and release a due call among a million calls booked for later.
func BenchmarkDueAmongMany(b *testing.B) {
	all, server := benchStores(b, 1)
	s, now := all[0], time.Now()
	if err := s.CreateOrganization(b.Context(), account.Organization{ID: "bench"}, "test"); err != nil {
		b.Fatal(err)
	}
	book := func(at time.Time, i int) {
		id := call.NewID()
		if _, err := s.BookCall(b.Context(), call.Call{
			ID: id, OrgID: "bench", Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+9665%08d", i), ScenarioID: "order",
			CreatedAt: now, ScheduledAt: at, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
		}, "test", nil); err != nil {
			b.Fatal(err)
		}
	}
	book(now.Add(24*time.Hour), 0)
	server.Run(b, manyCalls)
	server.Run(b, "ANALYZE calls")
	for i := range b.N {
		book(now, i+1)
	}
	var took []time.Duration
	for range b.N {
		d, err := storetest.ClaimDue(b.Context(), s)
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, d)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkIdle measures the load of an idle appliance on the database, by its lease and its listener, for ten seconds.
// The polling of its workers is not included.
func BenchmarkIdle(b *testing.B) {
	all, server := benchStores(b, 1)
	s := all[0]
	count := func() float64 {
		n, err := strconv.ParseFloat(server.Run(b,
			"SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = 'postgres'"), 64)
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	_, unwatch := s.WatchKind(store.CallsChanged)
	defer unwatch()
	done := make(chan struct{})
	go func() { defer close(done); s.KeepLease(ctx, LeaseHolder{Rescued: func([]call.Call) {}}) }()
	<-time.After(5 * time.Second)
	before := count()
	const span = 10 * time.Second
	<-time.After(span)
	b.ReportMetric((count()-before)/span.Seconds(), "transactions/s")
	stop()
	<-done
}

// BenchmarkRiver measures the job queue River on the same server: jobs inserted and worked per second.
func BenchmarkRiver(b *testing.B) {
	_, server := benchStores(b, 0)
	river := exec.CommandContext(b.Context(), "go", "run", ".", "-url", server.URL(""), "-jobs", strconv.Itoa(b.N))
	river.Dir = filepath.Join("..", "..", "packaging", "bench", "river")
	out, err := river.CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		var rate float64
		var unit string
		if n, _ := fmt.Sscanf(line, "river: %f %s", &rate, &unit); n == 2 {
			b.ReportMetric(rate, unit)
		}
	}
}
