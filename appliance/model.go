package appliance

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modeljob"
	"munadi/appliance/models/modelshare"
	"munadi/appliance/models/voiceinstall"
	"munadi/appliance/monitor/doctor"
	"munadi/appliance/monitor/systemd"
	"munadi/appliance/recognizer"
	"munadi/appliance/ssehub"
	"munadi/appliance/webhook"
	assetsmodel "munadi/assets/model"
	assetsort "munadi/assets/ort"
	assetsvad "munadi/assets/vad"
	"munadi/assets/web"
	"munadi/engine"
	"munadi/engine/ort"
	"munadi/engine/voice"
	"munadi/store/account"
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

// OpenVoice opens the neural voice in a folder. One sentence has one thread, as a run of a small recognition model has:
// the cores are for the calls at once.
func OpenVoice(cfg *config.Config, dir string) (*voice.NeuralVoice, error) {
	zst, sum, version := assetsort.PackedLibrary()
	path, _, err := ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version}.UnpackTo(cfg.CacheDir())
	if err != nil {
		return nil, installation.ExplainCacheError(cfg.CacheDir(), err)
	}
	if err := ort.LoadLibrary(path); err != nil {
		return nil, err
	}
	return voice.OpenFolder(dir, 1)
}

// voiceDesk returns what the console does with neural voices.
func (a *Appliance) voiceDesk() *voiceinstall.VoicePuller {
	return &voiceinstall.VoicePuller{
		VoiceDesk: voiceinstall.VoiceDesk{
			VoiceInstaller: voiceinstall.VoiceInstaller{Voices: models.OpenVoices(a.config.Data), Open: a.openVoice},
			Watch:          &a.voices,
			AddAudit:       a.store.AddAudit, Now: time.Now,
		},
		Hub: a.models.Hub, Log: a.log,
		Publish: func(v voiceinstall.VoicePull) {
			a.events.PublishTransient(modelTopic(), "voice", modeljob.JobEvent{
				Phase: modeljob.JobPhase(v.Phase), Done: v.Done, Size: v.Size,
			})
		},
	}
}

// openVoice is [OpenVoice] with the settings in force.
func (a *Appliance) openVoice(dir string) (*voice.NeuralVoice, error) {
	return OpenVoice(a.inForce(), dir)
}

// modelTopic is the SSE topic of model installations, for the pages of owners of the default organization.
func modelTopic() ssehub.EventTopic { return ssehub.EventTopic{OrgID: account.Default, Name: "models"} }

// openModels constructs the worker that installs speech models.
func (a *Appliance) openModels() error {
	transport := webhook.OutboundNetwork{Proxy: a.config.OutboundProxy()}.NewTransport()
	hub, err := modelhub.OpenHub(a.config.ModelHub, os.Getenv("HF_TOKEN"), transport)
	if err != nil { // the token is only needed for gated models
		a.log.Warn("the token of the model hub is not used; gated models cannot be downloaded", "err", err)
		hub = &modelhub.Hub{Base: a.config.ModelHub, Transport: transport}
	}
	a.shareFiles()
	a.models, err = modeljob.NewWorker(modeljob.Dependencies{
		Share: a.shared, UsedBy: a.cluster.ModelUsers,
		Models: models.OpenFolder(a.config.Data), Samples: web.WebFiles(), Hub: func() *modelhub.Hub { return hub },
		Open: a.openTrialEngine, Serving: a.servingEngine,
		Fixed:  func() string { return a.inForce().Model },
		Reload: a.reloadModel, AddAudit: a.store.AddAudit, Now: time.Now, Log: a.log,
		Publish: func(e modeljob.JobEvent) { a.events.PublishTransient(modelTopic(), "model", e) },
	})
	a.capacity = recognizer.CapacityMeter{Recognizer: &a.engine, Samples: web.WebFiles(), Log: a.log}
	return err
}

// shareFiles constructs the workers that share models and prompts through the bucket, if there is one.
func (a *Appliance) shareFiles() {
	if a.bucket == nil {
		return
	}
	a.bucket.MirrorPrompts(filepath.Join(a.config.Data, "prompts"), a.cluster.AnnounceFiles, a.health.SetWarning)
	a.shared = modelshare.NewWorker(modelshare.Dependencies{
		Models: models.OpenFolder(a.config.Data), Bucket: a.bucket.Shared, Serving: a.installed.ServingName,
		Use:    func(name string) error { return a.models.FollowSelection(name) },
		UsedBy: a.cluster.ModelUsers, Announce: a.cluster.AnnounceFiles,
		Warn:    func(message string) { a.health.SetWarning("models", message) },
		Changed: func() { a.events.PublishTransient(modelTopic(), "model", modeljob.JobEvent{Phase: modeljob.Sharing}) },
		Now:     time.Now, Log: a.log,
	})
}

// openTrialEngine opens the model in a folder in addition to the serving one.
func (a *Appliance) openTrialEngine(dir string) (modelcheck.TrialEngine, error) {
	c := *a.inForce()
	c.Model = dir
	return OpenEngine(&c)
}

// modelNames returns the name of the model that serves, and those of the installed ones.
func (a *Appliance) modelNames() (serving string, installed []string) {
	if e := a.engine.CurrentEngine(); e != nil {
		serving = e.ModelInfo().Name
	}
	return serving, models.OpenFolder(a.config.Data).InstalledNames()
}

// servingEngine returns the engine that serves now; nil while it is loaded.
func (a *Appliance) servingEngine() modeljob.ServingEngine {
	if e := a.engine.CurrentEngine(); e != nil {
		return e
	}
	return nil
}

// servingModel describes the model that serves, for munadi doctor.
func (a *Appliance) servingModel() doctor.ServingModel {
	m := doctor.ServingModel{
		Engine: a.engine.CurrentEngine(), Lines: a.inForce().Lines, BuiltIn: a.models.DescribeModels().BuiltIn,
	}
	if c, known := a.capacity.CurrentCapacity(); known {
		m.Capacity = &c
	}
	return m
}
