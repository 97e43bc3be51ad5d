package badger

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/shm"
)

// TestLostTransactionsAreNoticed truncates acknowledged transactions from the end of the log, as a damaged disk might:
// Badger opens it without an error, and the marker file reveals the loss.
func TestLostTransactionsAreNoticed(t *testing.T) {
	t.Parallel()
	s := openCalls(t, t.TempDir(), OpenOptions{}, "bakery")
	first, last := newTestCall("bakery"), newTestCall("bakery")
	if _, err := s.BookCall(t.Context(), first, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	whole := len(readLog(t, s.db.Opts().Dir))
	if _, err := s.BookCall(t.Context(), last, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		damage func([]byte)
		lost   uint64
	}{
		"whole":   {func([]byte) {}, 0},
		"damaged": {func(log []byte) { log[whole+20] ^= 1 }, 1},
	} {
		dir := copyFolder(t, s.db.Opts().Dir)
		path := logPath(t, dir)
		log, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c.damage(log)
		if err := os.WriteFile(path, log, 0o600); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		again := openTest(t, dir, OpenOptions{Logger: slog.New(slog.NewTextHandler(&said, nil))})
		if again.LostTransactions() != c.lost || strings.Contains(said.String(), "transactions=1") != (c.lost > 0) {
			t.Errorf("%s: %d lost transactions are reported, the log has %q", name, again.LostTransactions(), &said)
		}
		_, err = again.FindCall(t.Context(), "bakery", last.ID)
		if got := store.CodeOf(err); (got == store.CodeNotFound) != (c.lost > 0) {
			t.Errorf("%s: the last call: %v", name, err)
		}
		if _, err := again.FindCall(t.Context(), "bakery", first.ID); err != nil {
			t.Errorf("%s: the first call: %v", name, err)
		}
	}
}

// logPath returns the path of the current memory table's log.
func logPath(t *testing.T, dir string) string {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(dir, "*.mem"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("logs %v, %v", logs, err)
	}
	slices.Sort(logs)
	return logs[len(logs)-1]
}

// readLog returns the log's content without the preallocated zeros.
func readLog(t *testing.T, dir string) []byte {
	t.Helper()
	log, err := os.ReadFile(logPath(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.TrimRight(log, "\x00")
}

// copyFolder copies a database's folder in the state after a crash.
func copyFolder(t *testing.T, dir string) string {
	t.Helper()
	return copyTo(t, dir, t.TempDir())
}

// copyToMemory is [copyFolder] to memory where there is room, for tests that open hundreds of copies.
func copyToMemory(t *testing.T, dir string) string {
	t.Helper()
	to, err := os.MkdirTemp(shm.FindFolder(), "munadi-badger")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(to) })
	return copyTo(t, dir, to)
}

func copyTo(t *testing.T, dir, to string) string {
	t.Helper()
	// Logs are mostly holes, which stay holes.
	if said, err := exec.Command("cp", "-r", "--sparse=always", dir+"/.", to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return to
}

// TestMark: a torn or malformed marker counts as none.
func TestMark(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m, number, err := openMarker(dir)
	if err != nil || number != 0 {
		t.Fatal(number, err)
	}
	m.writeNumber(1 << 40)
	m.writeNumber(7)
	m.writeNumber(0)
	m.closeFile()
	if _, number, err = openMarker(dir); err != nil || number != 7 {
		t.Fatalf("read back %d, %v", number, err)
	}
	content, err := os.ReadFile(filepath.Join(dir, markFile))
	if err != nil {
		t.Fatal(err)
	}
	for i := range content[:len(content)-1] {
		torn := slices.Clone(content)
		torn[i] ^= 1
		if n := parseMarker(torn); n != 0 {
			t.Errorf("a marker with a changed byte %d is read as %d", i, n)
		}
		if n := parseMarker(content[:i]); n != 0 {
			t.Errorf("%d bytes of a mark say %d", i, n)
		}
	}
}

// TestKeyFile: a database opens with its key, is refused with another or none, and nothing on disk is readable.
func TestKeyFile(t *testing.T) {
	t.Parallel()
	keys := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(keys, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	raw := write("raw", strings.Repeat("k", 32))
	same := write("hex", " "+strings.Repeat("6b", 32)+"\n")
	other := write("other", strings.Repeat("x", 32))
	encrypted, open := t.TempDir(), t.TempDir()
	for dir, key := range map[string]string{encrypted: raw, open: ""} {
		s, err := OpenStore(dir, OpenOptions{KeyFile: key})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CreateOrganization(t.Context(), account.Organization{ID: "cafe", Name: "قهوة سادة"}, "test"); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if found := holdsText(t, dir, "قهوة سادة"); found != (key == "") {
			t.Errorf("with key %q the text can be read on disk: %v", key, found)
		}
	}
	for _, c := range []struct {
		dir, key string
		want     store.ErrorCode
	}{
		{encrypted, raw, ""},
		{encrypted, same, ""},
		{encrypted, other, store.CodeKey},
		{encrypted, "", store.CodeKey},
		{open, raw, store.CodeKey},
		{open, "", ""},
		{encrypted, write("short", "abc"), store.CodeKey},
		{encrypted, write("long", strings.Repeat("6b", 33)), store.CodeKey},
		{encrypted, filepath.Join(keys, "none"), store.CodeInternal},
	} {
		s, err := OpenStore(c.dir, OpenOptions{KeyFile: c.key})
		if store.CodeOf(err) != c.want {
			t.Errorf("with key %s: %v, want code %q", c.key, err, c.want)
		}
		if err == nil {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// holdsText reports whether a file in dir contains text unencrypted.
func holdsText(t *testing.T, dir, text string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, []byte(text)) {
			return true
		}
	}
	return false
}
