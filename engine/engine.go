package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"strings"
	"sync"

	"munadi/engine/arabic"
	"munadi/engine/checksum"
	"munadi/engine/features"
	"munadi/engine/kernel"
	"munadi/engine/model"
	"munadi/engine/ort"
	"munadi/engine/processors"
	"munadi/engine/queue"
	"munadi/engine/silero"
	"munadi/engine/vad"
)

// Config configures an engine.
type Config struct {
	Library   ort.PackedLibrary     // ONNX Runtime as shipped
	CacheDir  string                // where the library and an embedded model are unpacked
	VAD       []byte                // silero_vad_16k_sequence.onnx
	Threads   int                   // CPU cores to use; 0: all
	Queue     int                   // admitted requests per organization and priority, except Live; 0: 64
	Precision model.WeightPrecision // preferred precision if a folder has both; empty: fp32
	Style     arabic.Style          // marks of the output that are kept; zero: no diacritics, with punctuation
}

// Engine is one loaded model with its queue. It is safe for concurrent use.
type Engine struct {
	model   *model.SpeechModel
	silero  *ort.SileroVAD    // of recordings
	live    vad.NetworkRunner // of live sound
	mel     *features.MelExtractor
	words   *wordVerifier    // nil: the model has none
	mels    sync.Pool        // of *[]float32: feature buffers
	queue   *queue.WorkQueue // permits for CPU work and for the encoder's graph
	pacer   *partialPacer
	threads int
	style   arabic.Style
	marks   *markTable // nil: the vocabulary has no diacritics
	files   fileCheck

	mu     sync.RWMutex // held for reading by every request; Close takes it for writing
	closed bool
}

// fileCheck is the result of verifying the files that an engine was opened from.
type fileCheck struct {
	checksums string   // as in EngineInfo
	repaired  []string // as in EngineInfo
}

// Open loads the model in fsys, e.g. an embedded one. It is unpacked into the cache folder first; what is there is
// verified, and unpacked again if it is damaged.
func Open(fsys fs.FS, cfg Config) (*Engine, error) {
	folder, damaged, err := model.UnpackBundle(fsys, cfg.CacheDir)
	if err != nil {
		return nil, err
	}
	return openFolder(folder, cfg, fileCheck{checksums: "built-in", repaired: damaged})
}

// OpenDir loads the model in a folder on disk. If the folder has a list of checksums, its files are verified
// meanwhile, and a model with a damaged one is closed again.
func OpenDir(path string, cfg Config) (*Engine, error) {
	folder, err := model.FolderAt(path)
	if err != nil {
		return nil, err
	}
	var checksums string
	var damage error
	var verifying sync.WaitGroup
	verifying.Go(func() { checksums, damage = verifyFolder(path) })
	e, err := openFolder(folder, cfg, fileCheck{})
	verifying.Wait()
	switch {
	case damage != nil && err == nil:
		return nil, errors.Join(damage, e.Close())
	case damage != nil: // which explains the other error
		return nil, damage
	case err != nil:
		return nil, err
	}
	e.files.checksums = checksums
	return e, nil
}

// verifyFolder verifies the files of a model's folder. It returns when they were recorded; empty if they were not.
func verifyFolder(path string) (checksums string, err error) {
	comment, listed, err := checksum.VerifyFolder(path, model.MappedMark)
	if err != nil {
		return "", fmt.Errorf("model folder %s: %w; install the model again (munadi model import or pull), or select "+
			"another (munadi model use)", path, err)
	}
	if listed {
		comment = cmp.Or(comment, checksum.ListFile)
	}
	return comment, nil
}

func openFolder(folder model.ModelFolder, cfg Config, files fileCheck) (*Engine, error) {
	lib, damaged, err := cfg.Library.UnpackTo(cfg.CacheDir)
	if err != nil {
		return nil, err
	}
	if damaged {
		files.repaired = append(files.repaired, lib)
	}
	if err := ort.LoadLibrary(lib); err != nil {
		return nil, err
	}
	threads := cfg.Threads
	if threads <= 0 {
		threads = processors.CountProcessors()
	}
	m, err := model.OpenModel(folder, model.ModelOptions{Threads: threads, Precision: cfg.Precision})
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	recordings, live, err := newSilero(cfg.VAD)
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	limit := cfg.Queue
	if limit <= 0 {
		limit = 64
	}
	mel, err := newExtractor(m.ModelConfig)
	if err != nil {
		return nil, errors.Join(err, recordings.Close(), m.Close())
	}
	mel.Workers = threads
	words, err := newWordVerifier(m)
	if err != nil {
		return nil, errors.Join(err, recordings.Close(), m.Close())
	}
	debug.FreeOSMemory() // what loading took: tens of MB with a large model
	return &Engine{
		model: m, silero: recordings, live: live, mel: mel, words: words, threads: threads, style: cfg.Style,
		marks: newMarks(m.Vocabulary), queue: queue.NewQueue(threads, m.Runs, limit), pacer: newPartialPacer(m.Parallel),
		files: files,
	}, nil
}

