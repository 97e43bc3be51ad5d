package appliance

import (
	"os"
	"path/filepath"
	"time"

	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modeljob"
	"munadi/appliance/models/modelshare"
	"munadi/appliance/monitor/doctor"
	"munadi/appliance/recognizer"
	"munadi/appliance/ssehub"
	"munadi/appliance/webhook"
	"munadi/assets/web"
	"munadi/store/account"
)

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
