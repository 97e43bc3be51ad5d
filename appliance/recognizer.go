package appliance

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/appliance/models"
	"munadi/appliance/systemd"
	assetsmodel "munadi/assets/model"
	assetsort "munadi/assets/ort"
	assetsvad "munadi/assets/vad"
	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/engine/ort"
)

// engineHolder holds the current engine; nil until the model is loaded.
type engineHolder struct {
	current atomic.Pointer[engine.Engine]
	heard   func(seconds float64, took time.Duration) // counts decoded live audio for the metrics; nil: not counted
}

var errLoading = errors.New("the model is still being loaded")

func (h *engineHolder) Transcribe(
	ctx context.Context,
	src engine.SampleSource,
	o engine.TranscribeOptions,
) (*engine.Result, error) {
	return withEngine(h, func(e *engine.Engine) (*engine.Result, error) { return e.Transcribe(ctx, src, o) })
}

func (h *engineHolder) DebugDecode(
	ctx context.Context,
	src engine.SampleSource,
	p engine.DebugParams,
) (*engine.DebugResult, error) {
	return withEngine(h, func(e *engine.Engine) (*engine.DebugResult, error) { return e.DebugDecode(ctx, src, p) })
}

// withEngine runs work on the current engine. If that engine was closed before the work began, it has read nothing of
// the source, and work runs again on its successor.
func withEngine[T any](h *engineHolder, work func(*engine.Engine) (T, error)) (T, error) {
	for {
		e := h.current.Load()
		if e == nil {
			var none T
			return none, errLoading
		}
		got, err := work(e)
		if !errors.Is(err, engine.ErrClosed) || h.current.Load() == e {
			return got, err
		}
	}
}

// queueLoad returns the numbers of admitted requests and of waiting pieces of work.
func (h *engineHolder) queueLoad() (requests, waiting int) {
	if e := h.current.Load(); e != nil {
		return e.QueueLoad()
	}
	return 0, 0
}

func (h *engineHolder) closeEngine() error {
	if e := h.current.Swap(nil); e != nil {
		return e.Close()
	}
	return nil
}

// OpenEngine opens the model of the settings, else the one that is installed and selected in the data folder, else
// the embedded one.
func OpenEngine(cfg *config.Config) (*engine.Engine, error) {
	zst, sum, version := assetsort.PackedLibrary()
	c := engine.Config{
		Library:  ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version},
		CacheDir: cfg.CacheDir(), VAD: assetsvad.ModelBytes(), Threads: cfg.Threads, Queue: cfg.Queue,
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
	e, err := engine.Open(assetsmodel.BundleFS(), c)
	return e, installation.ExplainCacheError(c.CacheDir, err)
}

// loadModel loads the model and sets readiness to ready.
func (a *Appliance) loadModel() error {
	if err := a.openModel(); err != nil {
		a.health.SetBroken(err.Error())
		return err
	}
	a.health.SetReady()
	a.notifyManager(systemd.Ready, "serves on "+a.publicURL())
	return nil
}

// reloadModel changes to the model that is selected now. Requests in progress finish on the old one.
func (a *Appliance) reloadModel() error {
	if model := a.inForce().Model; model != "" {
		return fmt.Errorf("the setting model (%s) takes precedence over installed models: remove it first", model)
	}
	return a.openModel()
}

// openModel opens the model of the settings and serves with it.
func (a *Appliance) openModel() error {
	started := time.Now()
	e, err := OpenEngine(a.inForce())
	if err != nil {
		return err
	}
	info := e.ModelInfo()
	if err := a.showEngine(e); err != nil {
		return err
	}
	a.log.Info("model", "name", info.Name, "decoding", info.Decoding, "threads", info.Threads,
		"took", time.Since(started).Round(time.Millisecond))
	return nil
}

// showEngine routes requests to an engine with the settings in force, and retires the previous engine if it is
// another.
func (a *Appliance) showEngine(e *engine.Engine) error {
	a.bringing.Lock()
	defer a.bringing.Unlock()
	old := a.engine.current.Load()
	all, err := a.newReadyRouter(e.ModelInfo())
	if err != nil {
		if e != old {
			err = errors.Join(err, e.Close())
		}
		return err
	}
	a.engine.current.Store(e)
	a.handler.ReplaceHandler(all)
	if e == old {
		return nil
	}
	defer releaseStartupMemory()
	if old != nil {
		go a.retireEngine(old)
	}
	return nil
}

// retireEngine closes an engine after its requests in progress have ended.
func (a *Appliance) retireEngine(e *engine.Engine) {
	if err := e.Close(); err != nil {
		a.log.Warn("the previous model was not closed cleanly", "err", err)
	}
}
