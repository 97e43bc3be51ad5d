// Package mirror synchronizes an appliance with a part of a bucket in both directions, so that appliances that share
// the bucket have the same: [RoundLoop] and [MatchItem] do so for the speech models of appliance/models/modelshare, and
// for [FolderMirror], a folder of small files: recorded prompts. Additions, changes and removals reach all others.
//
// The last state seen on both sides is kept in the folder, in .shared.json. It distinguishes local changes from remote
// ones; if both are lost, the folder is filled from the bucket. If a file was changed on both sides, the newer one
// wins.
package mirror

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"munadi/store"
	"munadi/store/bucket"
)

const (
	settleTime = 2 * time.Second // a file modified more recently may still be incomplete
	maxSize    = 64 << 20        // of a file, in bytes
	maxName    = 255             // of a file with its folders, in bytes
	maxDepth   = 3               // folders and the file
	maxCount   = 20_000          // files
)

// Options configures a mirror; all fields are required.
type Options struct {
	Dir      string // the folder; it is created
	Bucket   bucket.ObjectBucket
	Prefix   string               // of the names in the bucket, such as "prompts/"
	Announce func()               // called after this side has changed the bucket
	Warn     func(message string) // the fault; empty: none
	Log      *slog.Logger
}

// FolderMirror mirrors a folder. It is safe for concurrent use; Run is called once.
type FolderMirror struct {
	Options
	rounds RoundLoop

	mu     sync.Mutex
	status MirrorStatus
}

// MirrorStatus is the state of a mirror.
type MirrorStatus struct {
	Files int       // in the bucket, as last seen
	Fault string    // of the last comparison; empty: none
	Seen  time.Time // the last complete comparison; zero: none yet
}

// NewMirror returns a mirror.
func NewMirror(o Options) *FolderMirror {
	return &FolderMirror{Options: o, rounds: NewLoop()}
}

// WakeUp triggers a comparison. It does nothing on a nil mirror.
func (m *FolderMirror) WakeUp() {
	if m != nil {
		m.rounds.WakeUp()
	}
}

// CurrentStatus returns the state of the mirror.
func (m *FolderMirror) CurrentStatus() MirrorStatus {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status
}

// Run compares both sides until ctx ends. It never fails: errors are reported, and the comparison is repeated.
func (m *FolderMirror) Run(ctx context.Context) error {
	m.rounds.RunRounds(ctx, func(ctx context.Context) (poll bool) {
		files, err := m.CompareSides(ctx)
		if ctx.Err() == nil {
			m.reportRound(files, err)
		}
		return err == nil
	}, m.folderChanged)
	return nil
}

// folderChanged reports whether the folder differs from its last seen state. It is false if the folder cannot be read,
// which the next comparison reports.
func (m *FolderMirror) folderChanged() bool {
	root, err := os.OpenRoot(m.Dir)
	if err != nil {
		return false
	}
	defer func() { _ = root.Close() }() // opened for reading only
	r := mirrorComparison{FolderMirror: m, root: root}
	r.readSeen()
	if r.here, err = r.listFolder(); err != nil || len(r.here) != len(r.seen) {
		return err == nil
	}
	for name, here := range r.here {
		if seen, known := r.seen[name]; !known || !here.isSame(seen.Here) {
			return true
		}
	}
	return false
}

// reportRound stores the result of a comparison and warns about a new fault. An unreachable bucket has its own warning
// elsewhere.
func (m *FolderMirror) reportRound(files int, err error) {
	fault := ""
	if err != nil {
		fault = err.Error()
	}
	m.mu.Lock()
	before := m.status.Fault
	m.status.Fault = fault
	if err == nil {
		m.status.Files, m.status.Seen = files, time.Now()
	}
	m.mu.Unlock()
	if fault == before {
		return
	}
	if err != nil && store.CodeOf(err) != store.CodeUnavailable {
		m.Log.Warn("files cannot be shared through the bucket", "files", m.Prefix, "err", err)
		m.Warn("files in " + m.Prefix + " cannot be shared through the bucket: the log and munadi doctor say why")
		return
	}
	m.Warn("")
}

// CompareSides synchronizes both sides once, and returns the number of files in the bucket.
func (m *FolderMirror) CompareSides(ctx context.Context) (files int, err error) {
	if err := os.MkdirAll(m.Dir, 0o700); err != nil {
		return 0, err
	}
	root, err := os.OpenRoot(m.Dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	r := mirrorComparison{FolderMirror: m, root: root}
	r.readSeen()
	r.listed = time.Now()
	if r.here, err = r.listFolder(); err != nil {
		return 0, err
	}
	if err := r.markBucket(ctx); err != nil {
		return 0, err
	}
	if r.there, err = r.listBucket(ctx); err != nil {
		return 0, err
	}
	if err := bucket.CheckMark(ctx, r.Bucket, r.markName(), r.bucketID); err != nil {
		return 0, err
	}
	err = r.compareFiles(ctx)
	if r.changed {
		err = errors.Join(err, r.noteUploaded(ctx))
		m.Announce()
	}
	return len(r.there), errors.Join(err, r.writeSeen())
}
