// Package badgertest opens copies of a filled database in which one record is unreadable, for tests of the packages
// that read a store.
package badgertest

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"munadi/store"
	"munadi/store/badger"
	"munadi/store/dump"
)

// FilledDump is a dump of a filled store.
type FilledDump struct {
	keys   []string
	values map[string][]byte
}

// DumpStore reads all records of a store.
func DumpStore(t *testing.T, s store.Store) FilledDump {
	t.Helper()
	f := FilledDump{values: map[string][]byte{}}
	var content bytes.Buffer
	if err := s.WriteBackup(t.Context(), &content); err != nil {
		t.Fatal(err)
	}
	_, err := dump.ReadDump(&content, func(key, value []byte) error {
		f.keys = append(f.keys, string(key))
		f.values[string(key)] = slices.Clone(value)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// SampleKeys returns the key of the last record of each kind; other values are index entries.
func (f FilledDump) SampleKeys() map[string]string {
	samples := map[string]string{}
	for _, key := range f.keys {
		if value := f.values[key]; len(value) > 0 && strings.Contains(`{["`, string(value[:1])) {
			kind, _, _ := strings.Cut(key, "/")
			samples[kind] = key
		}
	}
	return samples
}

// OpenDamaged opens a copy of the store in which the value of one key is malformed; an empty key: of none.
func (f FilledDump) OpenDamaged(t *testing.T, damaged string) *badger.BadgerStore {
	t.Helper()
	var content bytes.Buffer
	out := dump.NewDumpWriter(&content)
	for _, key := range f.keys {
		value := f.values[key]
		if key == damaged {
			value = []byte(`{"id":`)
		}
		if err := out.WriteRecord([]byte(key), value); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.WriteEnd(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := badger.RestoreDump(dir, &content, badger.OpenOptions{}); err != nil {
		t.Fatal(err)
	}
	s, err := badger.OpenStore(dir, badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
