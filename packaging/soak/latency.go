package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// clipLatency is the latency of a clip of the first organization during a misbehaviour of the second, in seconds.
type clipLatency struct {
	Beside  string  `json:"beside"`
	Idle    float64 `json:"idle"` // median, without it, just before
	Median  float64 `json:"median"`
	Slowest float64 `json:"slowest"`
	Bound   float64 `json:"bound"` // of each answer: three times idle and half a second
}

func (l clipLatency) String() string {
	return fmt.Sprintf("%-36s idle %.3f s, median %.3f s, slowest %.3f s (bound %.3f s)",
		l.Beside, l.Idle, l.Median, l.Slowest, l.Bound)
}

// measureLatency transcribes a clip repeatedly during each misbehaviour, and during all at once.
func measureLatency(
	ctx context.Context, h *uploadWorker, deeds []misbehaviour, clips int, out io.Writer,
) ([]clipLatency, error) {
	var all []clipLatency
	for i := range len(deeds) + 1 {
		name, some := "all at once", deeds
		if i < len(deeds) {
			name, some = deeds[i].name, deeds[i:i+1]
		}
		l, err := measureBeside(ctx, h, some, clips)
		if err != nil {
			return nil, err
		}
		l.Beside = name
		all = append(all, l)
		fmt.Fprintln(out, l)
	}
	return all, nil
}

// measureBeside measures the clip's latency alone and then during misbehaviours.
func measureBeside(ctx context.Context, h *uploadWorker, deeds []misbehaviour, clips int) (l clipLatency, err error) {
	idle, err := timeClips(ctx, h, clips)
	if err != nil {
		return l, err
	}
	bad, end := context.WithCancel(ctx)
	over := runMisbehaviours(bad, deeds)
	defer sleepContext(ctx, time.Second) // interrupted requests end
	defer over.Wait()
	defer end()
	sleepContext(ctx, 2*time.Second)
	busy, err := timeClips(ctx, h, clips)
	if err != nil {
		return l, err
	}
	l = clipLatency{Idle: idle[clips/2], Median: busy[clips/2], Slowest: busy[clips-1]}
	l.Bound = 3*l.Idle + 0.5
	return l, nil
}

// timeClips returns the seconds that each transcription took, sorted.
func timeClips(ctx context.Context, h *uploadWorker, n int) ([]float64, error) {
	all := make([]float64, n)
	for i := range all {
		began := time.Now()
		if err := h.runTurn(ctx); err != nil {
			return nil, err
		}
		all[i] = time.Since(began).Seconds()
	}
	slices.Sort(all)
	return all, nil
}
