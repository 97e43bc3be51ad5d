// Package modelcheck tests a speech model on built-in clips before it is used: its speed on this machine, its memory,
// its error rates on known sentences, and the words it invents (hallucinates) without speech.
//
// It takes an open engine and the clips, independent of where models are stored and how the report is used. A report
// contains a fault (it can't decode: no text, no Arabic, scores that are NaN, letters other than the spoken ones),
// warnings (it decodes badly), and figures. The clips are clean synthetic speech of the appliance's domain: they show
// whether the parts of a model fit together, and nothing about real calls.
package modelcheck

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"munadi/engine"
	"munadi/engine/audio"
)

// TrialEngine is the engine under test; *engine.Engine is one.
type TrialEngine interface {
	Transcribe(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error)
	DebugDecode(ctx context.Context, src engine.SampleSource, p engine.DebugParams) (*engine.DebugResult, error)
	ModelInfo() engine.EngineInfo
	Close() error
}

// RunTrial opens an engine, tests it on the clips in samples (package assets/web's folder) and closes it. An error
// means that the test could not run; the results are in the report.
func RunTrial(ctx context.Context, open func() (TrialEngine, error), samples fs.FS) (report *TrialReport, err error) {
	clips, err := loadClips(ctx, samples)
	if err != nil {
		return nil, err
	}
	debug.FreeOSMemory()
	before, started := residentBytes(), time.Now()
	e, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	r := &TrialReport{
		At: started.UTC().Truncate(time.Second), Machine: processorName(), Opening: time.Since(started).Seconds(),
	}
	r.Info = e.ModelInfo()
	r.Threads, r.Mapped = r.Info.Threads, r.Info.Mapped
	r.Precision, r.Bytes = r.Info.Precision, r.Info.Bytes
	t := modelTrial{TrialEngine: e, report: r}
	if err := t.runClips(ctx, clips); err != nil {
		return nil, fmt.Errorf("the model loads but does not decode: %w", err)
	}
	debug.FreeOSMemory()
	if now := residentBytes(); now > before {
		r.MemoryMiB = math.Round(toMebibytes(now - before))
	}
	if r.Mapped && r.MemoryMiB > 0 {
		r.MemoryMiB += math.Round(toMebibytes(r.Info.Bytes))
	}
	return r, nil
}

// modelTrial runs the test and fills the report.
type modelTrial struct {
	TrialEngine
	report *TrialReport
}

func (t *modelTrial) runClips(ctx context.Context, clips []trialClip) error {
	// The first run is a warm-up that is not measured.
	if _, err := t.Transcribe(ctx, engine.NewSampleReader(clips[0].samples), engine.TranscribeOptions{}); err != nil {
		return err
	}
	scores := map[string]*ErrorScore{production: {Head: production}}
	for _, c := range clips {
		if err := t.runClip(ctx, c, scores); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	t.report.Scores = append(t.report.Scores, *scores[production])
	for _, head := range t.report.Info.Heads {
		if s := scores[head]; s != nil {
			t.report.Scores = append(t.report.Scores, *s)
		}
	}
	return t.noSpeech(ctx)
}

// runClip decodes one clip in the default mode, and once more with each head alone.
func (t *modelTrial) runClip(ctx context.Context, c trialClip, scores map[string]*ErrorScore) error {
	started := time.Now()
	res, err := t.Transcribe(ctx, engine.NewSampleReader(c.samples), engine.TranscribeOptions{})
	if err != nil {
		return err
	}
	t.report.Took += time.Since(started).Seconds()
	t.report.Speech += float64(len(c.samples)) / rate
	t.report.Clips = append(t.report.Clips, ClipResult{Name: c.name, Said: c.said, Heard: res.Text})
	scores[production].addPair(c.said, res.Text)
	for _, s := range res.Segments {
		t.checkFinite(s.AvgLogprob)
	}
	single, err := t.DebugDecode(ctx, engine.NewSampleReader(c.samples), engine.DebugDefaults())
	if err != nil {
		return err
	}
	heads := map[string][]string{}
	for _, s := range single.Segments {
		t.checkFinite(s.RNNT.Score)
		t.checkFinite(s.CTC.Score)
		heads[string(engine.RNNT)] = append(heads[string(engine.RNNT)], s.RNNT.Text)
		heads[string(engine.CTC)] = append(heads[string(engine.CTC)], s.CTC.Text)
	}
	for head, texts := range heads {
		if scores[head] == nil {
			scores[head] = &ErrorScore{Head: head}
		}
		scores[head].addPair(c.said, strings.Join(texts, " "))
	}
	return nil
}

// checkFinite records a score that is NaN or infinite.
func (t *modelTrial) checkFinite(score float64) {
	if math.IsNaN(score) || math.IsInf(score, 1) {
		t.report.NotANumber = true
	}
}

// noSpeech counts the words that the model invents without speech, with the voice activity detector and without it.
func (t *modelTrial) noSpeech(ctx context.Context) error {
	for _, sound := range nonSpeechClips() {
		t.report.NoSpeech += float64(len(sound)) / rate
		for bare, count := range map[bool]*int{false: &t.report.Invented, true: &t.report.InventedBare} {
			res, err := t.Transcribe(ctx, engine.NewSampleReader(sound), engine.TranscribeOptions{NoVAD: bare})
			if err != nil {
				return err
			}
			*count += len(strings.Fields(res.Text))
		}
	}
	return nil
}

// rate is the sample rate of an engine, in Hz.
const rate = audio.Rate

// trialClip is a recording with its reference transcript.
type trialClip struct {
	name, said string
	samples    []float32
}

// texts are the reference transcripts of the sample clips, by file in the samples' folder.
var texts = []trialClip{
	{name: "samples/confirm.flac", said: "نعم أؤكد الموعد"},
	{name: "samples/time.flac", said: "الساعة الخامسة مساء"},
	{
		name: "samples/appointment.flac",
		said: "نعم أريد تغيير الموعد يوم الخميس الساعة الخامسة مساء نعم أؤكد الموعد",
	},
	{
		name: "samples/order.flac",
		said: "ألو السلام عليكم بيتزا واحدة كبيرة عصير برتقال توصيل شارع الملك فهد عمارة عشرين شكرا مع السلامة",
	},
}

// loadClips decodes the clips. They are embedded files: no child process and no ffmpeg is needed.
func loadClips(ctx context.Context, samples fs.FS) ([]trialClip, error) {
	clips := make([]trialClip, 0, len(texts))
	for _, c := range texts {
		b, err := fs.ReadFile(samples, c.name)
		if err != nil {
			return nil, err
		}
		if c.samples, err = audio.DecodeAll(ctx, bytes.NewReader(b), audio.DecodeOptions{FFmpeg: "none"}); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		clips = append(clips, c)
	}
	return clips, nil
}

// nonSpeechClips returns silence, noise and a mains hum, four seconds each, the same in every trial.
func nonSpeechClips() [][]float32 {
	const n = 4 * rate
	rng := rand.New(rand.NewPCG(1, 1))
	noise, hum := make([]float32, n), make([]float32, n)
	for i := range n {
		noise[i] = float32(0.02 * rng.NormFloat64())
		phase := 2 * math.Pi * 50 * float64(i) / rate
		hum[i] = float32(0.05*math.Sin(phase) + 0.02*math.Sin(3*phase))
	}
	return [][]float32{make([]float32, n), noise, hum}
}

// residentBytes returns the resident memory of the process, in bytes; 0 if unknown.
func residentBytes() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// processorName returns the CPU model, or the architecture if unknown.
func processorName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
