package retention_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/retention"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/live"
	"munadi/store/scenario"
)

// callRecords are ended calls of two organizations.
type callRecords struct {
	mu    sync.Mutex
	rules map[string]callrules.CallRules
	calls map[string]*call.Call // by id
	live  map[string]*live.LiveSession
	gone  []string // left by an erasure
	fail  error

	interrupted []string // recordings of an interrupted erasure

	broken string // id of a call that cannot be read

	brokenRules string // organization whose rules cannot be read
}

func (b *callRecords) ListOrganizations(context.Context) ([]account.Organization, error) {
	return []account.Organization{{ID: "a"}, {ID: "b"}}, b.fail
}

func (b *callRecords) FindRules(_ context.Context, orgID string) (callrules.CallRules, error) {
	if orgID == b.brokenRules {
		return callrules.CallRules{}, store.Errorf(store.CodeCorrupt, "a record cannot be read")
	}
	return b.rules[orgID], nil
}

// editCalls changes the fake calls.
func (b *callRecords) editCalls(how func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	how()
}

func (b *callRecords) FindCall(_ context.Context, orgID, id string) (call.Call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if id == b.broken && id != "" {
		return call.Call{}, store.Errorf(store.CodeCorrupt, "a record cannot be read")
	}
	if c := b.calls[id]; c != nil && c.OrgID == orgID {
		return *c, nil
	}
	return call.Call{}, store.Errorf(store.CodeNotFound, "no call")
}

// listExpired returns the calls of an organization that ended before a time and for which has is true.
func (b *callRecords) listExpired(orgID string, before time.Time, has func(*call.Call) bool, limit int) (some []*call.Call) {
	for _, c := range b.calls {
		if c.OrgID == orgID && c.EndedAt.Before(before) && has(c) && len(some) < limit {
			some = append(some, c)
		}
	}
	return some
}

func (b *callRecords) ExpireRecordings(_ context.Context, orgID string, before time.Time, words bool, limit int) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if words {
		return nil, errors.New("words have a time of their own")
	}
	names := b.gone
	b.gone = nil
	for _, c := range b.listExpired(orgID, before, func(c *call.Call) bool { return c.Recording != "" }, limit) {
		names = append(names, c.Recording)
		c.Recording = ""
	}
	return names, nil
}

func (b *callRecords) NameOlderCalls(context.Context, []scenario.Scenario, time.Time) error {
	return nil
}

func (b *callRecords) RenewMarks(context.Context) error { return nil }

func (b *callRecords) ResumeErasures(_ context.Context, before time.Time) (names []string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if before.After(time.Now().Add(-time.Minute)) {
		return nil, errors.New("an erasure that runs must not be resumed")
	}
	names, b.interrupted = b.interrupted, nil
	return names, nil
}

func (b *callRecords) ExpireWords(_ context.Context, orgID string, before time.Time, limit int) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	some := b.listExpired(orgID, before, func(c *call.Call) bool { return c.Messages != nil }, limit)
	for _, c := range some {
		c.Messages = nil
	}
	return len(some), nil
}

func (b *callRecords) LiveSession(_ context.Context, orgID, id string) (live.LiveSession, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l := b.live[id]; l != nil && l.OrgID == orgID {
		return *l, nil
	}
	return live.LiveSession{}, store.Errorf(store.CodeNotFound, "no session")
}

func (b *callRecords) ExpireLive(_ context.Context, orgID string, words, all time.Time) (n int, _ error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, l := range b.live {
		if l.OrgID == orgID && l.EndedBefore(words) && l.Segments != nil {
			l.Segments = nil
			n++
		}
		if l.OrgID == orgID && l.EndedBefore(all) {
			delete(b.live, id)
		}
	}
	return n, nil
}

// addLiveSession adds a live session that began now, with audio and transcript.
func (b *callRecords) addLiveSession(t *testing.T, f *blob.RecordingFolder, orgID string, ended *time.Time) string {
	t.Helper()
	id := live.NewID(time.Now())
	b.live[id] = &live.LiveSession{ID: id, OrgID: orgID, StartedAt: time.Now(), EndedAt: ended, Segments: []live.LiveSegment{{}}}
	writeFile(t, f, blob.RecordingName(orgID, id))
	return id
}

// addEndedCall adds a call that ended now, with a recording and a transcript.
func (b *callRecords) addEndedCall(t *testing.T, f *blob.RecordingFolder, orgID, id string) {
	t.Helper()
	now, name := time.Now(), blob.RecordingName(orgID, id)
	b.calls[id] = &call.Call{ID: id, OrgID: orgID, Status: call.Completed, EndedAt: &now, Recording: name, Messages: []call.Message{{}}}
	writeFile(t, f, name)
}

