// Package recognizer holds the engine that serves, and can replace it while requests and calls are in progress.
package recognizer

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/appliance/models"
	"munadi/appliance/quota"
	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/engine/audio"
	"munadi/engine/ort"
)

// Recognizer holds the current engine; there is none until the model is loaded. It is safe for concurrent use.
type Recognizer struct {
	// CountLive counts decoded live audio for the metrics; nil: not counted. Set it before the first use.
	CountLive func(seconds float64, took time.Duration)
	// Latency returns the default latency of live streams with partial texts; nil: the model's default. Set it before the
	// first use.
	Latency func() time.Duration

	current   atomic.Pointer[engine.Engine]
	replacing sync.Mutex
}

// ErrLoading means that there is no engine yet.
var ErrLoading = errors.New("the model is still being loaded")

// CurrentEngine returns the engine that serves; nil while the model is loaded.
func (h *Recognizer) CurrentEngine() *engine.Engine { return h.current.Load() }

// ReplaceEngine makes e the serving engine, and closes the previous one when its requests in progress have ended. e may
// be the serving one, with other settings. route constructs the routes for e's model and returns the function that
// activates them; after its error e is closed and the previous engine continues to serve.
func (h *Recognizer) ReplaceEngine(
	e *engine.Engine, route func(engine.EngineInfo) (enable func(), err error), log *slog.Logger,
) error {
	h.replacing.Lock()
	defer h.replacing.Unlock()
	old := h.CurrentEngine()
	enable, err := route(e.ModelInfo())
	if err != nil {
		if e != old {
			err = errors.Join(err, e.Close())
		}
		return err
	}
	h.current.Store(e)
	enable()
	if e == old {
		return nil
	}
	if old != nil {
		go func() {
			if err := old.Close(); err != nil {
				log.Warn("the previous model was not closed cleanly", "err", err)
			}
		}()
	}
	return nil
}

// Transcribe transcribes audio on the current engine; see [engine.Engine.Transcribe].
func (h *Recognizer) Transcribe(
	ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions,
) (*engine.Result, error) {
	return withEngine(h, func(e *engine.Engine) (*engine.Result, error) { return e.Transcribe(ctx, src, o) })
}

// DebugDecode decodes audio with given parameters; see [engine.Engine.DebugDecode].
func (h *Recognizer) DebugDecode(
	ctx context.Context, src engine.SampleSource, p engine.DebugParams,
) (*engine.DebugResult, error) {
	return withEngine(h, func(e *engine.Engine) (*engine.DebugResult, error) { return e.DebugDecode(ctx, src, p) })
}

// withEngine runs work on the current engine. If that engine was closed before the work began, it has read nothing of
// the source, and work runs again on its successor.
func withEngine[T any](h *Recognizer, work func(*engine.Engine) (T, error)) (T, error) {
	for {
		e := h.current.Load()
		if e == nil {
			var none T
			return none, ErrLoading
		}
		got, err := work(e)
		if !errors.Is(err, engine.ErrClosed) || h.current.Load() == e {
			return got, err
		}
	}
}

// QueueLoad returns the numbers of admitted requests and of waiting pieces of work.
func (h *Recognizer) QueueLoad() (requests, waiting int) {
	if e := h.current.Load(); e != nil {
		return e.QueueLoad()
	}
	return 0, 0
}

// Close closes the current engine.
func (h *Recognizer) Close() error {
	if e := h.current.Swap(nil); e != nil {
		return e.Close()
	}
	return nil
}

// BundledFiles are the files that the program brings along.
type BundledFiles struct {
	Library ort.PackedLibrary
	VAD     []byte
	Model   fs.FS
}

// OpenEngine opens the model of the settings, else the one that is installed and selected in the data folder, else
// the bundled one.
func OpenEngine(cfg *config.Config, bundled BundledFiles) (*engine.Engine, error) {
	c := engine.Config{
		Library: bundled.Library, CacheDir: cfg.CacheDir(), VAD: bundled.VAD, Threads: cfg.Threads, Queue: cfg.Queue,
		Style: arabic.Style{KeepDiacritics: cfg.Diacritics == "keep", StripPunctuation: cfg.Punctuation == "strip"},
	}
	path := cfg.Model
	if path == "" {
		var err error
		if path, err = models.OpenFolder(cfg.Data).CurrentModel(); err != nil {
			return nil, err
		}
	}
	if path != "" {
		e, err := engine.OpenDir(path, c)
		return e, installation.ExplainCacheError(c.CacheDir, err)
	}
	e, err := engine.Open(bundled.Model, c)
	return e, installation.ExplainCacheError(c.CacheDir, err)
}

// InstalledModel holds the name of the serving installed model; the zero value holds none.
type InstalledModel struct {
	Fixed func() bool // whether the setting model names another
	name  atomic.Pointer[string]
}

// NoteFolder notes the folder of the installed model that serves; empty for the built-in one.
func (m *InstalledModel) NoteFolder(folder string) {
	name := ""
	if folder != "" {
		name = filepath.Base(folder)
	}
	m.name.Store(&name)
}

// ServingName returns the installed model that serves, empty for the built-in one; false while none does, or the
// setting model names another.
func (m *InstalledModel) ServingName() (name string, known bool) {
	p := m.name.Load()
	if p == nil || m.Fixed() {
		return "", false
	}
	return *p, true
}

const (
	// orgDecoders limits the audio decoders and ffmpeg processes that run at once for one organization, allDecoders
	// those of all.
	orgDecoders = 8
	allDecoders = 4 * orgDecoders
)

// OpenedSound is an opened recording; *audio.SampleStream implements it.
type OpenedSound interface {
	engine.SampleSource
	io.Closer
}

// SoundOpener probes and opens a recording; longest limits its decoded duration. Errors are package audio's.
type SoundOpener func(
	ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice,
) (OpenedSound, error)

// NewSoundOpener returns an opener that shares decoders among organizations; ffmpeg returns the path of that program.
func NewSoundOpener(ffmpeg func() string) SoundOpener {
	slots := quota.NewSemaphore(allDecoders, orgDecoders)
	acquire := func(ctx context.Context) (release func(), err error) {
		org := engine.ClientOf(ctx).Organization
		return func() { slots.ReleaseSlot(org) }, slots.AcquireSlot(ctx, org)
	}
	return func(
		ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice,
	) (OpenedSound, error) {
		return audio.OpenStream(ctx, r, audio.DecodeOptions{
			MaxDuration: longest, Channel: channel, FFmpeg: ffmpeg(), AcquireSlot: acquire,
		})
	}
}
