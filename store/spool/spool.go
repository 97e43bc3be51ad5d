// Package spool stores recordings in a bucket that appliances share, through the local disk (write-back spool): a
// recording is written and synced there while its call runs, uploaded once it is closed, and removed from the disk when
// the bucket has confirmed it. While the bucket is unreachable, recordings stay on the disk, also across restarts;
// calls never wait for the bucket.
//
// On the disk: FOLDER/ORGANIZATION/CALL.wav as package blob has it, and FOLDER/.removed/ORGANIZATION/CALL.wav, empty,
// for a recording that was removed here and must still be removed from the bucket.
// In the bucket: PREFIX/ORGANIZATION/CALL.wav and PREFIX/.trash/DAY/ORGANIZATION/CALL.wav, and
// WAVEFORMS/ORGANIZATION/CALL.wav, the waveform in JSON, so that a page that draws it need not read the recording.
//
// The package handles files and objects only, without calls or playback.
package spool

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"munadi/store"
	"munadi/store/blob"
	"munadi/store/bucket"
)

// removedFolder holds the names of recordings to remove from the bucket.
const removedFolder = ".removed"

// Options configures a spool.
type Options struct {
	Dir    string // the local folder
	Bucket *SharedBucket
	Prefix string // of the names in the bucket, such as "recordings/"
	// Waveforms is the prefix of the recordings' waveforms in the bucket, such as "waveforms/"; empty: none are stored.
	Waveforms string
	// Mend: repair the headers of recordings after a crash, before they are uploaded.
	Mend bool
	// IsErased reports whether a recording must be removed instead of uploaded, since its person was erased by another
	// appliance. Nil: never. It may be set at any time before Run.
	IsErased func(ctx context.Context, name string) (bool, error)
	// KeepSum stores the sum of a recording that was repaired after a crash, unless it is known. Nil: it is not stored.
	// It may be set at any time before Run.
	KeepSum func(ctx context.Context, name string) error
	Log     *slog.Logger
}

// RecordingSpool is a store of recordings on a local disk and in a bucket. It is safe for concurrent use.
type RecordingSpool struct {
	Options

	local *blob.RecordingFolder
	root  *os.Root
	wake  chan struct{}

	mu   sync.Mutex
	held map[string]int // recordings that are being written
	last Backlog
}

// OpenSpool opens a spool, creating its folder if needed. Recordings of an earlier run are uploaded by
// [RecordingSpool.Run].
func OpenSpool(o Options) (*RecordingSpool, error) {
	local, err := blob.OpenFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(o.Dir)
	if err != nil {
		return nil, errors.Join(err, local.Close())
	}
	return &RecordingSpool{
		Options: o, local: local, root: root, wake: make(chan struct{}, 1), held: map[string]int{},
	}, nil
}

// Close closes the local folder; Run must have returned.
func (s *RecordingSpool) Close() error { return errors.Join(s.local.Close(), s.root.Close()) }

// Local returns the local folder.
func (s *RecordingSpool) Local() *blob.RecordingFolder { return s.local }

// CreateRecording implements [blob.RecordingStore].
func (s *RecordingSpool) CreateRecording(name string) (*blob.RecordingWriter, error) {
	release := s.HoldFile(name)
	w, err := s.local.CreateRecording(name)
	if err != nil {
		release()
		return nil, err
	}
	w.NotifyClose(release)
	return w, nil
}

// HoldFile implements [blob.RecordingStore]: the recording is not uploaded until it is released.
func (s *RecordingSpool) HoldFile(name string) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[name]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.held[name]--; s.held[name] == 0 {
			delete(s.held, name)
		}
		s.wakeUploader()
	})
}

// isHeld reports whether a recording is being written.
func (s *RecordingSpool) isHeld(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held[name] > 0
}

