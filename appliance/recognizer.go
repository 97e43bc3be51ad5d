package appliance

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	assetsmodel "munadi/assets/model"
	assetsort "munadi/assets/ort"
	assetsvad "munadi/assets/vad"

	"munadi/appliance/config"
	"munadi/engine"
	"munadi/engine/ort"
)

// holder is the engine once it is loaded.
type holder struct{ current atomic.Pointer[engine.Engine] }

var errLoading = errors.New("the model is still being loaded")

func (h *holder) Transcribe(ctx context.Context, src engine.Source, o engine.Options) (*engine.Result, error) {
	e := h.current.Load()
	if e == nil {
		return nil, errLoading
	}
	return e.Transcribe(ctx, src, o)
}

func (h *holder) Debug(ctx context.Context, src engine.Source, p engine.DebugParams) (*engine.DebugResult, error) {
	e := h.current.Load()
	if e == nil {
		return nil, errLoading
	}
	return e.Debug(ctx, src, p)
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

// OpenEngine opens the model that the configuration names, or the embedded one.
func OpenEngine(cfg *config.Config) (*engine.Engine, error) {
	zst, sum, version := assetsort.Library()
	c := engine.Config{
		Library:  ort.Library{Zstd: zst, SHA256: sum, Version: version},
		CacheDir: cfg.CacheDir(), VAD: assetsvad.Model(), Threads: cfg.Threads, Queue: cfg.Queue,
	}
	if cfg.Model != "" {
		return engine.OpenDir(cfg.Model, c)
	}
	return engine.Open(assetsmodel.FS(), c)
}

// load brings the model up and turns the appliance ready.
func (a *Appliance) load() error {
	started := time.Now()
	e, err := OpenEngine(a.config)
	if err != nil {
		a.health.Break(err.Error())
		return err
	}
	a.engine.current.Store(e)
	info := e.Info()
	all, err := a.ready(info)
	if err != nil {
		return err
	}
	a.faces.show(all)
	a.health.Ready()
	a.log.Info("ready", "model", info.Name, "decoding", info.Decoding, "threads", info.Threads,
		"took", time.Since(started).Round(time.Millisecond))
	return nil
}
