package badger

import (
	"encoding/json"
	"fmt"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// keyChange is one key's new value; nil deletes it.
type keyChange struct{ key, value []byte }

// applyTo makes the change in txn.
func (c keyChange) applyTo(txn *badgerdb.Txn) error {
	if c.value == nil {
		return txn.Delete(c.key)
	}
	return txn.Set(c.key, c.value)
}

// changeSet is what a command has decided, the last word on each key. The first thing that cannot be written is kept in
// err; kinds are for those who watch.
type changeSet struct {
	list  []keyChange
	at    map[string]int // where in list a key stands
	kinds []store.ChangeKind
	err   error

	urgent bool // it ends what has begun or makes room, see room.go
}

// markUrgent lets the command use the disk's last reserve: it ends what has begun, or makes room.
func (c *changeSet) markUrgent() { c.urgent = true }

// putRecord writes a record as JSON.
func (c *changeSet) putRecord(key []byte, record any) {
	value, err := json.Marshal(record)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("encode %s: %w", key, err)
	}
	c.putRaw(key, value)
}

// putRaw writes bytes as they are; nil deletes.
func (c *changeSet) putRaw(key, value []byte) {
	if i, again := c.at[string(key)]; again {
		c.list[i].value = value
		return
	}
	if c.at == nil {
		c.at = map[string]int{}
	}
	c.at[string(key)] = len(c.list)
	c.list = append(c.list, keyChange{key, value})
}

// putIndex writes an index entry, whose key says everything.
func (c *changeSet) putIndex(key []byte) { c.putRaw(key, []byte{}) }

// deleteKey deletes a key, which need not be there.
func (c *changeSet) deleteKey(key []byte) { c.putRaw(key, nil) }

// touchKind wakes those who watch kind, once the change is on disk.
func (c *changeSet) touchKind(kind store.ChangeKind) { c.kinds = append(c.kinds, kind) }

// changedValue is what the command itself has made of key, nil if it deleted it; false when it left it alone.
func (c *changeSet) changedValue(key []byte) ([]byte, bool) {
	i, changed := c.at[string(key)]
	if !changed {
		return nil, false
	}
	return c.list[i].value, true
}
