package modeljob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelinstall"
	"munadi/appliance/models/modelshare"
	"munadi/appliance/recovery"
	"munadi/store"
)

// Dependencies are the worker's dependencies on the appliance.
type Dependencies struct {
	Models  models.ModelFolder
	Open    func(dir string) (modelcheck.TrialEngine, error) // opens the model in a folder beside the serving one
	Samples fs.FS                                            // the clips of the test
	Hub     func() *modelhub.Hub                             // of the settings in force
	// Serving returns the engine that serves now; nil while it is loaded.
	Serving func() ServingEngine
	// Fixed returns the folder that the setting model names; empty where an installed model may be chosen.
	Fixed func() string
	// Reload makes the appliance serve with the model that is selected.
	Reload   func() error
	AddAudit func(ctx context.Context, orgID string, e store.AuditEntry) error
	Publish  func(e JobEvent) // notifies open pages; may drop events
	// UsedBy lists the other appliances that serve with a model; nil: there are none.
	UsedBy func(ctx context.Context, name string) ([]string, error)
	Share  *modelshare.ShareWorker // nil: models are of this appliance alone
	Now    func() time.Time
	Log    *slog.Logger
}

// JobEvent notifies a page of a job. Progress events come a few times a second, the others at each change of the phase.
type JobEvent struct {
	Phase JobPhase `json:"phase"`
	Done  int64    `json:"done"`
	Size  int64    `json:"size"`
}

// Refusals of a request.
var (
	ErrBusy     = errors.New("another model is being installed; wait for it, or cancel it")
	ErrNoJob    = errors.New("no model is being installed")
	ErrFixed    = errors.New("the setting model takes precedence over installed models: remove it first")
	ErrNoModel  = errors.New("there is no such model")
	ErrNoPath   = errors.New("there is no .nemo file and no model folder at this path")
	ErrName     = errors.New("the name cannot be given")
	ErrInUse    = errors.New("the model is in use")
	errReplaced = errors.New("cancelled")
)

// ModelWorker installs models one at a time. It is safe for concurrent use.
type ModelWorker struct {
	Dependencies
	record string // path of the job's record
	wake   chan struct{}

	mu     sync.Mutex
	job    *InstallJob             // nil: none yet
	cancel context.CancelCauseFunc // of the running job; nil: it doesn't run

	switching  sync.Mutex // held while the selection changes
	comparison comparisonEngine
}

// NewWorker reads the record of the last job. Run continues it.
func NewWorker(d Dependencies) (*ModelWorker, error) {
	if d.UsedBy == nil {
		d.UsedBy = func(context.Context, string) ([]string, error) { return nil, nil }
	}
	w := &ModelWorker{Dependencies: d, record: d.Models.Folder(".job.json"), wake: make(chan struct{}, 1)}
	var err error
	w.job, err = readJob(w.record)
	return w, err
}

// CurrentJob returns the job that runs, or the last one; nil without any.
func (w *ModelWorker) CurrentJob() *InstallJob {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.job == nil {
		return nil
	}
	j := *w.job
	return &j
}

// StartInstall starts an installation in the background and returns at once.
func (w *ModelWorker) StartInstall(ctx context.Context, r InstallRequest) error {
	if err := w.checkRequest(&r); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isBusy() {
		return ErrBusy
	}
	if err := w.auditRequest(ctx, r, "model.request"); err != nil {
		return err
	}
	if w.job != nil && w.job.Upload && w.job.Path != r.Path { // else a file of gigabytes would be left
		_ = os.RemoveAll(filepath.Dir(w.job.Path))
	}
	return w.beginJob(&InstallJob{InstallRequest: r, Phase: firstPhase(r), BegunAt: w.Now().UTC()})
}

// auditRequest adds the audit entry of a request about the model that r asks for.
func (w *ModelWorker) auditRequest(ctx context.Context, r InstallRequest, action string) error {
	return w.AddAudit(ctx, r.OrgID, store.AuditEntry{
		At: w.Now().UTC(), Actor: r.Actor, Action: action, Subject: r.Name, Note: truncateNote(cmp.Or(r.Model, r.Path)),
	})
}

// checkRequest completes and validates a request.
func (w *ModelWorker) checkRequest(r *InstallRequest) error {
	if r.Path == "" {
		name, _, err := modelhub.ParseName(r.Model)
		if err != nil {
			return err
		}
		if r.Name == "" {
			r.Name = filepath.Base(name)
		}
		return w.checkNameFree(r.Name)
	}
	if !filepath.IsAbs(r.Path) || !isModelPath(r.Path) {
		return ErrNoPath
	}
	if r.Name == "" {
		var err error
		if r.Name, err = modelinstall.NameOf(r.Path); err != nil {
			return err
		}
	}
	return w.checkNameFree(r.Name)
}

// checkNameFree checks that a model can be installed under name.
func (w *ModelWorker) checkNameFree(name string) error {
	if err := w.Models.CheckNameFree(name); err != nil {
		return fmt.Errorf("%w: %w", ErrName, err)
	}
	return nil
}

// isModelPath reports whether a checkpoint or a folder lies at path.
func isModelPath(path string) bool {
	st, err := os.Stat(path)
	return err == nil && (st.IsDir() || st.Mode().IsRegular() && filepath.Ext(path) == ".nemo")
}

func firstPhase(r InstallRequest) JobPhase {
	if r.Path != "" {
		return Testing
	}
	return Fetching
}

// isBusy reports whether a job runs or is about to. The lock is held.
func (w *ModelWorker) isBusy() bool { return w.cancel != nil || w.job != nil && w.job.Phase.IsActive() }

