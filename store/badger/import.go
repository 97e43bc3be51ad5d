package badger

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/campaign"
	"munadi/store/driver"
	"munadi/store/records"
)

// indexBuilder writes the index entries and counters that a dump of another kind of database lacks.
type indexBuilder struct {
	batch *badgerdb.WriteBatch
	last  map[string]uint64 // highest number, by the counter's key
}

// entriesOf derives the index entries of a record, by kind; parts are the parts of the record's key after its kind.
var entriesOf = map[string]func(parts []string, value []byte) ([]indexEntry, error){
	kindCall: func(_ []string, value []byte) ([]indexEntry, error) {
		var r callRecord
		err := json.Unmarshal(value, &r)
		return r.indexEntries(), err
	},
	kindCampaign: func(_ []string, value []byte) ([]indexEntry, error) {
		var c campaign.Campaign
		err := json.Unmarshal(value, &c)
		return []indexEntry{{key: joinKey(kindCampaignMade, c.OrgID, encodeTime(c.CreatedAt), c.ID)}}, err
	},
	kindReceipt: func(parts []string, value []byte) ([]indexEntry, error) {
		var r store.IdempotencyReceipt
		err := json.Unmarshal(value, &r)
		return []indexEntry{{key: joinKey(kindReceiptMade, append([]string{encodeTime(r.MadeAt)}, parts...)...)}}, err
	},
}

// declaredTables are the tables of package records, by kind.
var declaredTables = func() map[string]*driver.Table {
	byKind := map[string]*driver.Table{}
	for _, t := range records.ListTables() {
		byKind[t.Kind] = t
	}
	return byKind
}()

// tableEntries returns the function that derives the index entries of a table's records.
func tableEntries(t *driver.Table) func(parts []string, value []byte) ([]indexEntry, error) {
	return func(parts []string, value []byte) ([]indexEntry, error) {
		columns, err := t.Values(value)
		if err != nil {
			return nil, err
		}
		return indexEntriesOf(t, driver.Row{Key: parts, Columns: columns, Raw: value}), nil
	}
}

// addRecord writes the index entries of a record.
func (b *indexBuilder) addRecord(key, value []byte) error {
	kind, rest, _ := strings.Cut(string(key), "/")
	parts := strings.Split(rest, "/")
	derive, found := entriesOf[kind]
	if table, declared := declaredTables[kind]; declared {
		parts = splitKey(rest, len(table.Key))
		derive, found = tableEntries(table), true
	}
	if found {
		entries, err := derive(parts, value)
		for _, entry := range entries {
			err = errors.Join(err, b.batch.Set(entry.key, append([]byte{}, entry.value...)))
		}
		if err != nil {
			return err
		}
	}
	return b.countNumber(kind, parts, value)
}

// countNumber raises the counter from which a record's ranks were taken.
func (b *indexBuilder) countNumber(kind string, parts []string, value []byte) error {
	t, declared := declaredTables[kind]
	if !declared || t.Counter == "" {
		return nil
	}
	columns, err := t.Values(value)
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
