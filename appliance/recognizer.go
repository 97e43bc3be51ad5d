package appliance

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/notify"
	"munadi/appliance/shelf"
	assetsmodel "munadi/assets/model"
	assetsort "munadi/assets/ort"
	assetsvad "munadi/assets/vad"
	"munadi/engine"
	"munadi/engine/ort"
)

// holder is the engine once it is loaded.
type holder struct {
	current atomic.Pointer[engine.Engine]
	heard   func(seconds float64, took time.Duration) // counts live sound; nil: nobody counts
}

var errLoading = errors.New("the model is still being loaded")

func (h *holder) Transcribe(ctx context.Context, src engine.Source, o engine.Options) (*engine.Result, error) {
	return ask(h, func(e *engine.Engine) (*engine.Result, error) { return e.Transcribe(ctx, src, o) })
}

func (h *holder) Debug(ctx context.Context, src engine.Source, p engine.DebugParams) (*engine.DebugResult, error) {
	return ask(h, func(e *engine.Engine) (*engine.DebugResult, error) { return e.Debug(ctx, src, p) })
}

// ask works with the current engine. One that was closed between the look and the work has read nothing of the
// source, and its successor is asked.
func ask[T any](h *holder, work func(*engine.Engine) (T, error)) (T, error) {
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

// load counts admitted requests and waiting pieces.
func (h *holder) load() (requests, waiting int) {
	if e := h.current.Load(); e != nil {
		return e.Load()
	}
	return 0, 0
}

func (h *holder) close() error {
	if e := h.current.Swap(nil); e != nil {
		return e.Close()
	}
	return nil
}

// OpenEngine opens the model that the configuration names, else the one that is current on the data folder's shelf,
// else the embedded one.
func OpenEngine(cfg *config.Config) (*engine.Engine, error) {
	zst, sum, version := assetsort.Library()
	c := engine.Config{
		Library:  ort.Library{Zstd: zst, SHA256: sum, Version: version},
		CacheDir: cfg.CacheDir(), VAD: assetsvad.Model(), Threads: cfg.Threads, Queue: cfg.Queue,
	}
	path := cfg.Model
	if path == "" {
		var err error
		if path, err = shelf.In(cfg.Data).Current(); err != nil {
			return nil, err
		}
	}
	if path != "" {
		e, err := engine.OpenDir(path, c)
		return e, explainCache(c.CacheDir, err)
	}
	e, err := engine.Open(assetsmodel.FS(), c)
	return e, explainCache(c.CacheDir, err)
}

// load brings the model up and turns the appliance ready.
func (a *Appliance) load() error {
	if err := a.bring(); err != nil {
		a.health.Break(err.Error())
		return err
	}
	a.health.Ready()
	a.tell(notify.Ready, "serves on "+a.url())
	return nil
}

// reload changes to the model that is current now. Requests that are on end with the old one.
func (a *Appliance) reload() error {
	if model := a.inForce().Model; model != "" {
		return fmt.Errorf("the settings name the model %s, which counts before installed ones", model)
	}
	return a.bring()
}

// bring opens the model that the settings name.
func (a *Appliance) bring() error {
	started := time.Now()
	e, err := OpenEngine(a.inForce())
	if err != nil {
		return err
	}
	info := e.Info()
	if err := a.show(e); err != nil {
		return err
	}
	a.log.Info("model", "name", info.Name, "decoding", info.Decoding, "threads", info.Threads,
		"took", time.Since(started).Round(time.Millisecond))
	return nil
}

// show puts an engine and the settings in force behind all faces and lets the engine before go, if it is another.
func (a *Appliance) show(e *engine.Engine) error {
	a.bringing.Lock()
	defer a.bringing.Unlock()
	old := a.engine.current.Load()
	all, err := a.ready(e.Info())
	if err != nil {
		if e != old {
			err = errors.Join(err, e.Close())
		}
		return err
	}
	a.engine.current.Store(e)
	a.faces.show(all)
	if e == old {
		return nil
	}
	defer slim()
	if old != nil {
		go a.retire(old)
	}
	return nil
}

// retire closes an engine when the requests that are on it have ended; nobody waits for that.
func (a *Appliance) retire(e *engine.Engine) {
	if err := e.Close(); err != nil {
		a.log.Warn("the model before was not closed well", "err", err)
	}
}
