package appliance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modeljob"
	"munadi/appliance/recognizer"
	"munadi/appliance/ssehub"
	"munadi/appliance/webhook"
	"munadi/assets/web"
	"munadi/store/account"
)

// OpenHub returns the client of the configured model hub, with an access token if token is not empty.
func OpenHub(cfg *config.Config, token string) (*modelhub.Hub, error) {
	token = strings.TrimSpace(token)
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, errors.New("the token (HF_TOKEN or --token-file) is more than one line of plain characters")
	}
	return &modelhub.Hub{
		Base: cfg.ModelHub, Token: token, Transport: webhook.OutboundNetwork{Proxy: cfg.OutboundProxy()}.NewTransport(),
	}, nil
}

// modelTopic is the SSE topic of the installation of models, which the governors' pages view.
func modelTopic() ssehub.EventTopic { return ssehub.EventTopic{OrgID: account.Default, Name: "models"} }

// openModels constructs the worker that installs speech models.
func (a *Appliance) openModels() error {
	hub, err := OpenHub(a.config, os.Getenv("HF_TOKEN"))
	if err != nil { // gated models are refused without it, nothing else
		a.log.Warn("the model hub is asked without a token", "err", err)
		if hub, err = OpenHub(a.config, ""); err != nil {
			return err
		}
	}
	a.models, err = modeljob.NewWorker(modeljob.Dependencies{
		Shelf: models.OpenFolder(a.config.Data), Samples: web.WebFiles(), Hub: func() *modelhub.Hub { return hub },
		Open:    a.openBeside,
		Serving: a.servingEngine,
		Fixed:   func() string { return a.inForce().Model },
		Reload:  a.reloadModel, AddAudit: a.store.AddAudit, Now: time.Now, Log: a.log,
		Publish: func(e modeljob.JobEvent) { a.events.PublishTransient(modelTopic(), "model", e) },
	})
	a.capacity = recognizer.CapacityMeter{Recognizer: &a.engine, Samples: web.WebFiles(), Log: a.log}
	return err
}

// openBeside opens the model in a folder beside the serving one.
func (a *Appliance) openBeside(dir string) (modelcheck.TrialEngine, error) {
	c := *a.inForce()
	c.Model = dir
	return OpenEngine(&c)
}

// servingEngine returns the engine that serves now; nil while it is loaded.
func (a *Appliance) servingEngine() modeljob.ServingEngine {
	if e := a.engine.CurrentEngine(); e != nil {
		return e
	}
	return nil
}

// findModel asks the hub for a model: its revision, licence, size and files.
func (a *Appliance) findModel(ctx context.Context, name, revision string) (*modelhub.Model, error) {
	return a.models.Hub().Find(ctx, name, revision)
}

// modelFinding is doctor's line about the model that serves.
func (a *Appliance) modelFinding() admin.CheckFinding {
	f := admin.CheckFinding{Name: "serving", State: admin.Well}
	e := a.engine.CurrentEngine()
	if e == nil {
		f.State, f.Text = admin.Note, recognizer.ErrLoading.Error()
		return f
	}
	info := e.ModelInfo()
	f.Text = fmt.Sprintf("%s, %s, %s, %d threads", info.Name, info.Precision, info.Decoding, info.Threads)
	if c, known := a.capacity.CurrentCapacity(); known {
		f.Text += "; this machine " + c.String()
		if lines := a.inForce().Lines; lines > c.Calls {
			f.State = admin.Note
			f.Text += fmt.Sprintf("; the setting lines (%d) is more than that: calls may answer late", lines)
		}
	}
	if a.models.DescribeModels().BuiltIn {
		f.Text += "; it is the built-in model for demos: munadi model list shows others"
	}
	return f
}
