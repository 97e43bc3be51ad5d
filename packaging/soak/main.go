// Command soak runs an appliance under load and faults, and verifies it from outside: go run ./packaging/soak [-cuts
// 50] [-for 2h], or several that share a database: go run ./packaging/soak -appliances 2 [-stops 50] [-cuts 50], or one
// with damaged files: -damage 5, or one with faulty SIP trunks: -trunk-calls 40 (see below).
//
// First it kills the appliance (SIGKILL) at random moments, -cuts times, while calls are booked, moved and cancelled,
// recordings transcribed directly and as jobs, people talk live, keys are made and numbers suppressed. A witness
// outside of the appliance records acknowledgements and received webhooks. At the end it counts what was lost
// (acknowledged, and missing), phantom (present, and never requested), doubled (two calls for one idempotency key, a
// call dialled twice, a webhook received twice without a kill between) and wrong. All must be zero. A kill keeps the
// kernel's cache, so loss of power is not tested.
//
// Meanwhile a second organization overloads the service (rival.go). Before the kills, the latency of a clip of the
// first one is measured under each kind of overload and under all of them, and compared with the specified bound.
//
// Then it keeps the appliance at 80 % of its capacity for the time of -for, and samples memory, descriptors and
// goroutines: none may grow.
//
// With -appliances 2 each is a separate process, on a real PostgreSQL server and a real S3 server, with its own network
// link to the database and a wall clock that is ahead or behind (-clocks). In an order that -seed chooses, under load:
// the database is stopped hard (immediate shutdown, recovered from its log) and started again, one time in ten for 20
// s; an appliance is killed and started again, one time in ten after the other has taken over its work; the bucket is
// unreachable; an appliance is cut off from the database while it has calls. The witness requires: no acknowledged
// change lost; no call dialled twice, by the logs of all appliances, which name a call before it is dialled; each end
// sent as a webhook, twice only with the same id or where a true outcome replaces "failed"; recordings complete; calls
// that are running when the database fails continue, both sides audible in the recording of that time; probes show the
// fault and its end.
//
// With -damage it makes an installation with records in tables, value logs and the log of the memtable, recordings, an
// installed model and a backup, and damages one file at a time in a copy of it: a bit flips, the end is cut off, the
// file is deleted, for each kind of file. Then everything acknowledged must be as it was; or what is not must be named,
// by the refused start or by /health, doctor and backup, and nothing says "ok" about it.
//
// With -trunk-calls calls go over SIP trunks whose people are not heard, or not any more, and over trunks that refuse
// each call: the former fail as no_audio and are repeated, and an alert names the trunk; the latter cost five calls
// at most, and all others are made once the trunk takes calls again.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// soakPlan is the configuration of a run.
type soakPlan struct {
	munadi  string        // program
	folder  string        // of data, log and report
	samples string        // folder of recordings
	clips   int           // measured for latency
	cuts    int           // kills of the appliance
	busy    time.Duration // of load after the kills
	seed    uint64

	damage     int // rounds of damaged files
	trunkCalls int // over each faulty SIP trunk

	// of several appliances on one database
	appliances        int
	stops             int // of the database
	bucketAway, split time.Duration
	clocks            time.Duration
	timeScale         string
}

func main() {
	p := soakPlan{}
	flag.StringVar(&p.munadi, "munadi", "bin/munadi", "program under test")
	flag.StringVar(&p.folder, "folder", "", "folder of data, logs and report.json; empty: a temporary one, removed after")
	flag.StringVar(&p.samples, "samples", "assets/web/samples", "folder of the recordings that are sent")
	flag.IntVar(&p.clips, "clips", 25, "clips whose latency is measured under the second organization's load; 0: none")
	flag.IntVar(&p.cuts, "cuts", 50, "number of kills")
	flag.DurationVar(&p.busy, "for", 0, "duration of the load at 80 %")
	flag.IntVar(&p.damage, "damage", 0, "instead: how often each kind of file is damaged by each fault")
	flag.IntVar(&p.trunkCalls, "trunk-calls", 0, "instead: number of calls over each faulty SIP trunk")
	flag.IntVar(&p.appliances, "appliances", 1, "appliances on one PostgreSQL database and bucket; 1: one with Badger")
	flag.IntVar(&p.stops, "stops", 50, "several appliances: number of hard stops of the database")
	flag.DurationVar(&p.bucketAway, "bucket-away", time.Minute, "several appliances: duration of the bucket's outage")
	flag.DurationVar(&p.split, "split", time.Minute, "several appliances: how long one is disconnected from the database")
	flag.DurationVar(&p.clocks, "clocks", 30*time.Second, "several appliances: by how much their clocks are wrong")
	flag.StringVar(&p.timeScale, "time-scale", "2", "several appliances: time scale of simulated calls")
	flag.Uint64Var(&p.seed, "seed", uint64(time.Now().UnixNano()), "seed of the random times")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := runSoak(ctx, p, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1) //nolint:forbidigo // a program for developers
	}
}

