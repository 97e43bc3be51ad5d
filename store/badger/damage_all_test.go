package badger

import (
	"maps"
	"slices"
	"strings"
	"testing"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/y"

	"munadi/store/records"
	"munadi/store/storetest"
	"munadi/store/storetest/fixture"
)

// filledCopies opens copies of one filled store.
type filledCopies struct {
	dir    string
	values map[string][]byte // of all keys
	in     fixture.Installation
}

func fillCopies(t *testing.T) filledCopies {
	t.Helper()
	f := filledCopies{dir: t.TempDir(), values: map[string][]byte{}}
	s := openTest(t, f.dir, OpenOptions{})
	f.in = fixture.FillStore(t, s)
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		return eachValue(v, nil, "", func(key string, value []byte) (bool, error) {
			f.values[key] = slices.Clone(value)
			return true, nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return f
}

// writeKey writes the value of a key past the store's methods; nil deletes it.
func (s *BadgerStore) writeKey(t *testing.T, key string, value []byte) {
	t.Helper()
	err := s.db.Update(func(txn *badgerdb.Txn) error { return keyChange{[]byte(key), value}.applyTo(txn) })
	if err != nil {
		t.Fatal(err)
	}
	err = s.readSnapshot(t.Context(), func(v snapshotView) error { s.watermarks.resetWatermarks(v); return nil })
	if err != nil {
		t.Fatal(err)
	}
}

// TestDamageOfEveryKind: one malformed value.
func TestDamageOfEveryKind(t *testing.T) {
	t.Parallel()
	f := fillCopies(t)
	var keys []string
	for key, value := range f.values {
		if isJSON(value) {
			keys = append(keys, key)
		}
	}
	storetest.RunDamage(t, storetest.DamageTest{Keys: keys, Installation: f.in, Open: func(t *testing.T) storetest.DamagedStore {
		s := openTest(t, copyToMemory(t, f.dir), OpenOptions{})
		return storetest.DamagedStore{
			Store: s,
			Break: func(t *testing.T, key string) { s.writeKey(t, key, []byte(`{"id":`)) },
			Mend:  func(t *testing.T, key string) { s.writeKey(t, key, f.values[key]) },
		}
	}})
}

// isJSON reports whether a value is a record: other values are texts, numbers in binary, or empty.
func isJSON(value []byte) bool { return len(value) > 0 && strings.Contains(`{["`, string(value[:1])) }

// TestLossOfEveryKind: the block of one key is lost, of a record or of an index entry.
func TestLossOfEveryKind(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	f := fillCopies(t)
	var keys []string
	for key := range f.values {
		if !slices.Contains([]string{string(formatKey), string(commitsKey), string(jobsListedKey)}, key) {
			keys = append(keys, key)
		}
	}
	storetest.RunDamage(t, storetest.DamageTest{
		Kinds: declaredKinds(), Keys: keys, Installation: f.in, Open: func(t *testing.T) storetest.DamagedStore {
			s := openTest(t, copyToMemory(t, f.dir), OpenOptions{})
			lost := map[string]lostRange{}
			return storetest.DamagedStore{
				Store: s,
				Break: func(t *testing.T, key string) {
					s.writeKey(t, key, nil)
					next := y.KeyWithTs([]byte(key+"\x00"), s.db.MaxVersion())
					lost[key] = lostRange{
						table: "lost", from: y.KeyWithTs([]byte(key), s.db.MaxVersion()), to: next, version: s.db.MaxVersion(),
					}
					s.unreadable.setDamage(slices.Collect(maps.Values(lost)))
				},
				Mend: func(t *testing.T, key string) {
					delete(lost, key)
					s.unreadable.setDamage(slices.Collect(maps.Values(lost)))
					s.writeKey(t, key, f.values[key])
				},
			}
		},
	})
}

// declaredKinds returns the kinds of keys: records, index entries, counters.
func declaredKinds() (kinds []string) {
	for _, t := range records.ListTables() {
		kinds = append(kinds, t.Kind)
		for _, index := range t.Indexes {
			kinds = append(kinds, index.Kind)
		}
		if t.Counter != "" {
			kinds = append(kinds, t.Counter)
		}
	}
	return append(kinds, "job-served")
}
