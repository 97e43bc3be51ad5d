package badger

import (
	"encoding/json"
	"fmt"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
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

// changes is what a command has decided, the last word on each key. The first thing that cannot be written is kept in
// err; kinds are for those who watch.
type changes struct {
	list  []change
	at    map[string]int // where in list a key stands
	kinds []store.Kind
	err   error

	urgent bool // it ends what has begun or makes room, see room.go
}

// urge lets the command use the disk's last reserve: it ends what has begun, or makes room.
func (c *changes) urge() { c.urgent = true }

// put writes a record as JSON.
func (c *changes) put(key []byte, record any) {
	value, err := json.Marshal(record)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("encode %s: %w", key, err)
	}
	c.raw(key, value)
}

// raw writes bytes as they are; nil deletes.
func (c *changes) raw(key, value []byte) {
	if i, again := c.at[string(key)]; again {
		c.list[i].value = value
		return
	}
	if c.at == nil {
		c.at = map[string]int{}
	}
	c.at[string(key)] = len(c.list)
	c.list = append(c.list, change{key, value})
}

// mark writes an index entry, whose key says everything.
func (c *changes) mark(key []byte) { c.raw(key, []byte{}) }

// drop deletes a key, which need not be there.
func (c *changes) drop(key []byte) { c.raw(key, nil) }

// touch wakes those who watch kind, once the change is on disk.
func (c *changes) touch(kind store.Kind) { c.kinds = append(c.kinds, kind) }

// changed is what the command itself has made of key, nil if it deleted it; false when it left it alone.
func (c *changes) changed(key []byte) ([]byte, bool) {
	i, changed := c.at[string(key)]
	if !changed {
		return nil, false
	}
	return c.list[i].value, true
}
