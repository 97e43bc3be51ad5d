package modeljob

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelshare"
	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/excerpt"
)

// Dependencies are the worker's dependencies on the appliance.
type Dependencies struct {
	Models  models.ModelFolder
	Open    func(dir string) (modelcheck.TrialEngine, error) // opens the model in a folder in addition to the serving one
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
	ErrNoModel  = errors.New("no such model is installed")
	ErrNoPath   = errors.New("there is no .nemo file and no model folder at this path")
	ErrName     = errors.New("the name is invalid or in use")
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
		At: w.Now().UTC(), Actor: w.job.Actor, Action: action, Subject: w.job.Name,
		Note: excerpt.TruncateText(note, maxNote),
	})
}
