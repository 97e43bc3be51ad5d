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
	// GroupsCommits reports whether transactions that run at once are written to disk together (group commit), so that
	// nothing is gained by doing the work of several in one.
	GroupsCommits() bool
	// Due returns the due rows of a queue, fairly by partition, and when the first of the others in partitions with room
	// is due; zero without one. Its cost does not grow with the rows of partitions without room, nor with later ones.
	Due(ctx context.Context, q DueQuery) (due []Row, next time.Time, err error)
	// Sweep runs a batch in transactions of bounded size until it finds no more records.
	Sweep(ctx context.Context, b Batch) error
	// Find calls visit with each record of a query, in its order, until visit returns false, and is [Tx.Scan] for large
	// lists: it uses every index that a condition allows. The order must be an index of all records, or all
	// conditions be on its values. When it ends after [Query.Examine] records, examined is the place of the last one.
	// Where it discovers damage on its way it begins again, and calls begin first.
	Find(
		ctx context.Context, q Query, begin func(), visit func(Tx, Row) (more bool, err error),
	) (examined string, err error)
	// CountFound counts the records of a query of Find, up to its limit.
	CountFound(ctx context.Context, q Query) (int, error)
	// FindDamage looks for damage that explains that a record is missing; if it finds any, reading the record again gives
	// its true error.
	FindDamage(ctx context.Context, t *Table, key []string) bool
}

// DueQuery selects the due rows of a queue. Its functions must not use the store, except by the given transaction.
type DueQuery struct {
	Table *Table
	Index *Index // a queue with partitions; the part after those of the partition is the time
	Owner Owner
	Now   time.Time
	// Room returns how many rows of a partition are wanted. It is called once for each partition with rows, in order.
	Room func(tx Tx, partition []string) (int, error)
	// Limit is the maximum number of rows of a partition that are read, whatever Room returns.
	Limit int
	// Skip leaves out rows that are worked on; nil: none.
	Skip func(key []string) bool
	// Beside leaves out rows that agree in some columns with a row of an index that another appliance owns; nil: none.
	Beside *Beside
}

// Beside is an index, and the columns that are compared.
type Beside struct {
	Index   *Index
	Columns []string
}

// Batch is one transaction of a sweep.
type Batch struct {
	// Find, if any, runs before Change on committed records: long searches must not hold up other transactions, so Change
	// only checks what Find has found. It returns false to end the sweep.
	Find func(tx Tx, most int) (more bool, err error)
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
	// OwnRecord is NoLock for a record that this appliance owns; another one counts as none.
	OwnRecord
)

// Load is which records of a table are loaded, by text keys: with RowLock, always in the same order, or with NoLock,
// while another transaction may change them.
type Load struct {
	Table *Table
	Lock  Lock
	Keys  [][]string
}

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
	// TakeLane returns one of the records of an owner, whose key is the owner and one of a number of lanes: if possible of
	// a lane that no running transaction has taken. It is locked, or the transaction is undone and runs again if another
	// one has changed it.
	TakeLane(t *Table, owner string, lanes []string) (lane string, raw []byte, found bool, err error)
	// PutLane replaces the record that TakeLane has returned, in the stored form before; nil: it was locked otherwise.
	PutLane(t *Table, row Row, before []byte) error
	// Load reads records at once: Get then returns them without a query, as this transaction has changed them since.
	Load(what ...Load) error
	// LockNames keeps other transactions that lock one of the names, each of some parts, waiting until the end of this
	// one. It locks them in the same order always.
	LockNames(names ...[]string) error
	// Shared reports whether other appliances work on the same records.
	Shared() bool
	// AuditKey returns the key that seals the audit trail.
	AuditKey() [32]byte
	// CheckLease returns [store.CodeUnavailable] when this appliance has lost its lease, so that it claims no work.
	CheckLease() error
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
	// Tally counts the rows of a query by one of the parts of its order. Its conditions may only be bounds of the first
	// part that the query does not give, and of one that follows it.
	Tally(q Query, part string) (map[string]int, error)
	// Claim returns the first row of a query that this appliance may take and that no other transaction takes, of the
	// organization whose turn it is: the one that got its last turn longest ago. It is the organization's turn at now,
	// under its id in turns.
	Claim(q Query, turns *Table, now time.Time) (row Row, found bool, err error)
	// Count changes counters; see [Counts]. Scan returns them as records.
	Count(t *Table, changes []Change) error
	// Drop removes the entry of an index by which Scan found a row: its record cannot be read, or has changed since.
	Drop(q Query, row Row) error
	// Unreadable reports a record whose stored form cannot be decoded as damaged, and returns its error.
	Unreadable(t *Table, key []string, cause error) error
	// Announce wakes the watchers of a kind of change after the commit.
	Announce(kind store.ChangeKind)
	// OweCompaction notes that the transaction deletes or replaces personal data, whose bytes must leave the disk, too.
	OweCompaction()
	// MarkUrgent lets the transaction use the reserve of a full disk: it ends running work or frees space.
	MarkUrgent()
}

// RunSweep is the [Driver.Sweep] of a driver: transactions of at most a number of records, quartered when a batch does
// not fit. They may use the reserve of a full disk, since sweeps free space.
func RunSweep(ctx context.Context, d Driver, b Batch, most int) error {
	for {
		n, more := 0, true
		if b.Find != nil {
			err := d.Read(ctx, func(tx Tx) (err error) {
				more, err = b.Find(tx, most)
				return err
			})
			if err != nil || !more {
				return err
			}
		}
		err := d.Update(ctx, func(tx Tx) (err error) {
			tx.MarkUrgent()
			n, err = b.Change(tx, most)
			return err
		})
		switch {
		case store.CodeOf(err) == store.CodeTooLarge && most > 1:
			most = max(1, most/4)
		case err != nil || n == 0:
			return err
		default:
			b.Done()
		}
	}
}
