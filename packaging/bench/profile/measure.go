package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	ortlib "munadi/assets/ort"
	"munadi/engine/model"
	"munadi/engine/ort"
)

// profileColumn is one form of one model.
type profileColumn struct {
	model     string
	verbatim  bool
	run       time.Duration            // median of the runs
	operators map[string]time.Duration // of one run, by operator
	calls     map[string]int           // of one run
}

// profileModel encodes the same features several times with one form of a model.
func profileModel(o profileOptions, folder, temporary string, verbatim bool) (profileColumn, error) {
	c := profileColumn{verbatim: verbatim}
	if err := loadLibrary(temporary); err != nil {
		return c, err
	}
	f, err := model.FolderAt(folder)
	if err != nil {
		return c, err
	}
	prefix := filepath.Join(temporary, fmt.Sprintf("run-%d", time.Now().UnixNano()))
	m, err := model.OpenModel(f, model.ModelOptions{Threads: 1, Verbatim: verbatim, Profile: prefix})
	if err != nil {
		return c, err
	}
	if verbatim == m.IsRewritten() {
		_ = m.Close()
		return c, fmt.Errorf("its graph has one form only: take an export of NeMo")
	}
	times, err := encodeRepeatedly(m, o)
	if err := firstError(err, m.Close()); err != nil {
		return c, err
	}
	slices.Sort(times)
	c.run = times[len(times)/2]
	// Opening the model ran it once on a second of silence, before the runs that count.
	c.operators, c.calls, err = readProfile(prefix, o.runs)
	return c, err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// encodeRepeatedly returns how long each run took.
func encodeRepeatedly(m *model.SpeechModel, o profileOptions) ([]time.Duration, error) {
	frames := 100 * o.seconds
	rng := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // the same noise in every form
	mel := make([]float32, m.Features*(frames+1))
	for i := range mel {
		mel[i] = float32(rng.NormFloat64())
	}
	var times []time.Duration
	for range o.runs {
		started := time.Now()
		if _, err := m.EncodeMel(context.Background(), mel, frames); err != nil {
			return nil, err
		}
		times = append(times, time.Since(started))
	}
	return times, nil
}

func loadLibrary(folder string) error {
	lib, sum, version := ortlib.PackedLibrary()
	path, _, err := ort.PackedLibrary{Zstd: lib, SHA256: sum, Version: version}.UnpackTo(folder)
	if err != nil {
		return err
	}
	return ort.LoadLibrary(path)
}

// profileEvent is one line of ONNX Runtime's profile; times are in microseconds.
type profileEvent struct {
	Category string `json:"cat"`
	Name     string `json:"name"`
	Duration int64  `json:"dur"`
	Start    int64  `json:"ts"`
	Args     struct {
		Operator string `json:"op_name"`
	} `json:"args"`
}

// readProfile adds up the last runs of a profile by operator and divides by their number.
func readProfile(prefix string, runs int) (times map[string]time.Duration, calls map[string]int, err error) {
	files, _ := filepath.Glob(prefix + "*.json")
	if len(files) != 1 {
		return nil, nil, fmt.Errorf("ONNX Runtime wrote %d profiles, want 1", len(files))
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		return nil, nil, err
	}
	var events []profileEvent
	if err := json.Unmarshal(b, &events); err != nil {
		return nil, nil, fmt.Errorf("ONNX Runtime's profile: %w", err)
	}
	times, calls = sumByOperator(events, runs)
	return times, calls, nil
}

// sumByOperator sums the events of the last runs of the model only.
func sumByOperator(events []profileEvent, runs int) (times map[string]time.Duration, calls map[string]int) {
	var begins []int64
	for _, e := range events {
		if e.Name == "model_run" {
			begins = append(begins, e.Start)
		}
	}
	slices.Sort(begins)
	from := begins[max(0, len(begins)-runs)]
	times, calls = map[string]time.Duration{}, map[string]int{}
	for _, e := range events {
		if e.Category == "Node" && e.Args.Operator != "" && e.Start >= from && e.Duration > 0 {
			times[e.Args.Operator] += time.Duration(e.Duration) * time.Microsecond / time.Duration(runs)
			calls[e.Args.Operator]++
		}
	}
	for op := range calls {
		calls[op] = (calls[op] + runs - 1) / runs
	}
	return times, calls
}
