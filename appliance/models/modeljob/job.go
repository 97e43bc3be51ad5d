package modeljob

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"

	"munadi/appliance/modelhub"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelinstall"
	"munadi/store"
	"munadi/store/excerpt"
)

// JobPhase is the state of an installation job.
type JobPhase string

// Phases. Fetching and Testing are active; the others are final.
const (
	Fetching  JobPhase = "fetching" // is downloaded from the hub
	Testing   JobPhase = "testing"  // is converted and tested
	Installed JobPhase = "installed"
	Failed    JobPhase = "failed"
	Cancelled JobPhase = "cancelled"
)

// Sharing is the phase of events that do not belong to a job: models are uploaded to or downloaded from the bucket.
const Sharing JobPhase = "sharing"

// IsActive reports whether the job still runs, or continues at the next start.
func (p JobPhase) IsActive() bool { return p == Fetching || p == Testing }

// InstallRequest asks for the installation of a model: one on the hub, or one on this machine.
type InstallRequest struct {
	Model       string `json:"model,omitempty"` // on the hub: ORGANIZATION/NAME, optionally @REVISION
	Path        string `json:"path,omitempty"`  // of a checkpoint or a folder on this machine; empty: Model
	Upload      bool   `json:"upload,omitempty"`
	Name        string `json:"name"` // to be installed under
	AnyLanguage bool   `json:"any_language,omitempty"`
	Int8        bool   `json:"int8,omitempty"`
	Beside      bool   `json:"beside,omitempty"` // Path is an installed model, whose 8-bit form is asked for
	Use         bool   `json:"use,omitempty"`    // the appliance switches to it once it is installed
	OrgID       string `json:"organization"`     // its audit log records the outcome
	Actor       string `json:"actor"`
}

// InstallJob is one installation and its progress.
type InstallJob struct {
	InstallRequest
	Phase    JobPhase   `json:"phase"`
	Done     int64      `json:"done_bytes"` // downloaded
	Size     int64      `json:"size_bytes"` // 0: not known yet
	Folder   string     `json:"folder,omitempty"`
	Revision string     `json:"revision,omitempty"`
	License  string     `json:"license,omitempty"`
	Fault    string     `json:"fault,omitempty"`      // why it failed
	Kind     string     `json:"fault_kind,omitempty"` // of the fault, see [KindOf]; empty: the message is complete
	Offline  bool       `json:"offline,omitempty"`
	Memory   bool       `json:"memory,omitempty"` // the fault is too little memory
	Disk     bool       `json:"disk,omitempty"`   // the fault is too little disk space
	Tests    int        `json:"tests"`            // how often Testing was started
	BegunAt  time.Time  `json:"begun_at"`
	EndedAt  *time.Time `json:"ended_at,omitempty"`
}

// readJob reads a record; nil without one, or if it is unreadable, since it can be recreated.
func readJob(path string) (*InstallJob, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	j := &InstallJob{}
	if json.Unmarshal(b, j) != nil {
		return nil, nil //nolint:nilerr // see above
	}
	return j, nil
}

// writeJob replaces the record.
func writeJob(path string, j *InstallJob) error {
	b, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, b, 0o600)
}

// Kinds of faults in addition to those of [modelhub.FaultKind] and [modelinstall.FaultKind]. A fault of memory, of the
// disk or of repeated stops has no kind: its message is complete.
const (
	offlineKind = "offline" // the hub cannot be reached
	otherKind   = "other"
)

// KindOf returns the kind of an error of an installation, which names the sentence that a page shows.
func KindOf(err error) string {
	var unreachable *modelhub.UnreachableError
	var hub *modelhub.FaultError
	var install *modelinstall.FaultError
	var memory *MemoryFault
	var disk *DiskFault
	switch {
	case errors.As(err, &unreachable):
		return offlineKind
	case errors.As(err, &hub):
		return string(hub.Kind)
	case errors.As(err, &memory), errors.As(err, &disk), errors.Is(err, errStopped):
		return ""
	case errors.As(err, &install):
		return string(install.Kind)
	}
	return otherKind
}

// ListFaultKinds returns all kinds of faults.
func ListFaultKinds() []string {
	kinds := []string{offlineKind, otherKind}
	for _, kind := range []modelhub.FaultKind{
		modelhub.BadName, modelhub.BadRevision, modelhub.NoModel, modelhub.NoRevision, modelhub.Gated,
		modelhub.NothingToImport, modelhub.HubBusy, modelhub.HubFault, modelhub.BadChecksum, modelhub.ConnectionBroke,
	} {
		kinds = append(kinds, string(kind))
	}
	for _, kind := range []modelinstall.FaultKind{
		modelinstall.NotConvertible, modelinstall.CannotDecode, modelinstall.NotArabic, modelinstall.EightBits,
	} {
		kinds = append(kinds, string(kind))
	}
	return kinds
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
	if w.job != nil && w.job.Upload && w.job.Path != r.Path { // the last upload may have gigabytes
		_ = os.RemoveAll(filepath.Dir(w.job.Path))
	}
	return w.beginJob(&InstallJob{InstallRequest: r, Phase: firstPhase(r), BegunAt: w.Now().UTC()})
}

// QuantizeModel starts the conversion of an installed model to 8-bit weights, in the background. The result is
// installed beside it with a comparison of both.
func (w *ModelWorker) QuantizeModel(ctx context.Context, name, orgID, actor string) error {
	if w.Models.CheckInstalled(name) != nil {
		return ErrNoModel
	}
	r := InstallRequest{
		Path: w.Models.Folder(name), Name: modelinstall.Int8Name(name), Int8: true, Beside: true, OrgID: orgID, Actor: actor,
	}
	if report, err := modelcheck.ReadReport(r.Path); err == nil && report != nil { // one that was accepted as it is
		r.AnyLanguage = report.NoArabic() != nil
	}
	return w.StartInstall(ctx, r)
}

const maxNote = 300 // characters of a note of the audit log

// auditRequest adds the audit entry of a request about the model that r asks for.
func (w *ModelWorker) auditRequest(ctx context.Context, r InstallRequest, action string) error {
	return w.AddAudit(ctx, r.OrgID, store.AuditEntry{
		At: w.Now().UTC(), Actor: r.Actor, Action: action, Subject: r.Name,
		Note: excerpt.TruncateText(cmp.Or(r.Model, r.Path), maxNote),
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

// isModelPath reports whether path is a checkpoint or a folder.
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

// ResumeInstall starts a failed or cancelled job again.
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
