package stt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"munadi/store/bucket"
	"munadi/store/job"
)

// UploadBucket stores uploads of jobs for all appliances; every [bucket.ObjectBucket] is one.
type UploadBucket interface {
	PutObject(ctx context.Context, name string, content io.ReaderAt, size int64) error
	OpenObject(ctx context.Context, name string) (bucket.OpenedObject, error)
	RemoveObject(ctx context.Context, name string) error
}

// removeTimeout bounds how long the end of a job waits for the removal of its upload from the bucket.
const removeTimeout = 30 * time.Second

// objectName returns the name of a job's upload in the bucket.
func objectName(input string) string { return "jobs/" + input }

// shareUpload moves a job's upload into the bucket and reports success. Without a bucket, or while it does not
// answer, the upload stays on this disk, and this appliance runs the job.
func (s *TranscriptionService) shareUpload(ctx context.Context, id string) bool {
	if s.Uploads == nil {
		return false
	}
	if err := s.putUpload(ctx, id); err != nil {
		s.Log.Warn("the upload of a job could not be moved to the bucket and stays on this disk", "job", id, "err", err)
		return false
	}
	if err := os.Remove(s.uploadPath(id)); err != nil {
		s.Log.Warn("an upload that is in the bucket cannot be removed from this disk", "job", id, "err", err)
	}
	return true
}

func (s *TranscriptionService) putUpload(ctx context.Context, id string) error {
	file, err := os.Open(s.uploadPath(id))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return s.Uploads.PutObject(ctx, objectName(id), file, info.Size())
}

// openUpload opens a job's upload. One in the bucket is downloaded into a temporary file, which closeFile removes.
func (s *TranscriptionService) openUpload(ctx context.Context, j job.Job) (file *os.File, closeFile func(), err error) {
	if !j.Shared || s.Uploads == nil {
		if file, err = os.Open(s.uploadPath(j.Input)); err != nil {
			return nil, nil, fmt.Errorf("open a job's upload: %w", err)
		}
		return file, func() { _ = file.Close() }, nil
	}
	object, err := s.Uploads.OpenObject(ctx, objectName(j.Input))
	if err != nil {
		return nil, nil, err
	}
	defer object.Close()
	if file, err = os.CreateTemp(s.Spool, "job-*"); err != nil {
		return nil, nil, err
	}
	closeFile = func() { _ = file.Close() }
	if err = os.Remove(file.Name()); err == nil { // unlinked at once: a crash leaves no file behind
		_, err = io.Copy(file, object)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		closeFile()
		return nil, nil, err
	}
	return file, closeFile, nil
}

// removeUpload deletes a job's upload; a missing one is no error, and one that cannot be removed from the bucket
// is only logged.
func (s *TranscriptionService) removeUpload(ctx context.Context, j job.Job) error {
	if j.Shared && s.Uploads != nil {
		removing, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTimeout)
		defer cancel()
		if err := s.Uploads.RemoveObject(removing, objectName(j.Input)); err != nil {
			s.Log.Warn("the upload of a job cannot be removed from the bucket", "job", j.ID, "err", err)
		}
	}
	if err := os.Remove(s.uploadPath(j.Input)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a job's upload: %w", err)
	}
	return nil
}
