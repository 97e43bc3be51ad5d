package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	share      = 0.8 // of the measured capacity
	calibrate  = 20 * time.Second
	everySome  = 5 * time.Second // between two samples
	warmUpPart = 5               // the first fifth is not judged: caches fill
)

// processSample is the resource use of the process at a time.
type processSample struct {
	At          float64 `json:"at"`   // seconds
	Anonymous   float64 `json:"anon"` // MiB of memory without a file
	Resident    float64 `json:"rss"`  // MiB
	Descriptors float64 `json:"fds"`
	Goroutines  float64 `json:"goroutines"`
}

// enduranceRun is the result of hours of load.
type enduranceRun struct {
	Seconds float64         `json:"seconds"`
	Rate    float64         `json:"turns_per_second"`
	Turns   int64           `json:"turns"`
	Trends  []figureTrend   `json:"trends"`
	Flat    bool            `json:"flat"`
	Samples []processSample `json:"samples"`
}

// figureTrend is the linear trend of one figure.
type figureTrend struct {
	Name  string  `json:"name"`
	Mean  float64 `json:"mean"`
	Rise  float64 `json:"rise"`     // over the judged time
	Hour  float64 `json:"per_hour"` // the same slope over an hour
	Bound float64 `json:"bound"`    // of rise
}

func (e *enduranceRun) printResult(out io.Writer) {
	fmt.Fprintf(out, "%.0f s of load, %d turns at %.1f a second\n", e.Seconds, e.Turns, e.Rate)
	for _, t := range e.Trends {
		fmt.Fprintf(out, "%-16s mean %8.1f, rises by %+8.2f (bound %.1f), %+.2f an hour\n",
			t.Name, t.Mean, t.Rise, t.Bound, t.Hour)
	}
}

// runEndurance runs the load at its share of the capacity and samples the process.
func (s *soakRun) runEndurance(ctx context.Context) (*enduranceRun, error) {
	load := s.load
	load.forHours()
	ctx, stop := context.WithCancel(ctx)
	bad := runMisbehaviours(ctx, s.rival.listMisdeeds())
	defer bad.Wait()
	defer stop()
	rate := load.measureCapacity(ctx)
	fmt.Fprintf(s.out, "capacity: %.1f turns a second\n", rate)
	e := &enduranceRun{Seconds: s.busy.Seconds(), Rate: share * rate}
	ctx, cancel := context.WithTimeout(ctx, s.busy)
	defer cancel()
	var turns atomic.Int64
	over := load.startPaced(ctx, share*rate, &turns)
	for began := time.Now(); ctx.Err() == nil; sleepContext(ctx, everySome) {
		sample, err := s.a.sampleProcess(ctx)
		if err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("after %v: %w", time.Since(began), err)
		}
		if sample.At = time.Since(began).Seconds(); err == nil {
			e.Samples = append(e.Samples, sample)
		}
	}
	over.Wait()
	e.Turns = turns.Load()
	e.judgeTrends()
	return e, nil
}

// judgeTrends fits a line to each figure: over the measured time it may rise by a tenth, or by the share of one call.
func (e *enduranceRun) judgeTrends() {
	counted := e.Samples[len(e.Samples)/warmUpPart:]
	e.Flat = len(counted) > 2
	for _, f := range []struct {
		name  string
		least float64
		of    func(processSample) float64
	}{
		{"memory, MiB", 16, func(s processSample) float64 { return s.Anonymous }},
		{"descriptors", 20, func(s processSample) float64 { return s.Descriptors }},
		{"goroutines", 50, func(s processSample) float64 { return s.Goroutines }},
	} {
		t := figureTrend{Name: f.name}
		var slope float64
		t.Mean, slope = fitLine(counted, f.of)
		t.Rise = slope * (counted[len(counted)-1].At - counted[0].At)
		t.Hour, t.Bound = slope*3600, max(f.least, t.Mean/10)
		e.Flat = e.Flat && t.Rise <= t.Bound
		e.Trends = append(e.Trends, t)
	}
}

// fitLine returns the mean, and the slope a second, of the line that fits best (least squares).
func fitLine(samples []processSample, of func(processSample) float64) (mean, slope float64) {
	n, at := float64(len(samples)), 0.0
	for _, s := range samples {
		mean += of(s) / n
		at += s.At / n
	}
	up, across := 0.0, 0.0
	for _, s := range samples {
		up += (s.At - at) * (of(s) - mean)
		across += (s.At - at) * (s.At - at)
	}
	if across == 0 {
		return mean, 0
	}
	return mean, up / across
}

// sampleProcess samples the process from outside.
func (a *soakAppliance) sampleProcess(ctx context.Context) (s processSample, err error) {
	proc := filepath.Join("/proc", strconv.Itoa(a.process.PID()))
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	if err != nil {
		return s, err
	}
	open, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		return s, err
	}
	got, err := a.requestJSON(ctx, http.MethodGet, "/metrics", nil)
	if err != nil {
		return s, err
	}
	s.Anonymous, s.Resident = statusFigure(string(status), "RssAnon:")/1024, statusFigure(string(status), "VmRSS:")/1024
	s.Descriptors, s.Goroutines = float64(len(open)), statusFigure(string(got.raw), "go_goroutines ")
	return s, nil
}

// statusFigure returns the number behind a name at the beginning of a line; 0 without it.
func statusFigure(text, name string) float64 {
	for line := range strings.Lines(text) {
		if rest, found := strings.CutPrefix(line, name); found {
			if words := strings.Fields(rest); len(words) > 0 {
				v, _ := strconv.ParseFloat(words[0], 64)
				return v
			}
		}
	}
	return 0
}
