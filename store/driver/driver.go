// Package driver is what the store's methods, written once in package records, need of a database: transactions,
// records by key, queries by index, batches. A driver knows how its database locks, orders and recovers, and nothing
// about any kind of record beyond its [Table].
//
// Keys are texts, the same in every database and in dumps: ids, and times and ranks as [record.EncodeTime] and
// [record.EncodeRank] encode them. A record that is there and cannot be read is never reported as missing: its error is
// [store.CodeCorrupt].
package driver

import (
	"context"
	"time"

	"munadi/store"
)

// Driver is an open database.
type Driver interface {
	// Read runs f on committed records; f changes nothing.
	Read(ctx context.Context, f func(Tx) error) error
	// Update runs f in one transaction, which is durable when Update returns nil, and undone when f returns an error. f
	// runs again where a concurrent transaction undid it: it must assign its results, never append to them.
	Update(ctx context.Context, f func(Tx) error) error
	// Due returns the due rows of a queue, fairly by partition, and when the first of the others in partitions with room
	// is due; zero without one. Its cost does not grow with the rows of partitions without room, nor with later ones.
	Due(ctx context.Context, q DueQuery) (due []Row, next time.Time, err error)
	// Sweep runs a batch in transactions of bounded size until it finds no more records.
	Sweep(ctx context.Context, b Batch) error
}

// DueQuery selects the due rows of a queue. Its functions must not use the store.
type DueQuery struct {
	Table *Table
	Index *Index // a queue with partitions; the part after those of the partition is the time
	Owner Owner
	Now   time.Time
	// Room returns how many rows of a partition are wanted. It is called once for each partition with rows, in order.
	Room func(partition []string) int
	// Skip leaves out rows that are worked on; nil: none.
	Skip func(key []string) bool
}

// Batch is one transaction of a sweep.
type Batch struct {
	// Change finds at most the given number of records, changes them such that it does not find them again, and returns
	// how many it found.
	Change func(tx Tx, most int) (int, error)
	// Done is called after the commit.
	Done func()
}

// Lock is how a record is read.
type Lock int

// The locks.
const (
	NoLock  Lock = iota
	RowLock      // no other transaction changes the record until the end of this one
	// OwnLock is RowLock for a record that this appliance owns, [store.CodeConflict] for one of another appliance: an
	// appliance that was declared dead must not change what was taken over since.
	OwnLock
)

// Tx is a transaction. Get sees its own writes; Scan need not see them.
type Tx interface {
	// Get returns the stored form of a record; false without one.
	Get(t *Table, key []string, lock Lock) (raw []byte, found bool, err error)
	// Insert adds a record; false if its key, or its key in a unique index, is in use.
	Insert(t *Table, row Row) (added bool, err error)
	// Put writes a record, and its index entries in place of those of before, the record that it replaces; nil if it
	// replaces none, or one with the same entries.
	Put(t *Table, before *Row, row Row) error
	// Delete removes a record and its index entries.
	Delete(t *Table, row Row) error
	// LockName keeps other transactions that lock the name waiting until the end of this one.
	LockName(parts ...string) error
	// Own makes this appliance the owner of a record.
	Own(t *Table, key []string) error
	// Append adds a record under the next rank of its owner, the key without the rank.
	Append(t *Table, owner []string, raw []byte) error
	// NextRank returns the next rank of an owner, for a record that holds its rank.
	NextRank(t *Table, owner []string) (uint64, error)
	// EndCounter forgets the last rank of an owner that is deleted.
	EndCounter(t *Table, owner []string) error
	// Scan calls visit with each record of a query, in its order, until visit returns false. A record that cannot be read
	// is a row with an error.
	Scan(q Query, visit func(Row) (more bool, err error)) error
	// Tally counts the rows of a query by one of the parts of its order.
	Tally(q Query, part string) (map[string]int, error)
	// Claim returns the first row of a query that this appliance may take and that no other transaction takes, of the
	// organization whose turn it is: the one that got its last turn longest ago. It is the organization's turn at now,
	// under its id in turns.
	Claim(q Query, turns *Table, now time.Time) (row Row, found bool, err error)
	// Unreadable reports a record whose stored form cannot be decoded as damaged, and returns its error.
	Unreadable(t *Table, key []string, cause error) error
	// Announce wakes the watchers of a kind of change after the commit.
	Announce(kind store.ChangeKind)
	// OweCompaction notes that the transaction deletes or replaces personal data, whose bytes must leave the disk, too.
	OweCompaction()
	// MarkUrgent lets the transaction use the reserve of a full disk: it ends running work or frees space.
	MarkUrgent()
}
