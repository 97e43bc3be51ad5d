package modeljob

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"munadi/appliance/models/modelcheck"
	"munadi/engine"
	"munadi/store/disk"
)

// ServingEngine is the part of the serving engine that a comparison needs.
type ServingEngine interface {
	Transcribe(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error)
	ModelInfo() engine.EngineInfo
}

// idleAfter is how long the engine of a comparison is kept open for the next one.
const idleAfter = 3 * time.Minute

// ComparedText is the text of one model.
type ComparedText struct {
	Model string
	Text  string
	Took  time.Duration
}

// ModelComparison is one recording, transcribed by the serving model and by another.
type ModelComparison struct {
	Serving, Other ComparedText
	Seconds        float64 // of the recording
}

// comparisonEngine is the engine of an installed model in addition to the serving one; at most one is open.
type comparisonEngine struct {
	mu   sync.Mutex // held while it is used
	name string
	open modelcheck.TrialEngine
	used time.Time
}

// CompareModels transcribes samples (16 kHz mono) with the serving model and with an installed one, which is opened
// for it and closed after a few minutes without use. Comparisons run one at a time.
func (w *ModelWorker) CompareModels(ctx context.Context, name string, samples []float32) (*ModelComparison, error) {
	serving := w.Serving()
	if serving == nil || w.Models.CheckInstalled(name) != nil {
		return nil, ErrNoModel
	}
	c := &ModelComparison{Seconds: float64(len(samples)) / 16000}
	var err error
	if c.Serving, err = transcribeWith(ctx, serving, samples); err != nil {
		return nil, err
	}
	r := &w.comparison
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := w.openComparison(name); err != nil {
		return nil, err
	}
	c.Other, err = transcribeWith(ctx, r.open, samples)
	c.Other.Model = name
	r.used = w.Now()
	return c, err
}

// openComparison opens the engine of an installed model, unless it is open. The engine's lock is held.
func (w *ModelWorker) openComparison(name string) error {
	r := &w.comparison
	if r.open != nil && r.name == name {
		return nil
	}
	if err := r.close(); err != nil {
		return err
	}
	folder := w.Models.Folder(name)
	if err := checkMemory(disk.SizeOf(folder)); err != nil {
		return err
	}
	e, err := w.Open(folder)
	if err != nil {
		return err
	}
	r.open, r.name, r.used = e, name, w.Now()
	return nil
}

func transcribeWith(ctx context.Context, e ServingEngine, samples []float32) (ComparedText, error) {
	began := time.Now()
	res, err := e.Transcribe(ctx, engine.NewSampleReader(samples), engine.TranscribeOptions{})
	if err != nil {
		return ComparedText{}, err
	}
	return ComparedText{Model: e.ModelInfo().Name, Text: res.Text, Took: time.Since(began)}, nil
}

// close closes the engine. The lock is held.
func (r *comparisonEngine) close() error {
	if r.open == nil {
		return nil
	}
	err := r.open.Close()
	r.open, r.name = nil, ""
	return err
}

func (r *comparisonEngine) closeEngine() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.close()
}

// closeIdle closes an engine that was not used for a while, to free its memory.
func (r *comparisonEngine) closeIdle(now time.Time) {
	if !r.mu.TryLock() {
		return
	}
	defer r.mu.Unlock()
	if r.open != nil && now.Sub(r.used) >= idleAfter {
		_ = r.close()
	}
}

// ReadSamples reads src, which bounds its length itself, into memory.
func ReadSamples(src engine.SampleSource) ([]float32, error) {
	all, buf := make([]float32, 0, 16000*4), make([]float32, 16000)
	for {
		n, err := src.Read(buf)
		all = append(all, buf[:n]...)
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
	}
}