// OpenRecording implements [blob.RecordingStore]: from the disk, or from the bucket.
func (s *RecordingSpool) OpenRecording(ctx context.Context, name string) (blob.RecordingFile, error) {
	file, err := s.local.OpenRecording(ctx, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if s.isRemoved(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	object, err := s.Bucket.OpenObject(ctx, s.Prefix+name)
	if err != nil {
		return nil, err
	}
	return object, nil
}

// FixHeader implements [blob.RecordingStore] for a recording on the disk.
func (s *RecordingSpool) FixHeader(name string) error { return s.local.FixHeader(name) }

// RemoveFile implements [blob.RecordingStore]. The recording can no longer be opened here; the bucket's copy is removed
// as soon as the bucket answers.
func (s *RecordingSpool) RemoveFile(name string) error {
	if err := s.local.RemoveFile(name); err != nil {
		return err
	}
	if err := s.markRemoved(name); err != nil {
		return err
	}
	s.wakeUploader()
	return nil
}

// markRemoved records that a recording must be removed from the bucket.
func (s *RecordingSpool) markRemoved(name string) error {
	at := path.Join(removedFolder, name)
	if err := s.root.MkdirAll(path.Dir(at), 0o700); err != nil {
		return err
	}
	file, err := s.root.OpenFile(at, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// isRemoved reports whether a recording must still be removed from the bucket.
func (s *RecordingSpool) isRemoved(name string) bool {
	_, err := s.root.Lstat(path.Join(removedFolder, name))
	return err == nil
}

// ListNames implements [blob.RecordingStore] for the recordings in the bucket, without those that wait for upload or
// were removed here.
func (s *RecordingSpool) ListNames(ctx context.Context, orgID string) iter.Seq2[string, error] {
	prefix := s.Prefix
	if orgID != "" {
		prefix += orgID + "/"
	}
	return func(yield func(string, error) bool) {
		for o, err := range s.Bucket.ListObjects(ctx, prefix) {
			name := strings.TrimPrefix(o.Name, s.Prefix)
			if _, _, ok := blob.ParseName(name); err == nil && (!ok || s.isRemoved(name)) {
				continue
			}
			if !yield(name, err) {
				return
			}
		}
	}
}

// MoveToTrash implements [blob.RecordingStore] in the bucket.
func (s *RecordingSpool) MoveToTrash(ctx context.Context, name string, now time.Time) error {
	if _, _, ok := blob.ParseName(name); !ok {
		return &fs.PathError{Op: "discard", Path: name, Err: fs.ErrInvalid}
	}
	if err := s.removeWaveform(ctx, name); err != nil {
		return err
	}
	return s.Bucket.MoveObject(ctx, s.Prefix+name, s.Prefix+blob.TrashName(name, now))
}

// ExpireTrash implements [blob.RecordingStore] in the bucket.
func (s *RecordingSpool) ExpireTrash(ctx context.Context, before time.Time) (left int, err error) {
	var failed []error
	for o, err := range s.Bucket.ListObjects(ctx, s.Prefix+blob.TrashFolder+"/") {
		if err != nil {
			return left, err
		}
		day, ok := blob.TrashDay(strings.TrimPrefix(o.Name, s.Prefix))
		if ok && day.AddDate(0, 0, 1).Before(before) {
			failed = append(failed, s.Bucket.RemoveObject(ctx, o.Name))
			continue
		}
		left++
	}
	return left, errors.Join(failed...)
}

// isAway reports whether an error is that of an unreachable bucket.
func isAway(err error) bool { return store.CodeOf(err) == store.CodeUnavailable }

var _ blob.RecordingStore = (*RecordingSpool)(nil)

var _ bucket.ObjectBucket = (*SharedBucket)(nil)

// ReadWaveform implements [blob.RecordingStore]. The waveform of a recording in the bucket is stored with it; a missing
// or unreadable one is measured and stored.
func (s *RecordingSpool) ReadWaveform(ctx context.Context, name string) (blob.Waveform, error) {
	w, err := s.local.ReadWaveform(ctx, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return w, err
	}
	if s.Waveforms == "" {
		return s.measureInBucket(ctx, name)
	}
	if w, err = s.openWaveform(ctx, name); err == nil || isAway(err) {
		return w, err
	}
	if w, err = s.measureInBucket(ctx, name); err == nil {
		_ = s.storeWaveform(ctx, name, w) // after a failure it is measured again the next time
	}
	return w, err
}

// openWaveform reads the stored waveform of a recording.
func (s *RecordingSpool) openWaveform(ctx context.Context, name string) (blob.Waveform, error) {
	object, err := s.Bucket.OpenObject(ctx, s.Waveforms+name)
	if err != nil {
		return blob.Waveform{}, err
	}
	w, err := blob.ReadStoredWaveform(object)
	return w, errors.Join(err, object.Close())
}

// measureInBucket reads the whole recording and measures it.
func (s *RecordingSpool) measureInBucket(ctx context.Context, name string) (blob.Waveform, error) {
	file, err := s.OpenRecording(ctx, name)
	if err != nil {
		return blob.Waveform{}, err
	}
	w, err := blob.MeasureWaveform(file)
	return w, errors.Join(err, file.Close())
}

// uploadWaveform stores the waveform of a recording on the disk. A recording without one, such as an empty file, is no
// error: it is measured on request.
func (s *RecordingSpool) uploadWaveform(ctx context.Context, name string) error {
	if s.Waveforms == "" {
		return nil
	}
	w, err := s.local.ReadWaveform(ctx, name)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	return s.storeWaveform(ctx, name, w)
}

// storeWaveform stores a waveform in the bucket.
func (s *RecordingSpool) storeWaveform(ctx context.Context, name string, w blob.Waveform) error {
	content, err := blob.EncodeWaveform(w)
	if err != nil {
		return err
	}
	return bucket.PutBytes(ctx, s.Bucket, s.Waveforms+name, content)
}

// removeWaveform removes the waveform of a recording.
func (s *RecordingSpool) removeWaveform(ctx context.Context, name string) error {
	if s.Waveforms == "" {
		return nil
	}
	return s.Bucket.RemoveObject(ctx, s.Waveforms+name)
}
