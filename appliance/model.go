package appliance

import (
	"fmt"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/models"
	"munadi/appliance/monitor/systemd"
	"munadi/appliance/recognizer"
	assetsmodel "munadi/assets/model"
	assetsort "munadi/assets/ort"
	assetsvad "munadi/assets/vad"
	"munadi/engine"
	"munadi/engine/ort"
)

// OpenEngine opens the model of the settings, else the one that is installed and selected in the data folder, else
// the embedded one.
func OpenEngine(cfg *config.Config) (*engine.Engine, error) {
	zst, sum, version := assetsort.PackedLibrary()
	return recognizer.OpenEngine(cfg, recognizer.BundledFiles{
		Library: ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version},
		VAD:     assetsvad.ModelBytes(), Model: assetsmodel.BundleFS(),
	})
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
	if err := a.openModel(); err != nil {
		return err
	}
	a.shared.WakeUp()
	return nil
}

// openModel opens the model of the settings and serves with it.
func (a *Appliance) openModel() error {
	started := time.Now()
	selected, _ := models.OpenFolder(a.config.Data).CurrentModel() // OpenEngine returns the error where it counts
	e, err := OpenEngine(a.inForce())
	if err != nil {
		return err
	}
	info := e.ModelInfo()
	if err := a.activateEngine(e); err != nil {
		return err
	}
	a.installed.NoteFolder(selected)
	a.noteChecksums(info, selected)
	a.log.Info("model loaded", "name", info.Name, "decoding", info.Decoding, "threads", info.Threads,
		"took", time.Since(started).Round(time.Millisecond))
	return nil
}

// noteChecksums logs damaged files that were unpacked again, and records the checksums of an installed model that has
// none yet.
func (a *Appliance) noteChecksums(info engine.EngineInfo, selected string) {
	for _, path := range info.Repaired {
		a.log.Warn("a damaged file of the cache was unpacked again: check the disk and the memory", "file", path)
	}
	if info.Checksums != "" || selected == "" || a.inForce().Model != "" {
		return
	}
	err := models.RecordChecksums(selected)
	a.log.Warn("the selected model was installed without checksums: its files are recorded as they are now",
		"folder", selected, "err", err)
}

// activateEngine makes an engine serve requests, with the settings in force.
func (a *Appliance) activateEngine(e *engine.Engine) error {
	return a.engine.ReplaceEngine(e, func(info engine.EngineInfo) (enable func(), err error) {
		all, err := a.newReadyRouter(info)
		return func() { a.handler.ReplaceHandler(all) }, err
	}, a.log)
}
