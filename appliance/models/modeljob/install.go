package modeljob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelinstall"
	"munadi/store/disk"
)

// maxTests limits how often the test of a model is started: a model that crashes the appliance, for lack of memory,
// must not do so at each start.
const maxTests = 2

// errStopped means that [maxTests] is reached.
var errStopped = errors.New("the appliance stopped twice while it tested this model, possibly for lack of memory; " +
	"the test is not repeated automatically")

// progressEvery is the least time between two progress events.
const progressEvery = 300 * time.Millisecond

// runJob runs the remaining phases of the job.
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

// fetchModel downloads the job's model and returns its path.
func (w *ModelWorker) fetchModel(ctx context.Context, j *InstallJob) (string, *modelinstall.Source, error) {
	hub := w.Hub()
	name, revision, err := modelhub.ParseName(j.Model)
	if err != nil {
		return "", nil, err
	}
	if j.Revision != "" { // an interrupted job continues with its first commit
		revision = j.Revision
	}
	found, err := hub.Find(ctx, name, revision)
	if err != nil {
		return "", nil, err
	}
	folder := w.Models.Fetched(found.Name + "@" + found.Revision)
	if err := checkDisk(w.Models, found.Size()); err != nil {
		return "", nil, err
	}
	err = w.updateJob(Fetching, func(j *InstallJob) {
		j.Revision, j.License, j.Size, j.Folder = found.Revision, found.License, found.Size(), folder
	})
	if err == nil {
		stop := w.publishProgress()
		err = hub.Download(ctx, found, folder, w.recordProgress)
		stop()
	}
	return modelinstall.FetchedPath(found, folder), modelinstall.SourceFrom(hub, found), err
}

// recordProgress records the downloaded bytes.
func (w *ModelWorker) recordProgress(done int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.job.Done = done
}

// publishProgress publishes a download's progress a few times a second until stop is called, as long as it changes,
// including the last change before a connection stalls.
func (w *ModelWorker) publishProgress() (stop func()) {
	ended, gone := make(chan struct{}), make(chan struct{})
	tick := time.NewTicker(progressEvery)
	go func() {
		defer close(gone)
		defer tick.Stop()
		for published := int64(-1); ; {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			if j := w.CurrentJob(); j != nil && j.Done != published {
				published = j.Done
				w.Publish(JobEvent{Phase: Fetching, Done: j.Done, Size: j.Size})
			}
		}
	}()
	return func() { close(ended); <-gone }
}

// testModel converts, tests and installs the model at path.
func (w *ModelWorker) testModel(ctx context.Context, path string, source *modelinstall.Source) error {
	if err := w.updateJob(Testing, func(j *InstallJob) { j.Tests++ }); err != nil {
		return err
	}
	j := w.CurrentJob()
	if j.Tests > maxTests {
		return errStopped
	}
	size := disk.SizeOf(path)
	if err := errors.Join(checkMemory(size), checkDisk(w.Models, size)); err != nil {
		return err
	}
	in := modelinstall.ModelInstaller{Models: w.Models, Open: w.Open, Samples: w.Samples}
	o := modelinstall.InstallOptions{Name: j.Name, AnyLanguage: j.AnyLanguage, Int8: j.Int8, Beside: j.Beside}
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
	if err := p.InstallModel(source); err != nil {
		return err
	}
	w.Share.WakeUp()
	return nil
}

// updateJob changes the job, stores it and notifies open pages.
func (w *ModelWorker) updateJob(p JobPhase, change func(*InstallJob)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.job.Phase = p
	change(w.job)
	w.Publish(JobEvent{Phase: p, Done: w.job.Done, Size: w.job.Size})
	return writeJob(w.record, w.job)
}

// maxUpload is the largest checkpoint that a browser may send, in bytes.
const maxUpload = 16 << 30

// Upload is a checkpoint that a browser sends.
type Upload struct {
	FileName string
	Size     int64 // as announced; 0: not known
	Content  io.Reader
}

// ReceiveUpload stores a checkpoint that a browser sends, and returns its path for an InstallRequest. A file that
// breaks off is removed.
func (w *ModelWorker) ReceiveUpload(u Upload) (path string, err error) {
	base := filepath.Base(strings.ReplaceAll(u.FileName, `\`, "/"))
	name, isCheckpoint := strings.CutSuffix(base, ".nemo")
	switch {
	case !isCheckpoint:
		return "", ErrNoPath
	case models.CheckName(name) != nil:
		return "", ErrName
	}
	if j := w.CurrentJob(); j != nil && j.Phase.IsActive() {
		return "", ErrBusy
	}
	if err := errors.Join(w.checkNameFree(name), checkDisk(w.Models, u.Size)); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(w.Models.Folder(""), filepath.Base(w.Models.Fetched("upload-*")))
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, base)
	if err := w.storeUpload(path, u.Content); err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	return path, nil
}

// storeUpload writes a file of unknown size as long as the disk has room.
func (w *ModelWorker) storeUpload(path string, content io.Reader) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	limit := int64(maxUpload)
	if now, err := disk.ReadState(filepath.Dir(path)); err == nil {
		limit = min(limit, int64(now.Free)-spareDisk)
	}
	n, err := io.Copy(out, io.LimitReader(content, limit+1))
	if err == nil && n > limit {
		err = &DiskFault{limit, n}
	}
	if err == nil && n == 0 {
		err = fmt.Errorf("%s is empty", filepath.Base(path))
	}
	return errors.Join(err, out.Sync(), out.Close())
}
