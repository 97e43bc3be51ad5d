// Command river measures the job queue River (riverqueue.com) on a PostgreSQL server, beside the figures of
// store/postgres: jobs inserted a second by 16 clients, one transaction each, and jobs worked a second by a worker that
// does nothing. It has a module of its own, so that Munadi does not depend on River.
//
//	go run . -url 'postgres://…' [-jobs 4000]
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// clients is how many insert at once; workersAtOnce is what lets River work fastest here: it fetches this number at a
// time.
const (
	clients       = 16
	workersAtOnce = 1000
)

// callArgs is a job in place of a call.
type callArgs struct {
	Number string `json:"number"`
}

func (callArgs) Kind() string { return "call" }

// countingWorker counts jobs.
type countingWorker struct {
	river.WorkerDefaults[callArgs]
	done *atomic.Int64
}

func (w *countingWorker) Work(context.Context, *river.Job[callArgs]) error { w.done.Add(1); return nil }

func main() {
	url := flag.String("url", "", "of an empty database")
	jobs := flag.Int("jobs", 4000, "how many jobs")
	flag.Parse()
	if err := measureRiver(context.Background(), *url, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "river:", err)
		os.Exit(1)
	}
}

func measureRiver(ctx context.Context, url string, jobs int) error {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return err
	}
	config.MaxConns = clients
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	var done atomic.Int64
	client, err := newRiverClient(ctx, pool, &done)
	if err != nil {
		return err
	}
	begin := time.Now()
	if err := insertJobs(ctx, client, jobs); err != nil {
		return err
	}
	fmt.Printf("river: %.0f inserts/s\n", float64(jobs)/time.Since(begin).Seconds())
	begin = time.Now()
	if err := client.Start(ctx); err != nil {
		return err
	}
	for done.Load() < int64(jobs) {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Printf("river: %.0f works/s\n", float64(jobs)/time.Since(begin).Seconds())
	return client.Stop(ctx)
}

// newRiverClient creates River's tables, and a client whose worker counts jobs in done.
func newRiverClient(ctx context.Context, pool *pgxpool.Pool, done *atomic.Int64) (*river.Client[pgx.Tx], error) {
	driver := riverpgxv5.New(pool)
	migrator, err := rivermigrate.New(driver, nil)
	if err != nil {
		return nil, err
	}
	if _, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, err
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, &countingWorker{done: done})
	return river.NewClient(driver, &river.Config{
		Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workersAtOnce}}, Workers: workers,
		FetchCooldown: river.FetchCooldownMin, FetchPollInterval: river.FetchPollIntervalMin,
		Logger: slog.New(slog.DiscardHandler),
	})
}

// insertJobs inserts jobs by all clients at once.
func insertJobs(ctx context.Context, client *river.Client[pgx.Tx], jobs int) error {
	var next atomic.Int64
	var all sync.WaitGroup
	failed := make(chan error, clients)
	for range clients {
		all.Go(func() {
			for i := next.Add(1); i <= int64(jobs); i = next.Add(1) {
				if _, err := client.Insert(ctx, callArgs{Number: fmt.Sprint(i)}, nil); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}
