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

// knownFile, in the data folder, holds the location of the bucket that was joined: if that bucket has no mark any more,
// it is another volume or was emptied.
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

// Join checks that the bucket can be used and belongs to the installation, and marks a new one. After an error of
// CodeUnavailable the spool tries again; the operator must correct any other.
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

// joinFault returns why the bucket must not be listed or changed: it was not verified as the installation's.
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
func (b *SharedBucket) PutObject(ctx context.Context, name string, content io.ReaderAt, size int64) error {
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

// maxSkew is the clock difference from which on a warning is logged; S3 servers refuse requests at 15 minutes.
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
		return store.Errorf(store.CodeConflict, "the bucket %s belongs to installation %s, and the database "+
			"to installation %s. Correct --recordings or --store, or, to take the bucket over, empty its object .installation",
			b.Location(), id, owner)
	case !marked && b.isKnown():
		return store.Errorf(store.CodeConflict, "the bucket %s has been used before and no longer has the mark of "+
			"this installation: is a volume not mounted, or was it emptied? To use it, create an empty object "+
			".installation there",
			b.Location())
	}
	if err := bucket.WriteMark(ctx, b.ObjectBucket, owner); err != nil {
		return err
	}
	b.Log.Info("the bucket is now marked as this installation's", "bucket", b.Location())
	return b.rememberBucket()
}

// isKnown reports whether this bucket was joined from the data folder before.
func (b *SharedBucket) isKnown() bool {
	content, err := os.ReadFile(filepath.Join(b.Data, knownFile))
	return err == nil && strings.TrimSpace(string(content)) == b.Location()
}

// rememberBucket records in the data folder that this bucket was joined.
func (b *SharedBucket) rememberBucket() error {
	if b.isKnown() {
		return nil
	}
	if err := renameio.WriteFile(filepath.Join(b.Data, knownFile), []byte(b.Location()+"\n"), 0o600); err != nil {
		return fmt.Errorf("write the bucket's location to the file bucket.known: %w", err)
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

// probeBucket reads the bucket's mark, to detect an outage while no object is being stored.
func (b *SharedBucket) probeBucket(ctx context.Context) error {
	if err := b.rejoinBucket(ctx); err != nil {
		return err
	}
	_, _, err := bucket.ReadMark(ctx, b.ObjectBucket)
	b.noteFault(err)
	return err
}