// newSilero returns the voice activity network for recordings, whose windows ONNX Runtime computes together, and for
// live sound: one window at a time is faster on our own kernels, where they have assembly.
func newSilero(file []byte) (recordings *ort.SileroVAD, live vad.NetworkRunner, err error) {
	w, err := model.ReadSilero(file)
	if err != nil {
		return nil, nil, err
	}
	prepared, err := model.PrepareSilero(file, w)
	if err != nil {
		return nil, nil, err
	}
	if recordings, err = ort.NewSilero(prepared); err != nil || !kernel.IsAccelerated() {
		return recordings, recordings, err
	}
	return recordings, silero.NewNetwork(w), nil
}

// newExtractor creates the feature extractor with the model's preprocessing configuration.
func newExtractor(c model.ModelConfig) (*features.MelExtractor, error) {
	o := features.DefaultOptions()
	if p := c.Preprocessor; p != nil {
		o = features.ExtractorOptions{
			Window: p.Window, Length: p.Length, Emphasis: p.Emphasis, Normalize: p.Normalize, Mean: p.Mean, Std: p.Std,
			Precision: p.Precision,
		}
	}
	return features.NewExtractor(c.Features, o)
}

// Close waits for running requests and frees the model (graceful shutdown). Later requests get ErrClosed.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	return errors.Join(e.silero.Close(), e.model.Close())
}

// admitRequest admits a request of price seconds of audio (admission control); leaveQueue must follow if the error is
// nil.
func (e *Engine) admitRequest(ctx context.Context, p QueuePriority, price float64) (*engineRequest, error) {
	if !e.mu.TryRLock() { // Close is waiting
		return nil, ErrClosed
	}
	if e.closed {
		e.mu.RUnlock()
		return nil, ErrClosed
	}
	t, err := e.queue.AdmitRequest(ClientOf(ctx), p, price)
	if err != nil {
		e.mu.RUnlock()
		return nil, err
	}
	return &engineRequest{engine: e, ticket: t}, nil
}

// QueueLoad returns the number of admitted requests and of pieces of work waiting for a permit.
func (e *Engine) QueueLoad() (requests, waiting int) { return e.queue.CurrentLoad() }

// ParallelRuns returns how many encoder runs are executed at once in the time of one; a large model shares the cores
// within one run.
func (e *Engine) ParallelRuns() int { return e.model.Parallel }

// HasLanguage reports whether requests may name a language or locale, such as ar or en-US.
func (e *Engine) HasLanguage(language string) bool { return e.model.HasLanguage(language) }

// ModelInfo describes the model.
func (e *Engine) ModelInfo() EngineInfo {
	m := e.model
	info := EngineInfo{
		Name: m.Name, Layout: "NeMo (" + m.Layout + ")", Precision: string(model.FP32), Parameters: m.Parameters,
		Vocabulary: len(m.Vocabulary), Bytes: m.Bytes, Mapped: m.Mapped, Threads: e.threads, Label: map[string]string{},
		Decoding: e.productionPlan().String(), Latencies: e.LiveLatencies(),
		Languages: m.LanguageNames(), Usual: m.UsualLanguage(), Checksums: e.files.checksums, Repaired: e.files.repaired,
	}
	if e.isTDT() {
		info.Decoding = "TDT greedy"
	}
	info.Wide, info.Saturates = m.Wide, m.Wide && model.AddsIn16Bits()
	if m.Int8 {
		info.Precision = string(model.INT8)
	}
	if m.HasRNNT() {
		info.Heads = append(info.Heads, string(RNNT))
	}
	if m.HasCTC() {
		info.Heads = append(info.Heads, string(CTC))
	}
	for lang, lines := range m.Label {
		info.Label[lang] = strings.Join(lines, "\n")
	}
	for _, f := range m.Metrics {
		info.Metrics = append(info.Metrics, f.String())
	}
	return info
}
