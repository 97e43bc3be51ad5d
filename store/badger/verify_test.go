package badger

import (
	"os"
	"path/filepath"
	"testing"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// TestCompactedTableIsNotDamaged: a table that compaction truncates and deletes during a verification is skipped; one
// that the MANIFEST still names is damaged.
func TestCompactedTableIsNotDamaged(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	db, err := badgerdb.Open(badgerOptions(empty, OpenOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	without, err := os.ReadFile(filepath.Join(empty, badgerdb.ManifestFilename))
	if err != nil {
		t.Fatal(err)
	}
	f := fillFolder(t, OpenOptions{}, 20)
	s := &BadgerStore{dir: f.dir}
	truncate := func(id uint64) bool {
		if err := os.Truncate(filepath.Join(f.dir, tableName(id)), 0); err != nil {
			t.Fatal(err)
		}
		return true
	}
	if _, err := s.lookAtTables(t.Context(), truncate); store.CodeOf(err) != store.CodeCorrupt {
		t.Errorf("a truncated table that the MANIFEST names: %v", err)
	}
	looked, err := s.lookAtTables(t.Context(), func(id uint64) bool {
		if err := os.WriteFile(filepath.Join(f.dir, badgerdb.ManifestFilename), without, 0o600); err != nil {
			t.Fatal(err)
		}
		return truncate(id)
	})
	if err != nil || len(looked) != 0 {
		t.Errorf("a table that is being deleted: %v, %v", looked, err)
	}
}

// TestKeyAfter: the range of a table's last block ends at the next table of its level.
func TestKeyAfter(t *testing.T) {
	t.Parallel()
	level := func(n uint8) badgerdb.TableManifest { return badgerdb.TableManifest{Level: n} }
	f := folderState{manifest: badgerdb.Manifest{Tables: map[uint64]badgerdb.TableManifest{
		1: level(6), 2: level(6), 3: level(6), 4: level(5), 5: level(0),
	}}}
	table := func(name string) verifiedTable { return verifiedTable{head: append([]byte(name), make([]byte, 8)...)} }
	tables := verifiedTables{1: table("a"), 2: table("m"), 3: table("x"), 4: table("b"), 5: table("a")}
	for id, want := range map[uint64][]byte{1: table("m").head, 2: table("x").head, 3: nil, 4: nil, 5: nil} {
		if got := f.keyAfter(id, tables); string(got) != string(want) {
			t.Errorf("after table %d comes %q, want %q", id, got, want)
		}
	}
}