// beginJob stores a job and wakes the worker. The lock is held.
func (w *ModelWorker) beginJob(j *InstallJob) error {
	if err := os.MkdirAll(filepath.Dir(w.record), 0o700); err != nil {
		return err
	}
	if err := writeJob(w.record, j); err != nil {
		return err
	}
	w.job = j
	select {
	case w.wake <- struct{}{}:
	default:
	}
	return nil
}

// CancelInstall stops the running job. Downloaded files are kept: ResumeInstall continues with them.
func (w *ModelWorker) CancelInstall(ctx context.Context, orgID, actor string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.job == nil || !w.isBusy() {
		return ErrNoJob
	}
	r := w.job.InstallRequest
	r.OrgID, r.Actor = orgID, actor
	if err := w.auditRequest(ctx, r, "model.cancel"); err != nil {
		return err
	}
	if w.cancel == nil { // it is not running
		return w.closeJob(Cancelled, "")
	}
	w.cancel(errReplaced)
	return nil
}

// ResumeInstall begins a job that failed or was cancelled once more.
func (w *ModelWorker) ResumeInstall(ctx context.Context, orgID, actor string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.isBusy():
		return ErrBusy
	case w.job == nil || w.job.Phase == Installed:
		return ErrNoJob
	}
	r := w.job.InstallRequest
	r.OrgID, r.Actor = orgID, actor
	if err := errors.Join(w.checkRequest(&r), w.auditRequest(ctx, r, "model.request")); err != nil {
		return err
	}
	return w.beginJob(&InstallJob{
		InstallRequest: r, Phase: firstPhase(r), Done: w.job.Done, Size: w.job.Size, Folder: w.job.Folder,
		Revision: w.job.Revision, License: w.job.License, BegunAt: w.Now().UTC(),
	})
}

// ForgetJob removes the record and the files of an ended job.
func (w *ModelWorker) ForgetJob(ctx context.Context, orgID, actor string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isBusy() {
		return ErrBusy
	}
	if w.job == nil {
		return nil
	}
	r := w.job.InstallRequest
	r.OrgID, r.Actor = orgID, actor
	if err := w.auditRequest(ctx, r, "model.forget"); err != nil {
		return err
	}
	err := w.removeFiles(w.job)
	w.job = nil
	return errors.Join(err, os.Remove(w.record))
}

// removeFiles removes the downloaded or uploaded files of a job.
func (w *ModelWorker) removeFiles(j *InstallJob) error {
	folder := j.Folder
	if j.Upload {
		folder = filepath.Dir(j.Path)
	}
	if folder == "" || filepath.Dir(folder) != filepath.Dir(w.record) { // never outside of the models' folder
		return nil
	}
	return os.RemoveAll(folder)
}

// closeJob ends the job. The lock is held.
func (w *ModelWorker) closeJob(p JobPhase, fault string) error {
	now := w.Now().UTC()
	w.job.Phase, w.job.Fault, w.job.EndedAt = p, fault, &now
	err := writeJob(w.record, w.job)
	w.Publish(JobEvent{Phase: p, Done: w.job.Done, Size: w.job.Size})
	return err
}

// Run works until ctx ends. A job that runs then stays active, and continues with the next Run.
func (w *ModelWorker) Run(ctx context.Context) error {
	defer func() { _ = w.comparison.closeEngine() }()
	idle := time.NewTicker(time.Minute)
	defer idle.Stop()
	for {
		if err := w.runActive(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-w.wake:
		case <-idle.C:
			w.comparison.closeIdle(w.Now())
		}
	}
}

// runActive runs the job, if one is active, to its end.
func (w *ModelWorker) runActive(ctx context.Context) error {
	w.mu.Lock()
	if w.job == nil || !w.job.Phase.IsActive() || ctx.Err() != nil {
		w.mu.Unlock()
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w.cancel = cancel
	w.mu.Unlock()
	err := recovery.RecoverPanic(func() error { return w.runJob(ctx) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel = nil
	cause := context.Cause(ctx)
	cancel(nil)
	return w.settleJob(context.WithoutCancel(ctx), err, cause)
}

// settleJob records how a job ended; one that the appliance's stop interrupted stays active. The lock is held.
func (w *ModelWorker) settleJob(ctx context.Context, err, cause error) error {
	if err == nil {
		return errors.Join(w.closeJob(Installed, ""), w.auditOutcome(ctx, "model.install", w.job.Model))
	}
	if errors.Is(cause, errReplaced) {
		return w.closeJob(Cancelled, "")
	}
	if cause != nil {
		return nil //nolint:nilerr // the next start continues it
	}
	w.classifyFault(err)
	w.Log.Warn("a model was not installed", "model", w.job.Name, "err", err)
	return errors.Join(w.closeJob(Failed, err.Error()), w.auditOutcome(ctx, "model.fail", err.Error()))
}

// classifyFault records the kind of a fault, so that a page can name the remedy.
func (w *ModelWorker) classifyFault(err error) {
	var unreachable *modelhub.UnreachableError
	var memory *MemoryFault
	var disk *DiskFault
	w.job.Kind = KindOf(err)
	w.job.Offline, w.job.Memory, w.job.Disk = errors.As(err, &unreachable), errors.As(err, &memory), errors.As(err, &disk)
}

// auditOutcome adds the audit entry of an ended job, also while the appliance stops.
func (w *ModelWorker) auditOutcome(ctx context.Context, action, note string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return w.AddAudit(ctx, w.job.OrgID, store.AuditEntry{
		At: w.Now().UTC(), Actor: w.job.Actor, Action: action, Subject: w.job.Name, Note: truncateNote(note),
	})
}

// truncateNote bounds a note of the audit log.
func truncateNote(note string) string {
	if r := []rune(note); len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return note
}
