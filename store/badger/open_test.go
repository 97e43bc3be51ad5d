package badger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
	"go.uber.org/goleak"

	"munadi/store"
	"munadi/store/org"
)

func TestReopenedStoreRemembers(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deep", "db")
	for round := range 3 {
		s, err := Open(dir, Options{GCInterval: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		made, err := s.Bootstrap(t.Context(), org.Organization{ID: org.Default}, nil, time.Now())
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
	first := openTest(t, dir, Options{})
	_, err := Open(dir, Options{})
	if store.CodeOf(err) != store.CodeInUse || !strings.Contains(err.Error(), dir) {
		t.Fatalf("a second Open: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	openTest(t, dir, Options{})
}

func TestNewerFormatIsRefused(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]store.Code{
		"1": "", "2": "", "4": store.CodeFormat, "0": store.CodeCorrupt, "x": store.CodeCorrupt, "": store.CodeCorrupt,
	} {
		dir := t.TempDir()
		db, err := badgerdb.Open(settings(dir, Options{}))
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
		s, err := Open(dir, Options{})
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
	if s, err := Open(filepath.Join(file, "db"), Options{}); err == nil {
		_ = s.Close()
		t.Fatal("opened below a file")
	}
}

func TestUnreadableRecordIsCorrupt(t *testing.T) {
	t.Parallel()
	s := openTest(t, "", Options{InMemory: true})
	err := s.write(t.Context(), func(_ view, c *changes) error {
		c.raw(key(kindOrg, "bakery"), []byte("{"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Organization(t.Context(), "bakery"); store.CodeOf(err) != store.CodeCorrupt {
		t.Errorf("Organization: %v", err)
	}
	if err := s.CreateOrganization(t.Context(), org.Organization{ID: "airline"}); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Organizations(t.Context()); err != nil || len(all) != 1 || s.Integrity().Records != 1 {
		t.Errorf("the list past it: %v, %v, %+v", all, err, s.Integrity())
	}
}

// TestCloseLeavesNoGoroutine runs alone: it looks at all goroutines of the process.
func TestCloseLeavesNoGoroutine(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	s, err := Open(t.TempDir(), Options{GCInterval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	goleak.VerifyNone(t, ignore, goleak.IgnoreTopFunction("github.com/golang/glog.(*fileSink).flushDaemon"))
}
