package modeljob

import (
	"context"
	"errors"
	"time"

	"munadi/appliance/modelhub"
	"munadi/appliance/models/modelinstall"
)

// maxTests is how often the test of a model may begin: a model that stops the appliance, for want of memory, must not
// do so at each start.
const maxTests = 2

// progressEvery is the least time between two progress events.
const progressEvery = 300 * time.Millisecond

// runJob runs the phases of the job that are left.
func (w *ModelWorker) runJob(ctx context.Context) error {
	j := w.CurrentJob()
	path, source := j.Path, (*modelinstall.Source)(nil)
	if path == "" {
		var err error
		if path, source, err = w.fetchModel(ctx, j); err != nil {
			return err
		}
	}
	if err := w.testModel(ctx, path, source); err != nil {
		return err
	}
	if j = w.CurrentJob(); j.Use {
		if err := w.switchModel(ctx, j.Name, j.OrgID, j.Actor); err != nil {
			return err
		}
	}
	return w.removeFiles(j)
}

// fetchModel downloads the job's model and returns where it lies.
func (w *ModelWorker) fetchModel(ctx context.Context, j *InstallJob) (string, *modelinstall.Source, error) {
	hub := w.Hub()
	name, revision, err := modelhub.ParseName(j.Model)
	if err != nil {
		return "", nil, err
	}
	if j.Revision != "" { // an interrupted job goes on with the commit that it began with
		revision = j.Revision
	}
	found, err := hub.Find(ctx, name, revision)
	if err != nil {
		return "", nil, err
	}
	folder := w.Shelf.Fetched(found.Name + "@" + found.Revision)
	if err := checkDisk(w.Shelf, found.Size()); err != nil {
		return "", nil, err
	}
	err = w.updateJob(Fetching, func(j *InstallJob) {
		j.Revision, j.License, j.Size, j.Folder = found.Revision, found.License, found.Size(), folder
	})
	if err == nil {
		err = hub.Download(ctx, found, folder, w.progressMeter())
	}
	return modelinstall.FetchedPath(found, folder), modelinstall.SourceFrom(hub, found), err
}

// progressMeter returns the receiver of a download's progress, which publishes it a few times a second.
func (w *ModelWorker) progressMeter() func(done int64) {
	var last time.Time
	return func(done int64) {
		w.mu.Lock()
		w.job.Done = done
		size := w.job.Size
		w.mu.Unlock()
		if now := time.Now(); now.Sub(last) >= progressEvery {
			last = now
			w.Publish(JobEvent{Phase: Fetching, Done: done, Size: size})
		}
	}
}

// testModel converts, tests and installs the model at path.
func (w *ModelWorker) testModel(ctx context.Context, path string, source *modelinstall.Source) error {
	if err := w.updateJob(Testing, func(j *InstallJob) { j.Tests++ }); err != nil {
		return err
	}
	j := w.CurrentJob()
	if j.Tests > maxTests {
		return errors.New("the appliance stopped twice while it tested this model, for want of memory perhaps; " +
			"it is not tried again by itself")
	}
	size := sizeOf(path)
	if err := errors.Join(checkMemory(size), checkDisk(w.Shelf, size)); err != nil {
		return err
	}
	in := modelinstall.ModelInstaller{Shelf: w.Shelf, Open: w.Open, Samples: w.Samples}
	o := modelinstall.InstallOptions{Name: j.Name, AnyLanguage: j.AnyLanguage, Int8: j.Int8}
	p, err := in.PrepareModel(ctx, path, o)
	if p != nil {
		defer func() { _ = p.DiscardModel() }()
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	return p.InstallModel(source)
}

// updateJob changes the job, stores it and tells open pages.
func (w *ModelWorker) updateJob(p JobPhase, change func(*InstallJob)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.job.Phase = p
	change(w.job)
	w.Publish(JobEvent{Phase: p, Done: w.job.Done, Size: w.job.Size})
	return writeJob(w.record, w.job)
}
