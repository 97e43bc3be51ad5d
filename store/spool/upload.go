package spool

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/store/blob"
)

const (
	uploads   = 4                // at once
	probeWait = 15 * time.Second // between two probes of the bucket
	firstWait = time.Second      // after a failure; doubled up to lastWait
	lastWait  = 15 * time.Second
)

// Backlog counts the recordings on the local disk that wait for upload.
type Backlog struct {
	Waiting int       // recordings to upload
	Oldest  time.Time // of these; zero without one
	Removed int       // recordings to remove in the bucket
}

// CurrentBacklog returns the backlog at the last scan.
func (s *RecordingSpool) CurrentBacklog() Backlog {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// wakeUploader triggers a scan of the disk.
func (s *RecordingSpool) wakeUploader() {
	select {
	case s.wake <- struct{}{}:
	default: // already triggered
	}
}

// Run uploads waiting recordings, at start and whenever one is closed, until ctx ends. After a failure it retries with
// exponential backoff of at most 15 s.
func (s *RecordingSpool) Run(ctx context.Context) error {
	if err := s.removeLeftovers(ctx); err != nil {
		return err
	}
	pause := firstWait
	for ctx.Err() == nil {
		err := s.uploadRound(ctx)
		wait := probeWait
		if err != nil {
			wait, pause = pause, min(2*pause, lastWait)
		} else {
			pause = firstWait
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-s.wakeUnless(err):
		}
		timer.Stop()
	}
	return nil
}

// wakeUnless returns the wake-up channel; nil after a failure, so that new recordings do not shorten the pause.
func (s *RecordingSpool) wakeUnless(err error) <-chan struct{} {
	if err != nil {
		return nil
	}
	return s.wake
}

// removeLeftovers repairs the headers of recordings after a crash, if [Options.Mend] is set.
func (s *RecordingSpool) removeLeftovers(ctx context.Context) error {
	for name, err := range s.local.ListNames(ctx, "") {
		if err != nil {
			return err
		}
		if !s.Mend || s.isHeld(name) {
			continue
		}
		err := s.local.FixHeader(name)
		if err == nil && s.KeepSum != nil {
			err = s.KeepSum(ctx, name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Log.Error("a recording that a crash interrupted cannot be repaired", "name", name, "err", err)
		}
	}
	return nil
}

// uploadRound uploads and removes everything that waits, once. The error is the bucket's, or joins those of recordings.
func (s *RecordingSpool) uploadRound(ctx context.Context) error {
	waiting, backlog, err := s.listWaiting(ctx)
	if err != nil {
		return err
	}
	s.setBacklog(backlog)
	if err := s.Bucket.probeBucket(ctx); err != nil {
		return err
	}
	var first error
	var failing sync.Mutex
	group, round := errgroup.WithContext(ctx)
	group.SetLimit(uploads)
	for _, name := range waiting {
		group.Go(func() error {
			err := s.uploadRecording(round, name)
			if err == nil || round.Err() != nil {
				return nil
			}
			if isAway(err) {
				return err // cancels the others, which would fail as well
			}
			s.Log.Error("a recording cannot be uploaded", "name", name, "err", err)
			failing.Lock()
			defer failing.Unlock()
			first = errors.Join(first, err)
			return nil
		})
	}
	err = group.Wait()
	s.Bucket.noteFault(errors.Join(err, first))
	if err == nil {
		err = s.removeInBucket(ctx)
	}
	if _, backlog, listed := s.listWaiting(ctx); listed == nil {
		s.setBacklog(backlog)
	}
	return errors.Join(err, first)
}

func (s *RecordingSpool) setBacklog(b Backlog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = b
}

// listWaiting lists the recordings on the disk that are complete.
func (s *RecordingSpool) listWaiting(ctx context.Context) (names []string, b Backlog, err error) {
	for name, err := range s.local.ListNames(ctx, "") {
		if err != nil {
			return nil, b, err
		}
		if s.isHeld(name) {
			continue
		}
		names = append(names, name)
		if info, err := s.root.Stat(name); err == nil && (b.Oldest.IsZero() || info.ModTime().Before(b.Oldest)) {
			b.Oldest = info.ModTime()
		}
	}
	b.Waiting, b.Removed = len(names), len(s.listRemoved())
	return names, b, nil
}

// uploadRecording uploads one recording and removes it from the disk.
func (s *RecordingSpool) uploadRecording(ctx context.Context, name string) error {
	if s.IsErased != nil {
		erased, err := s.IsErased(ctx, name)
		if err != nil {
			return err
		}
		if erased {
			return s.RemoveFile(name)
		}
	}
	file, err := s.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := s.Bucket.PutObject(ctx, s.Prefix+name, file, info.Size()); err != nil {
		return err
	}
	if err := s.uploadWaveform(ctx, name); err != nil {
		return err
	}
	if _, err := s.root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return s.markRemoved(name) // it was removed during the upload
	}
	return s.local.RemoveFile(name)
}

// listRemoved lists the recordings to remove in the bucket.
func (s *RecordingSpool) listRemoved() (names []string) {
	below, err := fs.Sub(s.root.FS(), removedFolder)
	if err != nil {
		return nil
	}
	_ = fs.WalkDir(below, ".", func(name string, entry fs.DirEntry, err error) error {
		if _, _, ok := blob.ParseName(name); err == nil && ok && !entry.IsDir() {
			names = append(names, name)
		}
		return nil // an unreadable file is retried at the next scan
	})
	return names
}

// removeInBucket removes locally removed recordings from the bucket.
func (s *RecordingSpool) removeInBucket(ctx context.Context) error {
	for _, name := range s.listRemoved() {
		if err := s.removeWaveform(ctx, name); err != nil {
			return err
		}
		if err := s.Bucket.RemoveObject(ctx, s.Prefix+name); err != nil {
			return err
		}
		if err := s.root.Remove(path.Join(removedFolder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
