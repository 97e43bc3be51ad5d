package modeljob

import (
	"context"

	"munadi/appliance/modelhub"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelinstall"
	"munadi/appliance/models/modelshare"
	"munadi/store/disk"
)

// InstalledModel is one installed model.
type InstalledModel struct {
	Name   string
	InUse  bool
	Bytes  int64
	Source *modelinstall.Source    // nil: it came as a file
	Report *modelcheck.TrialReport // nil: it was never measured
}

// ModelOverview lists the installed models and the current job.
type ModelOverview struct {
	Job       *InstallJob // nil: none yet
	Installed []InstalledModel
	BuiltIn   bool                    // the built-in model is selected
	Fixed     string                  // the setting model, which takes precedence; empty: none
	Hub       string                  // address of the hub
	Shared    *modelshare.ShareStatus // nil: models are of this appliance alone
}

// FindModel asks the hub for a model: its revision, licence, size and files.
func (w *ModelWorker) FindModel(ctx context.Context, name, revision string) (*modelhub.Model, error) {
	return w.Hub().Find(ctx, name, revision)
}

// DescribeModels returns the overview.
func (w *ModelWorker) DescribeModels() ModelOverview {
	o := ModelOverview{Job: w.CurrentJob(), Fixed: w.Fixed(), Hub: w.Hub().Base}
	if w.Share != nil {
		shared := w.Share.CurrentStatus()
		o.Shared = &shared
	}
	current, err := w.Models.CurrentModel()
	o.BuiltIn = err == nil && current == "" && o.Fixed == ""
	for _, name := range w.Models.InstalledNames() {
		folder := w.Models.Folder(name)
		m := InstalledModel{Name: name, Bytes: disk.SizeOf(folder), InUse: o.Fixed == "" && folder == current}
		m.Source, _ = modelinstall.SourceOf(folder) // one that can't be read is shown without
		m.Report, _ = modelcheck.ReadReport(folder)
		o.Installed = append(o.Installed, m)
	}
	return o
}
