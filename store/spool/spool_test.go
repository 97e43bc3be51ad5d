package spool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/blob"
	"munadi/store/bucket"
	"munadi/store/spool"
)

// patience is the timeout of these tests' waits.
const patience = 60 * time.Second

// faultyBucket is a folder bucket that can be made unreachable.
type faultyBucket struct {
	bucket.ObjectBucket

	away atomic.Bool
	put  func(name string) // called in the middle of an upload; nil: nothing
}

func (b *faultyBucket) nextFault() error {
	if b.away.Load() {
		return store.Errorf(store.CodeUnavailable, "the bucket does not answer")
	}
	return nil
}

func (b *faultyBucket) PutObject(ctx context.Context, name string, content io.ReaderAt, size int64) error {
	if b.put != nil {
		b.put(name)
	}
	if err := b.nextFault(); err != nil {
		return err
	}
	return b.ObjectBucket.PutObject(ctx, name, content, size)
}

func (b *faultyBucket) OpenObject(ctx context.Context, name string) (bucket.OpenedObject, error) {
	if err := b.nextFault(); err != nil {
		return nil, err
	}
	return b.ObjectBucket.OpenObject(ctx, name)
}

func (b *faultyBucket) RemoveObject(ctx context.Context, name string) error {
	return errors.Join(b.nextFault(), b.ObjectBucket.RemoveObject(ctx, name))
}

// spoolFixture is a data folder, a bucket, and the spool on them.
type spoolFixture struct {
	t          *testing.T
	data, away string
	bucket     *faultyBucket
	shared     *spool.SharedBucket
	spool      *spool.RecordingSpool
	stop       func()
}

func newPlace(t *testing.T) *spoolFixture {
	t.Helper()
	p := &spoolFixture{t: t, data: t.TempDir(), away: filepath.Join(t.TempDir(), "bucket")}
	b, err := bucket.OpenBucket(p.away, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.bucket = &faultyBucket{ObjectBucket: b}
	p.openSpool()
	t.Cleanup(func() { p.stopUploader() })
	return p
}

// openSpool opens the spool as at a start of the appliance.
func (p *spoolFixture) openSpool() {
	p.t.Helper()
	log := slog.New(slog.DiscardHandler)
	p.shared = &spool.SharedBucket{ObjectBucket: p.bucket, Data: p.data, Log: log}
	s, err := spool.OpenSpool(spool.Options{
		Dir: filepath.Join(p.data, "recordings"), Bucket: p.shared, Prefix: "recordings/", Waveforms: "waveforms/", Mend: true, Log: log,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.spool = s
	if err := p.shared.Join(p.t.Context(), "here"); err != nil && store.CodeOf(err) != store.CodeUnavailable {
		p.t.Fatal(err)
	}
}

// runUploader runs the uploader until end.
func (p *spoolFixture) runUploader() {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		if err := p.spool.Run(ctx); err != nil {
			p.t.Error(err)
		}
	})
	p.stop = func() { cancel(); done.Wait() }
}

func (p *spoolFixture) stopUploader() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
	_ = p.spool.Close()
}

