package spool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/google/renameio/v2"

	"munadi/store"
	"munadi/store/bucket"
)

// knownFile, in the data folder, names the bucket that the installation has used from there: one that has lost its mark
// is another volume, or was emptied.
const knownFile = "bucket.known"

// SharedBucket is a bucket that belongs to an installation. No object is stored, moved or removed before
// [SharedBucket.Join] has found the installation's mark in it.
type SharedBucket struct {
	bucket.ObjectBucket

	Data string // the data folder
	Log  *slog.Logger

	mu     sync.Mutex
	owner  string // the installation's id; empty before Join
	joined bool
	fault  error
	since  time.Time // of the fault
}

// Join checks that the bucket can be used and belongs to the installation, and marks a new one. An error of code
// CodeUnavailable is for now: the spool tries again; any other is the operator's to correct.
func (b *SharedBucket) Join(ctx context.Context, installation string) error {
	b.mu.Lock()
	b.owner = installation
	b.mu.Unlock()
	return b.rejoinBucket(ctx)
}

// rejoinBucket joins the bucket, unless it has been joined.
func (b *SharedBucket) rejoinBucket(ctx context.Context) error {
	b.mu.Lock()
	owner, joined := b.owner, b.joined
	b.mu.Unlock()
	if joined {
		return nil
	}
	ahead, err := bucket.CheckAccess(ctx, b.ObjectBucket)
	if err == nil {
		err = b.checkMark(ctx, owner)
	}
	if ahead.Abs() > maxSkew {
		b.Log.Warn("the clock of the bucket differs from this machine's", "bucket", b.Location(), "ahead", ahead)
	}
	b.noteFault(err)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.joined = err == nil
	return err
}

// joinFault returns why the bucket must not be listed or changed: it was not verified to be the installation's.
func (b *SharedBucket) joinFault() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.joined:
		return nil
	case b.fault != nil:
		return b.fault
	}
	return store.Errorf(store.CodeUnavailable, "the bucket %s has not answered yet", b.Location())
}

// PutObject implements [bucket.ObjectBucket].
func (b *SharedBucket) PutObject(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	if err := b.joinFault(); err != nil {
		return err
	}
	return b.ObjectBucket.PutObject(ctx, name, content, size)
}

// RemoveObject implements [bucket.ObjectBucket].
func (b *SharedBucket) RemoveObject(ctx context.Context, name string) error {
	if err := b.joinFault(); err != nil {
		return err
	}
	return b.ObjectBucket.RemoveObject(ctx, name)
}

// MoveObject implements [bucket.ObjectBucket].
func (b *SharedBucket) MoveObject(ctx context.Context, from, to string) error {
	if err := b.joinFault(); err != nil {
		return err
	}
	return b.ObjectBucket.MoveObject(ctx, from, to)
}

// ListObjects implements [bucket.ObjectBucket].
func (b *SharedBucket) ListObjects(ctx context.Context, prefix string) iter.Seq2[bucket.ObjectInfo, error] {
	if err := b.joinFault(); err != nil {
		return func(yield func(bucket.ObjectInfo, error) bool) { yield(bucket.ObjectInfo{}, err) }
	}
	return b.ObjectBucket.ListObjects(ctx, prefix)
}

// maxSkew is the difference of clocks from which on S3 servers refuse requests before long (at 15 minutes).
const maxSkew = 5 * time.Minute

// checkMark compares the bucket's mark with the installation, and marks a new bucket.
func (b *SharedBucket) checkMark(ctx context.Context, owner string) error {
	id, marked, err := bucket.ReadMark(ctx, b.ObjectBucket)
	switch {
	case err != nil:
		return err
	case id == owner:
		return b.rememberBucket()
	case id != "":
		return store.Errorf(store.CodeConflict, "the bucket %s belongs to installation %s, and the database is "+
			"that of installation %s. Correct --recordings or --store. If it is meant, empty its object .installation",
			b.Location(), id, owner)
	case !marked && b.isKnown():
		return store.Errorf(store.CodeConflict, "the bucket %s has been used before and no longer has the mark of "+
			"this installation: is a volume not mounted, or was it emptied? If it is meant, put an empty object .installation "+
			"there",
			b.Location())
	}
	if err := bucket.WriteMark(ctx, b.ObjectBucket, owner); err != nil {
		return err
	}
	b.Log.Info("the bucket belongs to this installation from now on", "bucket", b.Location())
	return b.rememberBucket()
}

// isKnown reports whether this bucket was joined from the data folder before.
func (b *SharedBucket) isKnown() bool {
	content, err := os.ReadFile(filepath.Join(b.Data, knownFile))
	return err == nil && strings.TrimSpace(string(content)) == b.Location()
}

// rememberBucket writes down that this bucket was joined.
func (b *SharedBucket) rememberBucket() error {
	if b.isKnown() {
		return nil
	}
	if err := renameio.WriteFile(filepath.Join(b.Data, knownFile), []byte(b.Location()+"\n"), 0o600); err != nil {
		return fmt.Errorf("note which bucket is used: %w", err)
	}
	return nil
}

// noteFault records the bucket's fault and its start.
func (b *SharedBucket) noteFault(err error) {
	if store.CodeOf(err) == store.CodeNotFound || errors.Is(err, context.Canceled) || errors.Is(err, fs.ErrNotExist) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil && b.fault == nil {
		b.since = time.Now()
	}
	b.fault = err
}

// CurrentFault returns the bucket's fault and its start; nil while it answers.
func (b *SharedBucket) CurrentFault() (since time.Time, fault error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.since, b.fault
}

// probeBucket reads the bucket's mark, so that an outage is noticed while no object is stored.
func (b *SharedBucket) probeBucket(ctx context.Context) error {
	if err := b.rejoinBucket(ctx); err != nil {
		return err
	}
	_, _, err := bucket.ReadMark(ctx, b.ObjectBucket)
	b.noteFault(err)
	return err
}
