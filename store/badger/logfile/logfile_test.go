package logfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store/badger/logfile"
)

const values = 4

// writeLogs returns the write-ahead log and the value log of a database with large values, written by Badger. The last
// transaction of the write-ahead log is cut off.
func writeLogs(t testing.TB, key []byte) (ahead, value []byte, keys logfile.KeySource) {
	t.Helper()
	dir := t.TempDir()
	db, err := badgerdb.Open(badgerdb.DefaultOptions(dir).WithLogger(nil).WithValueThreshold(1 << 10).WithMemTableSize(1 << 20).
		WithValueLogFileSize(1 << 20).WithEncryptionKey(key).WithIndexCacheSize(1 << 20))
	if err != nil {
		t.Fatal(err)
	}
	for i := range values {
		err := db.Update(func(txn *badgerdb.Txn) error {
			small := txn.Set(fmt.Appendf(nil, "small/%d", i), []byte("x"))
			return errors.Join(small, txn.Set(fmt.Appendf(nil, "large/%d", i), bytes.Repeat([]byte{byte('a' + i)}, 4000)))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	ahead, err = os.ReadFile(filepath.Join(dir, "00001.mem"))
	value, err2 := os.ReadFile(filepath.Join(dir, "000001.vlog"))
	if err := errors.Join(err, err2, db.Close()); err != nil {
		t.Fatal(err)
	}
	ahead = bytes.TrimRight(ahead, "\x00")
	registry, err := badgerdb.OpenKeyRegistry(badgerdb.KeyRegistryOptions{Dir: dir, ReadOnly: true, EncryptionKey: key})
	if err != nil {
		t.Fatal(err)
	}
	return ahead[:len(ahead)-1], value, func(number uint64) ([]byte, error) {
		k, err := registry.DataKey(number)
		if err != nil || k == nil {
			return nil, err
		}
		return k.Data, nil
	}
}

// TestLogs: the pointers of complete transactions are found, and each flipped bit of their values.
func TestLogs(t *testing.T) {
	t.Parallel()
	for name, key := range map[string][]byte{"plain": nil, "encrypted": []byte(strings.Repeat("k", 32))} {
		ahead, value, keys := writeLogs(t, key)
		log, err := logfile.OpenLog(bytes.NewReader(ahead), keys)
		if err != nil {
			t.Fatal(name, err)
		}
		pointers := log.ReadPointers()
		if len(pointers) != values-1 {
			t.Fatalf("%s: %d pointers", name, len(pointers))
		}
		first := pointers[0]
		if string(first.Key[:7]) != "large/0" || first.File != 1 || first.Offset != logfile.HeaderSize {
			t.Errorf("%s: %+v", name, first)
		}
		whole, err := logfile.OpenLog(bytes.NewReader(value), keys)
		if err != nil {
			t.Fatal(name, err)
		}
		if end := whole.IntactEnd(); end != uint64(first.Offset)+uint64(values)*uint64(first.Length) {
			t.Errorf("%s: intact up to %d", name, end)
		}
		for _, p := range pointers {
			if err := whole.VerifyValue(p); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		wrong := first
		wrong.Key = pointers[1].Key
		if whole.VerifyValue(wrong) == nil {
			t.Errorf("%s: the value of another key is accepted", name)
		}
		for at := int(first.Offset) * 8; at < int(first.Offset+first.Length)*8; at += 97 {
			damaged := bytes.Clone(value)
			damaged[at/8] ^= 1 << (at % 8)
			log, err := logfile.OpenLog(bytes.NewReader(damaged), keys)
			if err != nil || log.VerifyValue(first) == nil || log.IntactEnd() != logfile.HeaderSize {
				t.Errorf("%s: bit %d was flipped, and nothing notices: %v", name, at, err)
			}
		}
	}
}

// FuzzLog: no bytes cause a panic.
func FuzzLog(f *testing.F) {
	ahead, value, _ := writeLogs(f, nil)
	f.Add(ahead, false)
	f.Add(value[:20_000], true)
	f.Fuzz(func(_ *testing.T, content []byte, encrypted bool) {
		log, err := logfile.OpenLog(bytes.NewReader(content), func(uint64) ([]byte, error) {
			if encrypted {
				return bytes.Repeat([]byte("k"), 32), nil
			}
			return nil, nil
		})
		if err != nil {
			return
		}
		log.IntactEnd()
		for _, p := range log.ReadPointers() {
			_ = log.VerifyValue(p)
		}
		_ = log.VerifyValue(logfile.ValuePointer{Offset: uint32(len(content)), Length: 1 << 31})
	})
}