// soakReport is the result, as JSON beside the log.
type soakReport struct {
	Seed      uint64        `json:"seed"`
	Cuts      int           `json:"cuts"`
	Latency   []clipLatency `json:"latency,omitempty"`
	Verdict   *soakVerdict  `json:"verdict,omitempty"`
	Endurance *enduranceRun `json:"endurance,omitempty"`
}

// runSoak runs the plan in its folder, which is a temporary one if the plan names none.
func runSoak(ctx context.Context, p soakPlan, out io.Writer) (err error) {
	if p.folder == "" {
		if p.folder, err = os.MkdirTemp("", "munadi-soak-"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(p.folder) }()
	}
	if err = os.MkdirAll(p.folder, 0o700); err != nil {
		return fmt.Errorf("the folder of data, log and report: %w", err)
	}
	switch {
	case p.damage > 0:
		return runDamageSoak(ctx, p, out)
	case p.trunkCalls > 0:
		return runTrunkSoak(ctx, p, out)
	case p.appliances > 1:
		return runClusterSoak(ctx, p, out)
	}
	return runApplianceSoak(ctx, p, out)
}

// runApplianceSoak starts one appliance, prepares its load and runs all phases.
func runApplianceSoak(ctx context.Context, p soakPlan, out io.Writer) error {
	w, err := newWitness()
	if err != nil {
		return err
	}
	defer w.closeServer()
	a, err := newAppliance(p, w)
	if err != nil {
		return err
	}
	defer a.killProcess()
	s := &soakRun{soakPlan: p, a: a, w: w, out: out}
	if s.load, err = newLoad(ctx, a, w, p.samples); err != nil {
		return err
	}
	if err := a.startLife(ctx); err != nil {
		return err
	}
	if err := a.setWebhook(ctx, w.endpoint); err != nil {
		return err
	}
	if s.rival, err = newRival(ctx, a, w, s.load); err != nil {
		return err
	}
	defer s.rival.closeReceiver()
	r, err := s.runPhases(ctx)
	if err != nil {
		return err
	}
	return errors.Join(r.writeFile(filepath.Join(p.folder, "report.json")), r.verdictError())
}

// writeFile writes the report as JSON.
func (r soakReport) writeFile(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}

// soakRun is a run: the appliance, which is running between the phases, its two organizations and the witness.
type soakRun struct {
	soakPlan

	a     *soakAppliance
	w     *soakWitness
	load  *mixedLoad
	rival *rivalOrganization
	out   io.Writer
}

// runPhases measures latency, kills the appliance and runs the endurance load, as far as the plan has them.
func (s *soakRun) runPhases(ctx context.Context) (r soakReport, err error) {
	r = soakReport{Seed: s.seed, Cuts: s.cuts}
	if s.clips > 0 {
		h := &uploadWorker{s.a, s.w, s.load.recording}
		if r.Latency, err = measureLatency(ctx, h, s.rival.listMisdeeds(), s.clips, s.out); err != nil {
			return r, err
		}
	}
	s.a.killProcess()
	s.a.timeScale = fast
	if err := s.a.startLife(ctx); err != nil {
		return r, err
	}
	if s.cuts > 0 {
		if r.Verdict, err = s.runPowerCuts(ctx); err != nil {
			return r, err
		}
		r.Verdict.printVerdict(s.out)
	}
	if s.busy > 0 {
		if r.Endurance, err = s.runEndurance(ctx); err != nil {
			return r, err
		}
		r.Endurance.printResult(s.out)
	}
	return r, nil
}

// verdictError returns nil if no fault was found.
func (r soakReport) verdictError() error {
	var found []error
	if r.Verdict != nil && len(r.Verdict.Faults) > 0 {
		found = append(found, fmt.Errorf("%d faults after %d cuts, seed %d", len(r.Verdict.Faults), r.Cuts, r.Seed))
	}
	for _, l := range r.Latency {
		if l.Slowest > l.Bound {
			found = append(found, fmt.Errorf("a clip takes too long: %v", l))
		}
	}
	if r.Endurance != nil && !r.Endurance.Flat {
		found = append(found, errors.New("memory, descriptors or goroutines grow"))
	}
	return errors.Join(found...)
}

// runPowerCuts runs the load over many restarts of the appliance, and judges the final state.
func (s *soakRun) runPowerCuts(ctx context.Context) (*soakVerdict, error) {
	random := rand.New(rand.NewPCG(s.seed, 0))
	for cut := range s.cuts {
		life, end := context.WithCancel(ctx)
		over, bad := s.load.startWorkers(life), runMisbehaviours(life, s.rival.listMisdeeds())
		sleepContext(ctx, time.Duration(random.Int64N(int64(2500*time.Millisecond))))
		s.a.killProcess()
		end()
		over.Wait()
		bad.Wait()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if (cut+1)%10 == 0 {
			fmt.Fprintf(s.out, "%d cuts, %s\n", cut+1, s.w)
		}
		if err := s.a.startLife(ctx); err != nil {
			return nil, err
		}
	}
	return judgeLosses(ctx, s.a, s.w)
}

func sleepContext(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
