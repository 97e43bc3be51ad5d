package engine

import (
	"sync"
	"time"
)

// pipelineStage is a timed stage of the pipeline.
type pipelineStage int

const (
	stageSource pipelineStage = iota
	stageVAD
	stageFeatures
	stageEncoder
	stageRNNT
	stageCTC
	stageSpot
	stages
)

// stageTimer sums durations of stages that run in parallel.
type stageTimer struct {
	mu    sync.Mutex
	spent [stages]time.Duration
}

func (s *stageTimer) addSince(st pipelineStage, start time.Time) {
	s.mu.Lock()
	s.spent[st] += time.Since(start)
	s.mu.Unlock()
}

func (s *stageTimer) totalTimings() Timings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Timings{
		DecodeAudio: s.spent[stageSource], VAD: s.spent[stageVAD], Features: s.spent[stageFeatures],
		Encoder: s.spent[stageEncoder], RNNT: s.spent[stageRNNT], CTC: s.spent[stageCTC], CTCWS: s.spent[stageSpot],
	}
}

// timedSource measures the time of audio decoding.
type timedSource struct {
	src   SampleSource
	times *stageTimer
}

func (t *timedSource) Read(p []float32) (int, error) {
	defer t.times.addSince(stageSource, time.Now())
	return t.src.Read(p)
}
