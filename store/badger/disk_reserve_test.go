package badger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/disk"
	"munadi/store/storetest"
)

// fakeDisk is a disk whose state the test sets.
type fakeDisk struct {
	now atomic.Pointer[disk.DiskState]
}

func (n *fakeDisk) setFree(s disk.DiskState) { n.now.Store(&s) }

func (n *fakeDisk) freeSpace(string) (disk.DiskState, error) { return *n.now.Load(), nil }

const plenty = 1 << 40

// TestWritable: CheckWritable reports a closed store, and a failed transaction until one succeeds.
func TestWritable(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir(), OpenOptions{})
	if err := s.CheckWritable(); err != nil {
		t.Fatal(err)
	}
	fault := errors.New("input/output error")
	s.committer.noteOutcome(0, []*writeCommand{{err: fmt.Errorf("%w: %w", errNotWritten, fault)}})
	if err := s.CheckWritable(); !errors.Is(err, fault) {
		t.Errorf("after a transaction that failed: %v", err)
	}
	if err := s.TryWrite(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckWritable(); err != nil {
		t.Errorf("after one that succeeded: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckWritable(); store.CodeOf(err) != store.CodeClosed {
		t.Errorf("a closed store: %v", err)
	}
}

// TestNothingIsKeptOfRefusedWork: while files cannot be written after a failed transaction, commands are refused before
// Badger keeps them, also urgent ones, and nothing is due; both end by themselves.
func TestNothingIsKeptOfRefusedWork(t *testing.T) {
	t.Parallel()
	s := openCalls(t, t.TempDir(), OpenOptions{}, "bakery")
	waiting, refused := newTestCall("bakery"), newTestCall("bakery")
	bookCall(t, s, waiting)
	s.committer.noteOutcome(0, []*writeCommand{{err: fmt.Errorf("%w: %w", errNotWritten, syscall.EROFS)}})
	if _, _, err := storetest.FindDueCalls(t.Context(), s, testClock().Add(time.Hour), 10); !errors.Is(err, syscall.EROFS) {
		t.Errorf("calls are due after a transaction that failed: %v", err)
	}
	probe := filepath.Join(s.committer.reserve.dir, probeFile)
	mustSucceed(t, os.Mkdir(probe, 0o700)) // no file can be written there
	_, err := s.BookCall(t.Context(), refused, "key:x", nil)
	if !errors.Is(err, errNotWritten) || strings.Contains(err.Error(), "/") {
		t.Errorf("a booking on a disk that cannot be written: %v", err)
	}
	if _, err := s.StopCall(t.Context(), "bakery", waiting.ID, call.NoVoice, testClock()); !errors.Is(err, errNotWritten) {
		t.Errorf("an urgent command on a disk that cannot be written: %v", err)
	}
	if _, err := s.FindCall(t.Context(), "bakery", refused.ID); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("a refused call is read: %v", err)
	}
	if c, err := s.FindCall(t.Context(), "bakery", waiting.ID); err != nil || c.Status != call.Scheduled {
		t.Errorf("a call whose end was refused is %v, %v", c.Status, err)
	}
	mustSucceed(t, os.Remove(probe))
	bookCall(t, s, refused)
	wantDue(t, s, waiting.ID, true)
	if _, err := os.Stat(probe); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file that was tried: %v", err)
	}
}