// recordSeconds writes a recording of some seconds.
func (p *spoolFixture) recordSeconds(name string, seconds int) {
	p.t.Helper()
	w, err := p.spool.CreateRecording(name)
	for range seconds {
		if err == nil {
			err = w.AppendFrames(make([]int16, blob.Rate), make([]int16, blob.Rate))
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// inBucket reports whether an object is in the bucket, onDisk whether a recording is on the disk.
func (p *spoolFixture) inBucket(name string) bool { return isFile(filepath.Join(p.away, name)) }

func (p *spoolFixture) onDisk(name string) bool {
	return isFile(filepath.Join(p.data, "recordings", name))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (p *spoolFixture) waitUntil(what string, done func() bool) {
	p.t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s: never; %+v", what, p.spool.CurrentBacklog())
		}
	}
}

func (p *spoolFixture) playRecording(name string) ([]byte, error) {
	f, err := p.spool.OpenRecording(p.t.Context(), name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// listNames lists the recordings in the bucket.
func (p *spoolFixture) listNames() (names []string) {
	p.t.Helper()
	for name, err := range p.spool.ListNames(p.t.Context(), "") {
		if err != nil {
			p.t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// TestUpload: a recording is played from the disk while it is written, goes to the bucket when it is closed, leaves the
// disk, and is played from there.
func TestUpload(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.runUploader()
	w, err := p.spool.CreateRecording("a/1.wav")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := w.AppendFrames(make([]int16, blob.Rate), make([]int16, blob.Rate)); err != nil {
			t.Fatal(err)
		}
	}
	p.recordSeconds("a/2.wav", 1)
	p.waitUntil("the closed one is in the bucket", func() bool { return p.inBucket("recordings/a/2.wav") && !p.onDisk("a/2.wav") })
	if p.inBucket("recordings/a/1.wav") {
		t.Error("a recording went to the bucket while it was written")
	}
	before, err := p.playRecording("a/1.wav")
	if err != nil || len(before) != 44+3*4*blob.Rate {
		t.Errorf("on the disk it has %d bytes, %v", len(before), err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p.waitUntil("it is in the bucket", func() bool { return p.inBucket("recordings/a/1.wav") && !p.onDisk("a/1.wav") })
	if after, err := p.playRecording("a/1.wav"); err != nil || !bytes.Equal(after, before) {
		t.Errorf("from the bucket %d bytes come, %v", len(after), err)
	}
	if _, err := p.playRecording("a/3.wav"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is not there: %v", err)
	}
}

// TestBucketAway: while the bucket is unreachable, recordings stay on the disk and are played from there, also after a
// restart and a crash during one; removals are carried out when the bucket is back.
func TestBucketAway(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.runUploader()
	p.recordSeconds("a/old.wav", 1)
	p.waitUntil("the first is in the bucket", func() bool { return !p.onDisk("a/old.wav") })
	p.bucket.away.Store(true)
	for i := range 10 {
		p.recordSeconds(fmt.Sprintf("a/%d.wav", i), 1)
	}
	if err := p.spool.RemoveFile("a/old.wav"); err != nil {
		t.Fatal(err)
	}
	p.waitUntil("the fault is known", func() bool { _, fault := p.shared.CurrentFault(); return fault != nil })
	if _, err := p.playRecording("a/old.wav"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed one: %v", err)
	}
	if listed := p.listNames(); len(listed) > 0 {
		t.Errorf("listed although removed: %v", listed)
	}
	if _, err := p.playRecording("a/unknown.wav"); store.CodeOf(err) != store.CodeUnavailable {
		t.Errorf("one that may be in the bucket: %v", err)
	}
	if _, err := p.playRecording("a/7.wav"); err != nil {
		t.Error(err)
	}
	p.stopUploader()
	crashed := filepath.Join(p.data, "recordings", "a", "crashed.wav")
	if err := os.WriteFile(crashed, make([]byte, 44+401), 0o600); err != nil { // the header was not updated
		t.Fatal(err)
	}
	p.openSpool()
	p.runUploader()
	p.waitUntil("the backlog is known", func() bool { return p.spool.CurrentBacklog().Waiting == 11 && p.spool.CurrentBacklog().Removed == 1 })
	p.bucket.away.Store(false)
	p.waitUntil("all are in the bucket", func() bool {
		for i := range 10 {
			if !p.inBucket(fmt.Sprintf("recordings/a/%d.wav", i)) {
				return false
			}
		}
		return p.inBucket("recordings/a/crashed.wav") && !p.inBucket("recordings/a/old.wav") && p.spool.CurrentBacklog() == spool.Backlog{}
	})
	if content, err := p.playRecording("a/crashed.wav"); err != nil || len(content) != 44+400 || string(content[:4]) != "RIFF" {
		t.Errorf("the recording interrupted by a crash has %d bytes, %v", len(content), err)
	}
	if _, fault := p.shared.CurrentFault(); fault != nil {
		t.Errorf("still said: %v", fault)
	}
}

// TestRemovedDuringUpload: a recording that is removed during its upload does not stay in the bucket.
func TestRemovedDuringUpload(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.bucket.put = func(name string) {
		if strings.HasSuffix(name, "a/1.wav") {
			if err := p.spool.RemoveFile("a/1.wav"); err != nil {
				t.Error(err)
			}
		}
	}
	p.recordSeconds("a/1.wav", 1)
	p.runUploader()
	p.recordSeconds("a/2.wav", 1)
	p.waitUntil("all is settled", func() bool {
		return p.inBucket("recordings/a/2.wav") && !p.inBucket("recordings/a/1.wav") && p.spool.CurrentBacklog() == spool.Backlog{}
	})
}

// TestErasedElsewhere: the recording of a person whom another appliance has erased is not uploaded.
func TestErasedElsewhere(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.spool.IsErased = func(_ context.Context, name string) (bool, error) { return name == "a/1.wav", nil }
	p.recordSeconds("a/1.wav", 1)
	p.recordSeconds("a/2.wav", 1)
	p.runUploader()
	p.waitUntil("the other is in the bucket", func() bool { return p.inBucket("recordings/a/2.wav") && !p.onDisk("a/1.wav") })
	if p.inBucket("recordings/a/1.wav") {
		t.Error("it was uploaded")
	}
}

// TestTrash: recordings in the bucket are listed, go to the trash and expire there.
func TestTrash(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.runUploader()
	p.recordSeconds("a/1.wav", 1)
	p.recordSeconds("a/2.wav", 1)
	p.waitUntil("both are in the bucket", func() bool { return p.inBucket("recordings/a/1.wav") && p.inBucket("recordings/a/2.wav") })
	now := time.Now()
	if err := p.spool.MoveToTrash(t.Context(), "a/1.wav", now); err != nil {
		t.Fatal(err)
	}
	if err := p.spool.MoveToTrash(t.Context(), "../x.wav", now); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a bad name: %v", err)
	}
	if names := p.listNames(); !slices.Equal(names, []string{"a/2.wav"}) {
		t.Errorf("there are %v", names)
	}
	for _, c := range []struct {
		before time.Time
		left   int
	}{{now.AddDate(0, 0, -14), 1}, {now.AddDate(0, 0, 2), 0}} {
		if left, err := p.spool.ExpireTrash(t.Context(), c.before); err != nil || left != c.left {
			t.Errorf("%d are left, %v, want %d", left, err, c.left)
		}
	}
}

// TestOtherInstallation: a bucket of another installation is refused, and so is one that has lost its mark; nothing is
// stored in either.
func TestOtherInstallation(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if err := p.shared.Join(t.Context(), "here"); err != nil {
		t.Fatal(err)
	}
	other := &spool.SharedBucket{ObjectBucket: p.bucket, Data: t.TempDir(), Log: slog.New(slog.DiscardHandler)}
	if err := other.Join(t.Context(), "there"); store.CodeOf(err) != store.CodeConflict || !strings.Contains(err.Error(), "belongs to installation here") {
		t.Errorf("another installation: %v", err)
	}
	if err := os.Remove(filepath.Join(p.away, ".installation")); err != nil {
		t.Fatal(err)
	}
	again := &spool.SharedBucket{ObjectBucket: p.bucket, Data: p.data, Log: slog.New(slog.DiscardHandler)}
	if err := again.Join(t.Context(), "here"); store.CodeOf(err) != store.CodeConflict || !strings.Contains(err.Error(), "not mounted") {
		t.Errorf("without its mark: %v", err)
	}
	if err := os.WriteFile(filepath.Join(p.away, ".installation"), nil, 0o600); err != nil { // an operator approves the bucket
		t.Fatal(err)
	}
	if err := again.Join(t.Context(), "here"); err != nil {
		t.Error(err)
	}
}
