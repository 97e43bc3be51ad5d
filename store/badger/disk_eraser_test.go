package badger

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store/call"
	"munadi/store/campaign"
)

// erasedName is in the metadata of the calls that these tests erase.
const erasedName = "Zulaykha-9731Q-bint-Qusayy"

// TestErasedBytesLeaveDisk: once the store is closed, no file holds an erased person's number or data any more. The
// written name must be there before the erasure, or the test proves nothing.
func TestErasedBytesLeaveDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	c := bookNamed(t, s, dir)
	erasePerson(t, s, c)
	closeErased(t, s, dir, c)
	if again := openTest(t, dir, OpenOptions{}); again.LostTransactions() > 0 {
		t.Errorf("%d transactions are lost", again.LostTransactions())
	}
}

// TestErasedBytesLeaveLowerLevels: the call was compacted into the lowest level long before its erasure.
func TestErasedBytesLeaveLowerLevels(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("writes 60 MB")
	}
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	c := bookNamed(t, s, dir)
	fillLevels(t, s, 60)
	erasePerson(t, s, c)
	closeErased(t, s, dir, c)
}

// TestErasedBytesLeaveDiskAfterKill: the process is killed after the erasure; the shutdown of the next one removes the
// bytes.
func TestErasedBytesLeaveDiskAfterKill(t *testing.T) {
	t.Parallel()
	s := openCalls(t, t.TempDir(), OpenOptions{}, "bakery")
	c := bookNamed(t, s, s.dir)
	erasePerson(t, s, c)
	killed := copyFolder(t, s.dir)
	closeErased(t, openTest(t, killed, OpenOptions{}), killed, c)
	if again := openTest(t, killed, OpenOptions{}); again.eraser.isPending(again.db) {
		t.Error("the next stop compacts again")
	}
}

// TestExpiredWordsLeaveDisk: the same for transcripts at the end of their retention.
func TestExpiredWordsLeaveDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	c := runningCall(t, s, "", "+966512347856")
	ended := call.CallOutcome{Status: call.NoAnswer, Messages: []call.Message{{Role: call.User, Content: erasedName}}}
	if _, err := s.FinishCall(t.Context(), "bakery", c.ID, ended, nil, testClock()); err != nil {
		t.Fatal(err)
	}
	if n, err := s.ExpireWords(t.Context(), "bakery", testClock().Add(time.Hour), 10); n != 1 || err != nil {
		t.Fatalf("%d calls expired, want 1: %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left := append(filesHolding(t, dir, erasedName), versionsHolding(t, dir, erasedName)...); len(left) > 0 {
		t.Errorf("the words are still in %v", left)
	}
}

// TestErasedBytesLeaveValueLog: the number was in a value that is too large for the tables.
func TestErasedBytesLeaveValueLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	c := bookNamed(t, s, dir)
	other := newTestCall("bakery")
	owner := campaign.Campaign{
		ID: campaign.NewID(), OrgID: "bakery", Name: "Visits", ScenarioID: "order", Status: campaign.Running, CreatedAt: testClock(),
	}
	other.CampaignID = owner.ID
	for i := range 2000 {
		owner.Skipped = append(owner.Skipped, campaign.SkippedRow{Index: i, PhoneNumber: c.PhoneNumber, Message: erasedName})
	}
	if _, err := s.CreateCampaign(t.Context(), owner, []call.Call{other}, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(filesHolding(t, dir, erasedName), func(path string) bool { return filepath.Ext(path) == ".vlog" }) {
		t.Fatal("no value log holds the name before the erasure")
	}
	erasePerson(t, s, c)
	closeErased(t, s, dir, c)
	again := openTest(t, dir, OpenOptions{})
	if kept, err := again.FindCampaign(t.Context(), "bakery", owner.ID); err != nil || len(kept.Skipped) != 2000 {
		t.Errorf("%d skipped rows are left: %v", len(kept.Skipped), err)
	}
}

// TestErasedAtItsEnd: a call that ran when its person was erased is emptied by a later process, after the compaction
// for the erasure itself.
func TestErasedAtItsEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	c := runningCall(t, s, "", "+966512347856")
	erasePerson(t, s, c)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s = openTest(t, dir, OpenOptions{}); s.eraser.isPending(s.db) {
		t.Fatal("the first compaction is still owed")
	}
	if rescued, err := s.RescueCalls(t.Context(), testClock()); err != nil || len(rescued) != 1 {
		t.Fatalf("rescued %+v, %v", rescued, err)
	}
	closeErased(t, s, dir, c)
}

// bookNamed books a call with erasedName in its metadata.
func bookNamed(t *testing.T, s *BadgerStore, dir string) call.Call {
	t.Helper()
	c := newTestCall("bakery")
	c.PhoneNumber, c.Metadata = "+966512347856", map[string]string{"person": erasedName}
	c.NameVariable, c.Variables = "name", map[string]any{"name": erasedName}
	if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	if len(filesHolding(t, dir, erasedName)) == 0 {
		t.Fatal("no file holds the name before the erasure")
	}
	return c
}

// fillLevels writes megabytes of values that cannot be compressed, among the other keys.
func fillLevels(t *testing.T, s *BadgerStore, megabytes int) {
	t.Helper()
	random := rand.NewChaCha8([32]byte{})
	for range megabytes {
		err := s.db.Update(func(txn *badgerdb.Txn) error {
			for range 1000 {
				key, value := make([]byte, 8), make([]byte, 1000)
				_, _ = random.Read(key)
				_, _ = random.Read(value)
				if err := txn.Set([]byte(string('a'+rune(key[0]%26))+hex.EncodeToString(key)), value); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func erasePerson(t *testing.T, s *BadgerStore, c call.Call) {
	t.Helper()
	if _, err := s.ErasePerson(t.Context(), "bakery", c.PhoneNumber, "key:x", testClock()); err != nil {
		t.Fatal(err)
	}
}

// closeErased closes the store and searches its files for the erased call's data.
func closeErased(t *testing.T, s *BadgerStore, dir string, c call.Call) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	reversed := []byte(c.PhoneNumber)
	slices.Reverse(reversed)
	for _, text := range append(call.NameWords(erasedName), erasedName, c.PhoneNumber[1:], string(reversed)) {
		if left := filesHolding(t, dir, text); len(left) > 0 {
			t.Errorf("%q is still in %v", text, left)
		}
		if left := versionsHolding(t, dir, text); len(left) > 0 {
			t.Errorf("%q is still in versions of %q", text, left)
		}
	}
}

// versionsHolding returns the keys of which a stored version, even a deleted or replaced one, contains text: the tables
// are compressed, so their files do not show it.
func versionsHolding(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	db, err := badgerdb.Open(badgerOptions(dir, OpenOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(func(txn *badgerdb.Txn) error {
		opt := badgerdb.DefaultIteratorOptions
		opt.AllVersions = true
		it := txn.NewIterator(opt)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			value, err := it.Item().ValueCopy(nil)
			if err != nil {
				return err
			}
			if bytes.Contains(it.Item().Key(), []byte(text)) || bytes.Contains(value, []byte(text)) {
				found = append(found, string(it.Item().Key()))
			}
		}
		return nil
	})
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return found
}

// filesHolding returns the files below dir that contain text.
func filesHolding(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // a compaction removed it
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
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
