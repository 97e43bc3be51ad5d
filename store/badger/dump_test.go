package badger

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"testing/iotest"

	"munadi/store"
	"munadi/store/dump"
	"munadi/store/storetest/fixture"
)

// dumpedStore returns a store with a whole installation, and its dump.
func dumpedStore(t testing.TB) ([]byte, *BadgerStore, fixture.Installation) {
	t.Helper()
	s := openTest(t, t.TempDir(), OpenOptions{})
	filled := fixture.FillStore(t, s)
	var b bytes.Buffer
	if err := s.WriteBackup(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), s, filled
}

// TestRestoreGivesTheSame: a restored database dumps to the same bytes, indexes included, and can be used.
func TestRestoreGivesTheSame(t *testing.T) {
	t.Parallel()
	dump, source, filled := dumpedStore(t)
	dir := filepath.Join(t.TempDir(), "db")
	counts, err := RestoreDump(dir, iotest.OneByteReader(bytes.NewReader(dump)), OpenOptions{})
	if err != nil || counts["call"] < uint64(len(filled.Calls)) || counts["job-result"] != 2 {
		t.Fatalf("restored %v, %v", counts, err)
	}
	if _, err := RestoreDump(dir, bytes.NewReader(dump), OpenOptions{}); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("restored over a database: %v", err)
	}
	s := openTest(t, dir, OpenOptions{})
	var again bytes.Buffer
	if err := s.WriteBackup(t.Context(), &again); err != nil || !bytes.Equal(again.Bytes(), dump) {
		t.Errorf("the restored database dumps to %d bytes, not the same %d: %v", again.Len(), len(dump), err)
	}
	checkIndexes(t, s)
	if difference := fixture.DiffReadings(filled.ReadStore(t, source), filled.ReadStore(t, s)); difference != "" {
		t.Error(difference)
	}
	_, err = s.ReleaseCall(t.Context(), fixture.OrgID, filled.Calls["booked"], filled.Now)
	if err != nil || s.LostTransactions() != 0 {
		t.Errorf("the restored call: %v, lost %d", err, s.LostTransactions())
	}
}

// TestDamagedDump: truncations, flipped bits (a hundred each, everywhere) and a byte after the end are detected.
func TestDamagedDump(t *testing.T) {
	t.Parallel()
	dump, _, _ := dumpedStore(t)
	for i := 0; i < len(dump); i += 1 + len(dump)/100 {
		flipped := slices.Clone(dump)
		flipped[i] ^= 4
		for what, bad := range map[string][]byte{"flipped": flipped, "cut": dump[:i]} {
			if _, err := CheckDump(bytes.NewReader(bad), passRecord); store.CodeOf(err) != store.CodeCorrupt && store.CodeOf(err) != store.CodeFormat {
				t.Errorf("%s at %d: %v", what, i, err)
			}
		}
	}
	if _, err := CheckDump(bytes.NewReader(append(slices.Clone(dump), 0)), passRecord); store.CodeOf(err) != store.CodeCorrupt {
		t.Errorf("with a byte more: %v", err)
	}
	if _, err := CheckDump(iotest.ErrReader(errRefused), passRecord); !errors.Is(err, errRefused) {
		t.Errorf("unreadable: %v", err)
	}
}

// TestForeignFormats: a dump of a newer version, or of none, is refused before it is used.
func TestForeignFormats(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]store.ErrorCode{"1": "", "2": "", "3": "", "4": "", "5": "", "6": "", "7": store.CodeFormat, "x": store.CodeCorrupt, "-": store.CodeCorrupt} {
		var b bytes.Buffer
		d := dump.NewDumpWriter(&b)
		name := "format"
		if value == "-" {
			name = "other"
		}
		if err := errors.Join(d.WriteRecord([]byte(name), []byte(value)), d.WriteEnd()); err != nil {
			t.Fatal(err)
		}
		if _, err := RestoreDump(filepath.Join(t.TempDir(), "db"), bytes.NewReader(b.Bytes()), OpenOptions{}); store.CodeOf(err) != want {
			t.Errorf("format %q: %v, want code %q", value, err, want)
		}
	}
}

// TestBackupFailsWithItsWriter: an error of the writer is returned by the backup.
func TestBackupFailsWithItsWriter(t *testing.T) {
	t.Parallel()
	_, s, _ := dumpedStore(t)
	if err := s.WriteBackup(t.Context(), failingWriter{}); !errors.Is(err, errRefused) {
		t.Errorf("backed up into nothing: %v", err)
	}
}

// failingWriter is a writer whose writes fail.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errRefused }

// FuzzDump: any bytes give an error or counts, and memory use is bounded by their number.
func FuzzDump(f *testing.F) {
	whole, _, _ := dumpedStore(f)
	f.Add(whole[:len(whole)/8])
	f.Add([]byte(dump.DumpMagic + "\x06format\x012\x00\x01"))
	f.Add([]byte(dump.DumpMagic + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if counts, err := CheckDump(bytes.NewReader(content), passRecord); err == nil && counts["format"] != 1 {
			t.Errorf("a dump without a format was read: %v", counts)
		}
	})
}

// passRecord takes the records of a dump that is only checked.
func passRecord([]byte, []byte) {}
