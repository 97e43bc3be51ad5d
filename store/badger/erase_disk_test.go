package badger

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestErasedBytesLeaveDisk: once the store is closed, no file holds an erased person's number or data any more. The
// written name must be there before the erasure, or the test proves nothing.
func TestErasedBytesLeaveDisk(t *testing.T) {
	t.Parallel()
	const name = "Zulaykha-9731Q-bint-Qusayy"
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	c := newTestCall("bakery")
	c.PhoneNumber, c.Metadata = "+966512347856", map[string]string{"person": name}
	if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	if len(filesHolding(t, dir, name)) == 0 {
		t.Fatal("no file holds the name before the erasure")
	}
	if _, err := s.ErasePerson(t.Context(), "bakery", c.PhoneNumber, "key:x", testClock()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{name, c.PhoneNumber[1:], reverseDigits(c.PhoneNumber)} {
		if left := filesHolding(t, dir, text); len(left) > 0 {
			t.Errorf("%q is still in %v", text, left)
		}
	}
	if again := openTest(t, dir, OpenOptions{}); again.LostTransactions() > 0 {
		t.Errorf("%d transactions are lost", again.LostTransactions())
	}
}

// filesHolding returns the files below dir that contain text.
func filesHolding(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(text)) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
