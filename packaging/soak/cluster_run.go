package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// clusterReport is the result of a run with several appliances, as JSON beside the logs.
type clusterReport struct {
	Seed          uint64                 `json:"seed"`
	Appliances    int                    `json:"appliances"`
	Clocks        string                 `json:"clocks"` // how far they are ahead and behind
	DatabaseStops int                    `json:"database_stops"`
	Kills         int                    `json:"kills"`
	TakenOver     int                    `json:"kills_long_enough_to_be_taken_over"`
	BucketAway    string                 `json:"bucket_away,omitempty"`
	Split         string                 `json:"split,omitempty"`
	Talking       int                    `json:"calls_that_talked_through_an_outage"`
	Corrected     int                    `json:"calls_whose_true_outcome_came_late"`
	Twice         int                    `json:"webhooks_received_twice"`
	Dials         int                    `json:"dials"`
	Probes        map[string]timedSeries `json:"probes"` // seconds until probes showed a change
	Verdict       *soakVerdict           `json:"verdict"`
}

// timedSeries are durations of one kind, in seconds.
type timedSeries struct {
	Count  int     `json:"count"`
	Median float64 `json:"median"`
	Most   float64 `json:"most"`
}

// clusterSoak is a run with several appliances.
type clusterSoak struct {
	soakPlan
	*applianceCluster

	w      *soakWitness
	random *rand.Rand
	out    io.Writer
	report clusterReport
	probes map[string][]time.Duration
	talks  []talkWindow // calls that must continue during an outage
}

// runClusterSoak runs the load on several appliances under faults of all kinds in a random order, and judges the final
// state.
func runClusterSoak(ctx context.Context, p soakPlan, out io.Writer) error {
	w, err := newWitness()
	if err != nil {
		return err
	}
	defer w.closeServer()
	c, err := startCluster(ctx, p, w)
	if c != nil {
		defer c.closeCluster()
	}
	if err != nil {
		return err
	}
	s := &clusterSoak{
		soakPlan: p, applianceCluster: c, w: w, out: out, random: rand.New(rand.NewPCG(p.seed, 0)),
		probes: map[string][]time.Duration{},
	}
	s.report = clusterReport{
		Seed: p.seed, Appliances: p.appliances, Clocks: p.clocks.String(), DatabaseStops: p.stops, Kills: p.cuts,
		BucketAway: p.bucketAway.String(), Split: p.split.String(),
	}
	if err := c.members[0].alive.Load().setWebhook(ctx, w.endpoint); err != nil {
		return err
	}
	if err := s.runFaults(ctx); err != nil {
		return err
	}
	if err := s.judgeCluster(ctx); err != nil {
		return err
	}
	return s.writeReport()
}

// clusterPause is the pause between two turns of a worker: the load need only be constant, not high.
const clusterPause = 2 * time.Second

// clusterFault is one fault; make returns when the appliances have recovered.
type clusterFault struct {
	name string
	make func(ctx context.Context) error
}

// listFaults returns the faults of the plan, in a random order.
func (s *clusterSoak) listFaults() []clusterFault {
	var all []clusterFault
	add := func(fault func(ctx context.Context) error, format string, args ...any) {
		all = append(all, clusterFault{fmt.Sprintf(format, args...), fault})
	}
	for n := range s.stops {
		away := time.Duration(s.random.Int64N(int64(3 * time.Second)))
		if n%10 == 0 {
			away = longOutage
		}
		add(func(ctx context.Context) error { return s.stopDatabase(ctx, away) }, "the database is stopped for %v", away)
	}
	for n := range s.cuts {
		m, long := s.members[s.random.IntN(len(s.members))], n%10 == 0
		kill := func(ctx context.Context) error { return s.killMember(ctx, m, long) }
		add(kill, "%s is killed, taken over: %v", m.name, long)
	}
	if s.bucketAway > 0 {
		add(s.stopBucket, "the bucket is away for %v", s.bucketAway)
	}
	if s.split > 0 {
		add(s.splitMember, "an appliance is cut off from the database for %v", s.split)
	}
	s.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// runFaults runs the load, and one fault after the other with a random pause between.
func (s *clusterSoak) runFaults(ctx context.Context) error {
	load, err := s.newClusterLoad()
	if err != nil {
		return err
	}
	busy, end := context.WithCancel(ctx)
	var over sync.WaitGroup
	for _, worker := range load {
		over.Go(func() {
			for busy.Err() == nil {
				_ = worker.runTurn(busy) // asked again in its next turn
				sleepContext(busy, clusterPause)
			}
		})
	}
	defer over.Wait()
	defer end()
	for n, fault := range s.listFaults() {
		sleepContext(ctx, 500*time.Millisecond+time.Duration(s.random.Int64N(int64(3*time.Second))))
		began := time.Now()
		if err := errors.Join(ctx.Err(), fault.make(ctx)); err != nil {
			return fmt.Errorf("%s: %w", fault.name, err)
		}
		printLine(s.out, "%d: %s; recovered after %.1f s", n+1, fault.name, time.Since(began).Seconds())
		if (n+1)%10 == 0 {
			printLine(s.out, "%s", s.w)
		}
	}
	return nil
}

// newClusterLoad returns workers that continue through every fault.
func (s *clusterSoak) newClusterLoad() ([]loadWorker, error) {
	recording, err := os.ReadFile(filepath.Join(s.samples, "confirm.flac"))
	if err != nil {
		return nil, err
	}
	load := []loadWorker{
		&jobWorker{s, s.w, soakRecording{recording, "نعم أؤكد الموعد"}}, &suppressionWorker{a: s, w: s.w},
		&talkBooker{callBooker: callBooker{a: s, w: s.w, name: "9"}},
	}
	for n := range 2 {
		load = append(load, &callBooker{a: s, w: s.w, name: strconv.Itoa(n + 1)})
	}
	return load, nil
}

// writeReport prints and writes the report, and returns an error if a fault was found.
func (s *clusterSoak) writeReport() error {
	s.report.Probes = map[string]timedSeries{}
	for name, all := range s.probes {
		slices.Sort(all)
		s.report.Probes[name] = timedSeries{len(all), all[len(all)/2].Seconds(), all[len(all)-1].Seconds()}
	}
	text, err := json.MarshalIndent(s.report, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s\n", text)
	if found := len(s.report.Verdict.Faults); found > 0 {
		err = fmt.Errorf("%d faults found, seed %d", found, s.seed)
	}
	return errors.Join(err, os.WriteFile(filepath.Join(s.folder, "cluster.json"), append(text, '\n'), 0o600))
}