func writeFile(t *testing.T, f *blob.RecordingFolder, name string) {
	t.Helper()
	r, err := f.CreateRecording(name)
	if err == nil {
		err = r.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// newFolder returns an empty folder.
func newFolder(t *testing.T) *blob.RecordingFolder {
	t.Helper()
	f, err := blob.OpenFolder(filepath.Join(t.TempDir(), "sound"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func fileNames(t *testing.T, f *blob.RecordingFolder) (all []string) {
	t.Helper()
	for name, err := range f.ListNames(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
	}
	return all
}

func TestExpire(t *testing.T) {
	t.Parallel()
	folder, none := newFolder(t), newFolder(t)
	synctest.Test(t, func(t *testing.T) {
		b := &callRecords{calls: map[string]*call.Call{}, rules: map[string]callrules.CallRules{
			"a": {RetentionDays: callrules.RetentionDays{Audio: 2, Transcript: 1}}, "r": {Redact: true},
		}}
		b.addEndedCall(t, folder, "r", "cut")
		b.calls["cut"].Recording = "" // it was not redacted before its appliance crashed
		b.addEndedCall(t, folder, "a", "old")
		b.addEndedCall(t, folder, "b", "kept")
		b.addEndedCall(t, folder, "b", "erased")
		b.addEndedCall(t, folder, "b", "interrupted")
		b.interrupted = []string{"b/interrupted.wav"}
		writeFile(t, folder, "b/lost.wav")
		writeFile(t, folder, "a/running.wav")
		b.calls["running"] = &call.Call{ID: "running", OrgID: "a", Status: call.Dialing, EndedAt: new(time.Time)}
		*b.calls["running"].EndedAt = time.Now().Add(1000 * time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- retention.NewWorker(b, folder, none, slog.New(slog.DiscardHandler)).Run(ctx) }()

		expect := func(at string, want ...string) {
			t.Helper()
			synctest.Wait()
			slices.Sort(want)
			if got := fileNames(t, folder); !slices.Equal(got, want) {
				t.Errorf("%s there are %v, want %v", at, got, want)
			}
		}
		expect("at the start", "a/old.wav", "a/running.wav", "b/kept.wav", "b/erased.wav")
		b.editCalls(func() { b.gone, b.calls["erased"].Recording = []string{"b/erased.wav"}, "" })
		time.Sleep(25 * time.Hour)
		expect("after a day", "a/old.wav", "a/running.wav", "b/kept.wav")
		b.editCalls(func() {
			if b.calls["old"].Messages != nil || b.calls["kept"].Messages == nil {
				t.Error("after a day the wrong words are there")
			}
		})
		writeFile(t, folder, "b/orphan.wav")
		b.editCalls(func() { b.calls["running"].Status = call.Failed })
		time.Sleep(24 * time.Hour)
		expect("after two days", "b/kept.wav")
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestDamagedRules: where an organization's rules are damaged nothing expires, but what an erasure left is removed.
func TestDamagedRules(t *testing.T) {
	t.Parallel()
	folder, none := newFolder(t), newFolder(t)
	synctest.Test(t, func(t *testing.T) {
		b := &callRecords{
			calls: map[string]*call.Call{}, rules: map[string]callrules.CallRules{}, brokenRules: "a",
			gone: []string{"a/erased.wav"},
		}
		b.addEndedCall(t, folder, "a", "kept")
		writeFile(t, folder, "a/erased.wav")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- retention.NewWorker(b, folder, none, slog.New(slog.DiscardHandler)).Run(ctx) }()
		synctest.Wait()
		if got := fileNames(t, folder); !slices.Equal(got, []string{"a/kept.wav"}) {
			t.Errorf("there are %v", got)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestFileThatCannotBeRemovedIsRetried checks that a file that cannot be removed does not delay others, and is retried.
func TestFileThatCannotBeRemovedIsRetried(t *testing.T) {
	t.Parallel()
	folder, none := newFolder(t), newFolder(t)
	synctest.Test(t, func(t *testing.T) {
		writeFile(t, folder, "a/locked.wav")
		writeFile(t, folder, "b/lost.wav")
		locked := &lockFolder{RecordingFolder: folder, name: "a/locked.wav"}
		locked.on.Store(true)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- retention.NewWorker(&callRecords{}, locked, none, slog.New(slog.DiscardHandler)).Run(ctx)
		}()
		synctest.Wait()
		if got := fileNames(t, folder); !slices.Equal(got, []string{"a/locked.wav"}) {
			t.Errorf("at the start there are %v", got)
		}
		locked.on.Store(false)
		time.Sleep(25 * time.Hour)
		synctest.Wait()
		if got := fileNames(t, folder); len(got) > 0 {
			t.Errorf("after a day there are %v", got)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestExpiredFileIsNoOrphan checks that a recording that could not be removed when its days were over is removed later,
// and is not kept in the trash.
func TestExpiredFileIsNoOrphan(t *testing.T) {
	t.Parallel()
	folder, none := newFolder(t), newFolder(t)
	synctest.Test(t, func(t *testing.T) {
		b := &callRecords{calls: map[string]*call.Call{}, rules: map[string]callrules.CallRules{
			"a": {RetentionDays: callrules.RetentionDays{Audio: 1}}, "b": {RetentionDays: callrules.RetentionDays{Audio: 9}},
		}}
		b.addEndedCall(t, folder, "a", "expired")
		b.addEndedCall(t, folder, "b", "orphan")
		b.calls["orphan"].Recording = ""
		away := &lockFolder{RecordingFolder: folder, name: "a/expired.wav"}
		away.on.Store(true)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- retention.NewWorker(b, away, none, slog.New(slog.DiscardHandler)).Run(ctx) }()
		time.Sleep(26 * time.Hour)
		away.on.Store(false)
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if left := fileNames(t, folder); len(left) > 0 {
			t.Errorf("there are %v", left)
		}
		if n, err := folder.ExpireTrash(t.Context(), time.Time{}); n != 1 || err != nil {
			t.Errorf("%d recordings are in the trash, want the orphan alone; %v", n, err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// lockFolder returns a folder with a file that cannot be removed while it is locked.
type lockFolder struct {
	*blob.RecordingFolder
	name string
	on   atomic.Bool
}

func (l *lockFolder) RemoveFile(name string) error {
	if name == l.name && l.on.Load() {
		return errors.New("operation not permitted")
	}
	return l.RecordingFolder.RemoveFile(name)
}

func (l *lockFolder) MoveToTrash(ctx context.Context, name string, now time.Time) error {
	if name == l.name && l.on.Load() {
		return errors.New("operation not permitted")
	}
	return l.RecordingFolder.MoveToTrash(ctx, name, now)
}

// staleList is a folder that still lists a file that is gone.
type staleList struct{ *blob.RecordingFolder }

func (staleList) ListNames(context.Context, string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield("a/gone.wav", nil) }
}

// TestFileGoneSinceListedIsNoFault checks that nothing is logged for a file that was removed after it was listed.
func TestFileGoneSinceListedIsNoFault(t *testing.T) {
	t.Parallel()
	folder := newFolder(t)
	synctest.Test(t, func(t *testing.T) {
		var logged bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			log := slog.New(slog.NewTextHandler(&logged, nil))
			ended <- retention.NewWorker(&callRecords{}, staleList{folder}, folder, log).Run(ctx)
		}()
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil || logged.Len() > 0 {
			t.Errorf("%v, logged: %s", err, &logged)
		}
	})
}

// awaySounds is a bucket that does not answer.
type awaySounds struct{ *blob.RecordingFolder }

func (awaySounds) ListNames(context.Context, string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		yield("", store.Errorf(store.CodeUnavailable, "the bucket does not answer"))
	}
}

func (awaySounds) ExpireTrash(context.Context, time.Time) (int, error) {
	return 0, store.Errorf(store.CodeUnavailable, "the bucket does not answer")
}

// TestBucketAway checks that an unreachable bucket does not stop the expiry of database records.
func TestBucketAway(t *testing.T) {
	t.Parallel()
	folder, none := newFolder(t), newFolder(t)
	synctest.Test(t, func(t *testing.T) {
		b := &callRecords{calls: map[string]*call.Call{}, rules: map[string]callrules.CallRules{
			"a": {RetentionDays: callrules.RetentionDays{Transcript: 1}},
		}}
		b.addEndedCall(t, folder, "a", "old")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- retention.NewWorker(b, awaySounds{folder}, awaySounds{none}, slog.New(slog.DiscardHandler)).Run(ctx)
		}()
		time.Sleep(25 * time.Hour)
		synctest.Wait()
		b.editCalls(func() {
			if b.calls["old"].Messages != nil {
				t.Error("its words are kept")
			}
		})
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestTrash checks that audio without a record stays in the trash for 14 days, and erased audio is removed at once.
func TestTrash(t *testing.T) {
	t.Parallel()
	folder, none := newFolder(t), newFolder(t)
	synctest.Test(t, func(t *testing.T) {
		writeFile(t, folder, "a/lost.wav")
		writeFile(t, folder, "a/erased.wav")
		writeFile(t, folder, "a/unreadable.wav")
		b := &callRecords{
			calls:  map[string]*call.Call{"erased": {OrgID: "a", Status: call.Completed, EndedAt: new(time.Time), ErasedAt: new(time.Time)}},
			broken: "unreadable",
		}
		w := retention.NewWorker(b, folder, none, slog.New(slog.DiscardHandler))
		var warning atomic.Value
		w.Warn = func(message string) { warning.Store(message) }
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.Run(ctx) }()
		trashed := func() int {
			synctest.Wait()
			n, err := folder.ExpireTrash(t.Context(), time.Time{})
			if err != nil {
				t.Error(err)
			}
			return n
		}
		for day := range 14 {
			if n := trashed(); n != 1 || warning.Load() == "" {
				t.Fatalf("after %d days %d recordings are in the trash, and the warning is %q", day, n, warning.Load())
			}
			time.Sleep(24 * time.Hour)
		}
		time.Sleep(48 * time.Hour)
		if n := trashed(); n != 0 || warning.Load() != "" {
			t.Errorf("after 16 days %d recordings are in the trash, and the warning is %q", n, warning.Load())
		}
		if left := fileNames(t, folder); !slices.Equal(left, []string{"a/unreadable.wav"}) {
			t.Errorf("there are %v", left)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestExpireLive checks that audio and transcripts of live sessions expire like those of calls, and the session with
// the later of the two.
func TestExpireLive(t *testing.T) {
	t.Parallel()
	none, sound := newFolder(t), newFolder(t)
	synctest.Test(t, func(t *testing.T) {
		b := &callRecords{live: map[string]*live.LiveSession{}, rules: map[string]callrules.CallRules{
			"a": {RetentionDays: callrules.RetentionDays{Audio: 1, Transcript: 2}},
			"b": {RetentionDays: callrules.RetentionDays{Transcript: 1}},
		}}
		now := time.Now()
		old, on := b.addLiveSession(t, sound, "a", &now), b.addLiveSession(t, sound, "a", nil)
		silent := b.addLiveSession(t, sound, "b", &now)
		writeFile(t, sound, "a/0000000000000001-lost.wav")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- retention.NewWorker(b, none, sound, slog.New(slog.DiscardHandler)).Run(ctx) }()

		expect := func(at string, words map[string]bool, files ...string) {
			t.Helper()
			synctest.Wait()
			slices.Sort(files)
			if got := fileNames(t, sound); !slices.Equal(got, files) {
				t.Errorf("%s there are %v, want %v", at, got, files)
			}
			b.editCalls(func() {
				if len(b.live) != len(words) {
					t.Errorf("%s there are the sessions %v, want %v", at, b.live, words)
				}
				for id, want := range words {
					if l := b.live[id]; l == nil || (l.Segments != nil) != want {
						t.Errorf("%s the session %s is %+v, want it with words: %v", at, id, l, want)
					}
				}
			})
		}
		of := blob.RecordingName
		expect("at the start", map[string]bool{old: true, on: true, silent: true}, of("a", old), of("a", on), of("b", silent))
		time.Sleep(25 * time.Hour)
		expect("after a day", map[string]bool{old: true, on: true, silent: false}, of("a", on), of("b", silent))
		time.Sleep(24 * time.Hour)
		expect("after two days", map[string]bool{on: true, silent: false}, of("a", on), of("b", silent))
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestReadErrorsAreReturned checks that read errors are returned to the supervisor.
func TestReadErrorsAreReturned(t *testing.T) {
	t.Parallel()
	folder, none := newFolder(t), newFolder(t)
	b := &callRecords{fail: errors.New("disk on fire")}
	if err := retention.NewWorker(b, folder, none, slog.New(slog.DiscardHandler)).Run(t.Context()); !errors.Is(err, b.fail) {
		t.Errorf("got %v", err)
	}
}

// TestOnlyTheLeaderDeletes checks that of appliances that share the recordings only the leader lists and deletes;
// another one takes over within an hour after it became the leader.
func TestOnlyTheLeaderDeletes(t *testing.T) {
	t.Parallel()
	folder, none := newFolder(t), newFolder(t)
	writeFile(t, folder, "a/orphan.wav")
	synctest.Test(t, func(t *testing.T) {
		b := &callRecords{calls: map[string]*call.Call{}, rules: map[string]callrules.CallRules{}}
		ctx, cancel := context.WithCancel(t.Context())
		w := retention.NewWorker(b, folder, none, slog.New(slog.DiscardHandler))
		var leads atomic.Bool
		w.Leads = func(context.Context) bool { return leads.Load() }
		ended := make(chan error)
		go func() { ended <- w.Run(ctx) }()
		time.Sleep(30 * time.Hour)
		synctest.Wait()
		if left := fileNames(t, folder); len(left) != 1 {
			t.Errorf("an appliance that does not lead left %v", left)
		}
		leads.Store(true)
		time.Sleep(time.Hour + time.Minute)
		synctest.Wait()
		if left := fileNames(t, folder); len(left) != 0 {
			t.Errorf("an hour after it began to lead there are %v", left)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
