package modeljob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"munadi/appliance/modelhub"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelinstall"
	"munadi/store"
)

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
