package postgres_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"munadi/store/dump"
	"munadi/store/postgres"
	"munadi/store/postgres/postgrestest"
	"munadi/store/storetest"
	"munadi/store/storetest/fixture"
)

// TestDamageOfEveryKind: one value that is no JSON, or JSON of another type.
func TestDamageOfEveryKind(t *testing.T) {
	t.Parallel()
	cluster := postgrestest.SharedServer(t)
	filled := openStore(t, cluster.NewURL(t), "one")
	in := fixture.FillStore(t, filled)
	var backup bytes.Buffer
	if err := filled.WriteBackup(t.Context(), &backup); err != nil {
		t.Fatal(err)
	}
	records, kinds := map[string][]byte{}, postgres.RecordKinds()
	_, err := dump.ReadDump(bytes.NewReader(backup.Bytes()), func(key, value []byte) error {
		if kind, _, _ := strings.Cut(string(key), "/"); slices.Contains(kinds, kind) {
			records[string(key)] = slices.Clone(value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	write := func(t *testing.T, s *postgres.PostgresStore, key string, raw []byte) {
		t.Helper()
		if err := s.WriteRaw(t.Context(), key, raw); err != nil {
			t.Fatal(err)
		}
	}
	var broken atomic.Int32
	storetest.RunDamage(t, storetest.DamageTest{
		Kinds: kinds, Keys: slices.Collect(maps.Keys(records)), Installation: in,
		Open: func(t *testing.T) storetest.DamagedStore {
			s := openStore(t, cluster.NewURL(t), "one")
			if _, err := s.ImportDump(t.Context(), bytes.NewReader(backup.Bytes())); err != nil {
				t.Fatal(err)
			}
			return storetest.DamagedStore{
				Store: s,
				Break: func(t *testing.T, key string) {
					write(t, s, key, []byte([]string{`{"id":`, `7`}[broken.Add(1)%2]))
				},
				Mend: func(t *testing.T, key string) { write(t, s, key, records[key]) },
			}
		},
	})
}
