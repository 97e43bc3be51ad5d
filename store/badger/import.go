package badger

import (
	"errors"
	"strconv"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store/driver"
	"munadi/store/records"
)

// indexBuilder writes the index entries and counters that a dump of another kind of database lacks.
type indexBuilder struct {
	batch *badgerdb.WriteBatch
	last  map[string]uint64 // highest number, by the counter's key
}

// declaredTables are the tables of package records, by kind.
var declaredTables = func() map[string]*driver.Table {
	byKind := map[string]*driver.Table{}
	for _, t := range records.ListTables() {
		byKind[t.Kind] = t
	}
	return byKind
}()

// tableEntries derives the index entries of a record of a table; key are the parts of its key after its kind.
func tableEntries(t *driver.Table, key []string, raw []byte) ([]indexEntry, error) {
	_, columns, err := t.Decode(raw)
	if err != nil {
		return nil, err
	}
	return indexEntriesOf(t, driver.Row{Key: key, Columns: columns, Raw: raw}), nil
}

// addRecord writes the index entries of a record.
func (b *indexBuilder) addRecord(key, value []byte) error {
	kind, rest, _ := strings.Cut(string(key), "/")
	t, declared := declaredTables[kind]
	if !declared {
		return nil
	}
	parts := splitKey(rest, len(t.Key))
	entries, err := tableEntries(t, parts, value)
	for _, entry := range entries {
		err = errors.Join(err, b.batch.Set(entry.key, append([]byte{}, entry.value...)))
	}
	if err != nil || t.Counter == "" {
		return err
	}
	return b.countNumber(t, parts, value)
}

// countNumber raises the counter from which a record's ranks were taken.
func (b *indexBuilder) countNumber(t *driver.Table, parts []string, value []byte) error {
	_, columns, err := t.Decode(value)
	row := driver.Row{Key: parts, Columns: columns}
	owner := parts[:1]
	if last := len(t.Key) - 1; t.Key[last] == t.Ranked[0] {
		owner = parts[:last]
	}
	counter := string(joinKey(t.Counter, owner...))
	for _, name := range t.Ranked {
		n, invalid := strconv.ParseUint(driver.EncodePart(t.Column(row, name)), 16, 64)
		err = errors.Join(err, invalid)
		b.last[counter] = max(b.last[counter], n)
	}
	return err
}

// writeEnd writes the counters and the marker that the database is complete and of this version's format.
func (b *indexBuilder) writeEnd() error {
	err := errors.Join(b.batch.Set(jobsListedKey, []byte{}), b.batch.Set(formatKey, []byte(strconv.Itoa(format))))
	for counter, n := range b.last {
		err = errors.Join(err, b.batch.Set([]byte(counter), encodeCounter(n)))
	}
	return err
}
