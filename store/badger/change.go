package badger

import (
	"encoding/json"
	"fmt"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// change is one key's new value; nil deletes it.
type change struct{ key, value []byte }

// apply makes the change in txn.
func (c change) apply(txn *badgerdb.Txn) error {
	if c.value == nil {
		return txn.Delete(c.key)
	}
	return txn.Set(c.key, c.value)
}

// changes is what a command has decided. The first thing that cannot be written is kept in err.
type changes struct {
	list []change
	err  error
}

// put writes a record as JSON.
func (c *changes) put(key []byte, record any) {
	value, err := json.Marshal(record)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("encode %s: %w", key, err)
	}
	c.list = append(c.list, change{key, value})
}

// raw writes bytes as they are.
func (c *changes) raw(key, value []byte) {
	c.list = append(c.list, change{key, value})
}

// mark writes an index entry, whose key says everything.
func (c *changes) mark(key []byte) { c.raw(key, []byte{}) }

// drop deletes a key, which need not be there.
func (c *changes) drop(key []byte) {
	c.list = append(c.list, change{key, nil})
}
