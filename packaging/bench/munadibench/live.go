package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"munadi/engine"
	"munadi/engine/audio"
)

const (
	pushed   = 512                   // samples given to a stream at once
	textStep = 32 * time.Millisecond // shortest interval of partial texts: one window of the voice detector
)

// stretch is a part of the sound that a text was made of, in seconds.
type stretch [2]float64

// importCheckpoint makes a model folder of a NeMo checkpoint, with 8-bit weights if that is asked for.
func importCheckpoint(q benchRequest) error {
	target := filepath.Join(q.Folder, "munadi")
	if err := os.Mkdir(target, 0o750); err != nil {
		return err
	}
	return engine.ImportCheckpoint(q.File, target, engine.ImportOptions{Name: "bench", Int8: q.Precision == "int8"})
}

// liveLatencies returns the model's latencies in milliseconds.
func (b *engineBench) liveLatencies() []int64 {
	var all []int64
	for _, d := range b.engine.LiveLatencies() {
		all = append(all, d.Milliseconds())
	}
	return all
}

// streamLive pushes the long file's beginning through a live stream, with partial texts as often as the stream makes
// them if a latency is given, else with final ones alone.
func (b *engineBench) streamLive(ctx context.Context, q benchRequest) (benchAnswer, error) {
	samples, err := b.beginningOfFile(ctx, q.Length)
	if err != nil {
		return benchAnswer{}, err
	}
	o := engine.StreamOptions{Latency: time.Duration(q.LatencyMS) * time.Millisecond}
	if q.Partials {
		o.Partial = textStep
	}
	s, err := b.engine.OpenStream(o)
	if err != nil {
		return benchAnswer{}, err
	}
	began := processorTime()
	events, err := pushAll(ctx, s, samples)
	if err != nil {
		return benchAnswer{}, err
	}
	a := benchAnswer{Processor: (processorTime() - began).Seconds()}
	for _, e := range events {
		switch e.Type {
		case engine.Partial:
			a.Texts = append(a.Texts, stretch{e.Start, e.At})
		case engine.Final:
			a.Turns = append(a.Turns, stretch{e.Start, e.End})
		}
	}
	return a, nil
}

func pushAll(ctx context.Context, s *engine.LiveStream, samples []float32) (events []engine.StreamEvent, err error) {
	for len(samples) > 0 {
		n := min(pushed, len(samples))
		got, err := s.Push(ctx, samples[:n])
		if err != nil {
			return nil, err
		}
		events, samples = append(events, got...), samples[n:]
	}
	got, err := s.Flush(ctx)
	return append(events, got...), err
}

// decodeStretches decodes parts of the long file, each of them by itself.
func (b *engineBench) decodeStretches(ctx context.Context, q benchRequest) (benchAnswer, error) {
	samples, err := b.beginningOfFile(ctx, q.Length)
	if err != nil {
		return benchAnswer{}, err
	}
	began := processorTime()
	for _, part := range q.Stretches {
		from, to := int(part[0]*audio.Rate), min(int(part[1]*audio.Rate), len(samples))
		if from < 0 || from >= to {
			return benchAnswer{}, fmt.Errorf("%v is no part of %v s", part, q.Length)
		}
		source := engine.NewSampleReader(samples[from:to])
		if _, err := b.engine.Transcribe(ctx, source, engine.TranscribeOptions{Mode: b.mode, NoVAD: true}); err != nil {
			return benchAnswer{}, err
		}
	}
	return benchAnswer{Processor: (processorTime() - began).Seconds()}, nil
}

func (b *engineBench) beginningOfFile(ctx context.Context, seconds float64) ([]float32, error) {
	samples, err := b.file.decodeSamples(ctx)
	if err != nil {
		return nil, err
	}
	if seconds <= 0 || int(seconds*audio.Rate) > len(samples) {
		return nil, fmt.Errorf("length is %v s, want up to %d s", seconds, len(samples)/audio.Rate)
	}
	return samples[:int(seconds*audio.Rate)], nil
}

// processorTime returns what this process has used: other programs hardly change it.
func processorTime() time.Duration {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u) // it fails for a wrong argument alone
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
