package badger

import (
	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// keyChange is one key's new value; nil deletes it.
type keyChange struct{ key, value []byte }

// applyTo writes the change to txn.
func (c keyChange) applyTo(txn *badgerdb.Txn) error {
	if c.value == nil {
		return txn.Delete(c.key)
	}
	return txn.Set(c.key, c.value)
}

// changeSet is the write set of a command: the last value of each key. kinds are the changes to announce to watchers.
type changeSet struct {
	list  []keyChange
	at    map[string]int // index in list by key
	kinds []store.ChangeKind

	stale  staleEntries // met by queries
	urgent bool         // it ends running work or frees space, see disk_reserve.go

	auditKey [32]byte // seals the heads of the audit trail
}

// markUrgent lets the command use the disk reserve, because it ends running work or frees space.
func (c *changeSet) markUrgent() { c.urgent = true }

// putRaw writes a value without encoding it; nil deletes the key.
func (c *changeSet) putRaw(key, value []byte) {
	if i, again := c.at[string(key)]; again {
		c.list[i].value = value
		return
	}
	if c.at == nil {
		c.at, c.list = make(map[string]int, usualChanges), make([]keyChange, 0, usualChanges)
	}
	c.at[string(key)] = len(c.list)
	c.list = append(c.list, keyChange{key, value})
}

// usualChanges is room for the changes of most commands, so that it need not grow: a booking has about 25.
const usualChanges = 32

// putIndex writes an index entry, whose value is empty.
func (c *changeSet) putIndex(key []byte) { c.putRaw(key, []byte{}) }

// deleteKey deletes a key, if it exists.
func (c *changeSet) deleteKey(key []byte) { c.putRaw(key, nil) }

// noteStale notes an entry of a queue that its record contradicts.
func (c *changeSet) noteStale(key []byte) { c.stale.keys = append(c.stale.keys, key) }

// touchKind notifies the watchers of kind after the commit.
func (c *changeSet) touchKind(kind store.ChangeKind) { c.kinds = append(c.kinds, kind) }

// changedValue returns the value that this command has written for key, nil if it deleted it; false when it did not
// change it.
func (c *changeSet) changedValue(key []byte) ([]byte, bool) {
	i, changed := c.at[string(key)]
	if !changed {
		return nil, false
	}
	return c.list[i].value, true
}