// TestFullDisk: new work is refused, running work can end, reading continues, and writing resumes by itself.
// Acknowledged changes exist after a restart, refused ones do not.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for name, full := range map[string]disk.DiskState{"full": {Free: reserve - 1}, "read-only": {Free: plenty, ReadOnly: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, d := t.TempDir(), &fakeDisk{}
			d.setFree(disk.DiskState{Free: plenty})
			s := openTest(t, dir, OpenOptions{Disk: d.freeSpace})
			ctx, now := t.Context(), testClock()
			mustSucceed(t, s.CreateOrganization(ctx, account.Organization{ID: "bakery"}, "test"))
			running, waiting, refused := newTestCall("bakery"), newTestCall("bakery"), newTestCall("bakery")
			bookCall(t, s, running)
			bookCall(t, s, waiting)
			_, err := s.ReleaseCall(ctx, "bakery", running.ID, now)
			mustSucceed(t, err)

			d.setFree(full)
			_, err = s.BookCall(ctx, refused, "key:x", nil)
			noRoomSays(t, err, "disk")
			_, err = s.ReleaseCall(ctx, "bakery", waiting.ID, now)
			noRoomSays(t, err, "disk")
			noRoomSays(t, s.CheckWritable(), "disk")
			outcome := call.CallOutcome{Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout}}
			if _, err = s.FinishCall(ctx, "bakery", running.ID, outcome, nil, now); (err == nil) == full.ReadOnly {
				t.Errorf("the end of what had begun: %v", err)
			}
			if c, err := s.FindCall(ctx, "bakery", waiting.ID); err != nil || c.Status != call.Scheduled {
				t.Errorf("read %v, %v", c.Status, err)
			}

			d.setFree(disk.DiskState{Free: lastReserve - 1})
			_, err = s.StopCall(ctx, "bakery", waiting.ID, call.NoVoice, now)
			noRoomSays(t, err, "full")

			d.setFree(disk.DiskState{Free: plenty})
			mustSucceed(t, s.CheckWritable())
			later := newTestCall("bakery")
			bookCall(t, s, later)
			mustSucceed(t, s.Close())
			s = openTest(t, dir, OpenOptions{Disk: d.freeSpace})
			if s.LostTransactions() != 0 {
				t.Errorf("%d transactions are lost", s.LostTransactions())
			}
			for _, c := range []call.Call{running, waiting, later} {
				if _, err := s.FindCall(ctx, "bakery", c.ID); err != nil {
					t.Errorf("an acknowledged call: %v", err)
				}
			}
			if _, err := s.FindCall(ctx, "bakery", refused.ID); store.CodeOf(err) != store.CodeNotFound {
				t.Errorf("a refused call was stored: %v", err)
			}
		})
	}
}

// TestOpenOnFullDisk: opening is refused without touching a file, because it would write to a mapped file without disk
// space.
func TestOpenOnFullDisk(t *testing.T) {
	t.Parallel()
	for _, state := range []disk.DiskState{{Free: lastReserve - 1}, {Free: plenty, ReadOnly: true}} {
		d := &fakeDisk{}
		d.setFree(state)
		s, err := OpenStore(t.TempDir(), OpenOptions{Disk: d.freeSpace})
		if err == nil {
			_ = s.Close()
		}
		noRoomSays(t, err, "cannot be opened")
	}
}

// TestFullTmpfs fills a real file system: the process must not be killed by SIGBUS.
func TestFullTmpfs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=160m"); err != nil {
		t.Skip("cannot mount a file system here:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s := openTest(t, dir, OpenOptions{})
	mustSucceed(t, s.CreateOrganization(t.Context(), account.Organization{ID: "bakery"}, "test"))
	var kept []call.Call
	for {
		c := newTestCall("bakery")
		c.Metadata = map[string]string{"filler": strings.Repeat("x", 60<<10)}
		if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
			noRoomSays(t, err, "full")
			break
		}
		kept = append(kept, c)
	}
	if len(kept) < 20 {
		t.Errorf("only %d calls fit", len(kept))
	}
	mustSucceed(t, s.Close())
	s = openTest(t, dir, OpenOptions{})
	for _, c := range kept {
		if _, err := s.FindCall(context.Background(), "bakery", c.ID); err != nil {
			t.Fatalf("an acknowledged call: %v", err)
		}
	}
}

func noRoomSays(t *testing.T, err error, word string) {
	t.Helper()
	if store.CodeOf(err) != store.CodeNoRoom || !strings.Contains(err.Error(), word) {
		t.Errorf("%v, want %q", err, word)
	}
}

func bookCall(t *testing.T, s *BadgerStore, c call.Call) {
	t.Helper()
	_, err := s.BookCall(t.Context(), c, "key:x", nil)
	mustSucceed(t, err)
}

func mustSucceed(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
