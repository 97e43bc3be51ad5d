package retention_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/retention"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/dialling"
	"munadi/store/org"
)

// books are ended calls of two organizations.
type books struct {
	mu    sync.Mutex
	rules map[string]dialling.Rules
	calls map[string]*call.Call // by id
	gone  []string              // left by an erasure
	fail  error
}

func (b *books) Organizations(context.Context) ([]org.Organization, error) {
	return []org.Organization{{ID: "a"}, {ID: "b"}}, b.fail
}

func (b *books) Rules(_ context.Context, orgID string) (dialling.Rules, error) {
	return b.rules[orgID], nil
}

// edit changes what is known of the calls.
func (b *books) edit(how func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	how()
}

func (b *books) Call(_ context.Context, orgID, id string) (call.Call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.calls[id]; c != nil && c.OrgID == orgID {
		return *c, nil
	}
	return call.Call{}, store.Errorf(store.CodeNotFound, "no call")
}

// expired are the calls of an organization that ended before a time and have something.
func (b *books) expired(orgID string, before time.Time, has func(*call.Call) bool, limit int) (some []*call.Call) {
	for _, c := range b.calls {
		if c.OrgID == orgID && c.EndedAt.Before(before) && has(c) && len(some) < limit {
			some = append(some, c)
		}
	}
	return some
}

func (b *books) ExpireRecordings(_ context.Context, orgID string, before time.Time, words bool, limit int) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if words {
		return nil, errors.New("words have a time of their own")
	}
	names := b.gone
	b.gone = nil
	for _, c := range b.expired(orgID, before, func(c *call.Call) bool { return c.Recording != "" }, limit) {
		names = append(names, c.Recording)
		c.Recording = ""
	}
	return names, nil
}

func (b *books) ExpireWords(_ context.Context, orgID string, before time.Time, limit int) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	some := b.expired(orgID, before, func(c *call.Call) bool { return c.Messages != nil }, limit)
	for _, c := range some {
		c.Messages = nil
	}
	return len(some), nil
}

// end adds a call that ended now, with a recording and words.
func (b *books) end(t *testing.T, f *blob.Folder, orgID, id string) {
	t.Helper()
	now, name := time.Now(), blob.Name(orgID, id)
	b.calls[id] = &call.Call{ID: id, OrgID: orgID, Status: call.Completed, EndedAt: &now, Recording: name, Messages: []call.Message{{}}}
	file(t, f, name)
}

func file(t *testing.T, f *blob.Folder, name string) {
	t.Helper()
	r, err := f.Create(name)
	if err == nil {
		err = r.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, f *blob.Folder) (all []string) {
	t.Helper()
	for name, err := range f.Names() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
	}
	return all
}

func TestExpire(t *testing.T) {
	t.Parallel()
	folder, err := blob.Open(filepath.Join(t.TempDir(), "recordings"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	synctest.Test(t, func(t *testing.T) {
		b := &books{calls: map[string]*call.Call{}, rules: map[string]dialling.Rules{
			"a": {RetentionDays: dialling.Retention{Audio: 2, Transcript: 1}},
		}}
		b.end(t, folder, "a", "old")
		b.end(t, folder, "b", "kept")
		b.end(t, folder, "b", "erased")
		file(t, folder, "b/lost.wav")
		file(t, folder, "a/running.wav")
		b.calls["running"] = &call.Call{ID: "running", OrgID: "a", Status: call.Dialing, EndedAt: new(time.Time)}
		*b.calls["running"].EndedAt = time.Now().Add(1000 * time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- retention.New(b, folder, slog.New(slog.DiscardHandler)).Run(ctx) }()

		expect := func(at string, want ...string) {
			t.Helper()
			synctest.Wait()
			slices.Sort(want)
			if got := names(t, folder); !slices.Equal(got, want) {
				t.Errorf("%s there are %v, want %v", at, got, want)
			}
		}
		expect("at the start", "a/old.wav", "a/running.wav", "b/kept.wav", "b/erased.wav")
		b.edit(func() { b.gone, b.calls["erased"].Recording = []string{"b/erased.wav"}, "" })
		time.Sleep(25 * time.Hour)
		expect("after a day", "a/old.wav", "a/running.wav", "b/kept.wav")
		b.edit(func() {
			if b.calls["old"].Messages != nil || b.calls["kept"].Messages == nil {
				t.Error("after a day the wrong words are there")
			}
		})
		file(t, folder, "b/orphan.wav")
		b.edit(func() { b.calls["running"].Status = call.Failed })
		time.Sleep(24 * time.Hour)
		expect("after two days", "b/kept.wav")
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestTrouble: what cannot be read is the supervisor's to know.
func TestTrouble(t *testing.T) {
	t.Parallel()
	folder, err := blob.Open(filepath.Join(t.TempDir(), "recordings"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	b := &books{fail: errors.New("disk on fire")}
	if err := retention.New(b, folder, slog.New(slog.DiscardHandler)).Run(t.Context()); !errors.Is(err, b.fail) {
		t.Errorf("got %v", err)
	}
}
