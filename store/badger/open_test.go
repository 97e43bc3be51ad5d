package badger

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
	"go.uber.org/goleak"

	"munadi/store"
	"munadi/store/account"
)

func TestReopenedStoreRemembers(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deep", "db")
	for round := range 3 {
		s, err := OpenStore(dir, OpenOptions{GCInterval: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		made, err := s.Bootstrap(t.Context(), account.Organization{ID: account.Default}, nil, time.Now())
		if err != nil || made != (round == 0) {
			t.Errorf("round %d: Bootstrap %v, %v", round, made, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, %v", info.Mode(), err)
	}
}

func TestSecondOpenIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := openTest(t, dir, OpenOptions{})
	_, err := OpenStore(dir, OpenOptions{})
	if store.CodeOf(err) != store.CodeInUse || !strings.Contains(err.Error(), dir) {
		t.Fatalf("a second Open: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	openTest(t, dir, OpenOptions{})
}

// TestBadgersLockOutlastsItsDatabase: a copy of the descriptor that holds it, as a child process has before its program
// runs, delays an opening and does not fail it.
func TestBadgersLockOutlastsItsDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, func() { _ = folder.Close() })
	openTest(t, dir, OpenOptions{})
}

func TestNewerFormatIsRefused(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]store.ErrorCode{
		"1": "", "2": "", "3": "", "4": "", "5": "", "6": "", "7": store.CodeFormat, "0": store.CodeCorrupt, "x": store.CodeCorrupt, "": store.CodeCorrupt,
	} {
		dir := t.TempDir()
		db, err := badgerdb.Open(badgerOptions(dir, OpenOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(txn *badgerdb.Txn) error { return txn.Set(formatKey, []byte(value)) })
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := OpenStore(dir, OpenOptions{})
		if store.CodeOf(err) != want {
			t.Errorf("format %q: %v, want code %q", value, err, want)
		}
		if err == nil {
			err = s.Close()
		}
		if want == "" && err != nil {
			t.Error(err)
		}
	}
}

func TestUnusableFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := OpenStore(filepath.Join(file, "db"), OpenOptions{}); err == nil {
		_ = s.Close()
		t.Fatal("opened below a file")
	}
}

func TestUnreadableRecordIsCorrupt(t *testing.T) {
	t.Parallel()
	s := openTest(t, "", OpenOptions{InMemory: true})
	err := s.submitCommand(t.Context(), func(_ snapshotView, c *changeSet) error {
		c.putRaw(joinKey("org", "bakery"), []byte("{"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.FindOrganization(t.Context(), "bakery"); store.CodeOf(err) != store.CodeCorrupt {
		t.Errorf("Organization: %v", err)
	}
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "airline"}, "test"); err != nil {
		t.Fatal(err)
	}
	if all, err := s.ListOrganizations(t.Context()); err != nil || len(all) != 1 || s.Integrity().Records != 1 {
		t.Errorf("the list past it: %v, %v, %+v", all, err, s.Integrity())
	}
}

// TestCloseLeavesNoGoroutine is not parallel: it inspects all goroutines of the process.
func TestCloseLeavesNoGoroutine(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	s, err := OpenStore(t.TempDir(), OpenOptions{GCInterval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	goleak.VerifyNone(t, ignore, goleak.IgnoreTopFunction("github.com/golang/glog.(*fileSink).flushDaemon"))
}
