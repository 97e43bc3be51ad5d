package driver

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"munadi/store/record"
)

// Table declares how records of one kind are stored and found.
type Table struct {
	// Kind is the first part of a record's key, and the kind of the record in dumps.
	Kind string
	// Name is the table's name in SQL.
	Name string
	// Key names the parts of a key after the kind, which are columns in SQL. Without parts there is one record, a row of
	// the table of settings.
	Key []string
	// Columns names the values by which records are found besides their key: columns in SQL.
	Columns []string
	// Numbers names the key's parts and columns that are numbers: ranks, and times in Unix nanoseconds. In a key they are
	// encoded by [record.EncodeRank].
	Numbers []string
	// Values derives the columns from a record's stored form: text, []byte, int64 (a time in Unix nanoseconds, or a
	// number), bool, or nil for none.
	Values func(raw []byte) ([]any, error)
	// NewRecord returns a pointer to an empty record.
	NewRecord func() any
	// Indexes are the orders, other than by key, in which records are found.
	Indexes []*Index
	// Owned means that records have an owner: the appliance that added the record, or the one that took it over.
	Owned bool
	// SharedBy is the column, if any, that says whether an appliance that shares uploads may take a record of another.
	SharedBy string
	// Counter is the kind of the counters of ranks, one for each owner; empty for records without ranks.
	Counter string
	// Ranked are the key's parts and columns that hold ranks of the counter.
	Ranked []string
}

// Index is an order in which records are found: an index of the embedded database, and of SQL by the same columns.
type Index struct {
	// Kind is the first part of an entry's key in the embedded database.
	Kind string
	// Parts names the key's parts and columns that an entry's key is made of. A record with nil in one has no entry.
	Parts []string
	// Value names the parts of the record's key that are the entry's value, where Parts does not hold them.
	Value []string
	// Only is a condition of the records that have an entry; nil: all.
	Only *Condition
	// Unique means that an entry's key belongs to one record.
	Unique bool
	// Partition is the number of leading parts that form a partition of a queue, for [Driver.Due]; 0: it has none.
	Partition int
	// Queue means that the index is a queue of work: an entry that its record contradicts, left over from damage, is
	// passed over and removed.
	Queue bool
}

// Row is a record: its key, its columns, its stored form.
type Row struct {
	Key     []string
	Columns []any
	Raw     []byte
	// Place is the position in the query's order, of a row that [Tx.Scan] found.
	Place string
	// Err is the error of a record that cannot be read; then only Key and Place are set.
	Err error
}

// Column returns the value of a key's part or column of a row.
func (t *Table) Column(row Row, name string) any {
	if i := slices.Index(t.Key, name); i >= 0 {
		return row.Key[i]
	}
	return row.Columns[slices.Index(t.Columns, name)]
}

// Query selects records of a table.
type Query struct {
	Table *Table
	// Index is the order of the records; nil: by key.
	Index *Index
	// Equal are the values of the order's first parts; records with others are left out.
	Equal []any
	// Where are further conditions; without an index for them the cost is that of all records.
	Where []Condition
	// After is the place behind which the query begins, in its direction; empty: at its beginning.
	After string
	// Latest is the direction: from the end of the order.
	Latest bool
	// Limit is the maximum number of rows; 0: no limit.
	Limit int
	// Lock keeps other transactions from changing the records until the end of this one.
	Lock bool
	// SkipLocked leaves out the records that another transaction has locked.
	SkipLocked bool
	// Owner leaves out the records of other owners.
	Owner Owner
}

// Owner is whose records a query selects, where several appliances share a database.
type Owner int

// The owners.
const (
	AnyOwner  Owner = iota
	ThisOwner       // this appliance
	DeadOwner       // appliances that have lost their lease
)

// Condition is a condition on a column: its value is Value, or with AtMost an int64 up to Value.
type Condition struct {
	Column string
	Value  any
	AtMost bool
}

// Has reports whether an index has an entry of a row: its condition holds, and no part of the entry's key is nil.
func (i *Index) Has(t *Table, row Row) bool {
	if i.Only != nil && !i.Only.Holds(t, row) {
		return false
	}
	return !slices.ContainsFunc(i.Parts, func(name string) bool { return t.Column(row, name) == nil })
}

// Holds reports whether a row fulfils a condition.
func (c Condition) Holds(t *Table, row Row) bool {
	value := t.Column(row, c.Column)
	if !c.AtMost {
		return value == c.Value
	}
	n, is := value.(int64)
	return is && n <= c.Value.(int64)
}

// EncodePart encodes a value of a column as a part of a key, so that lexical order is the order of the values.
func EncodePart(column any) string {
	switch value := column.(type) {
	case string:
		return value
	case []byte:
		return hex.EncodeToString(value)
	case int64:
		return record.EncodeRank(uint64(max(value, 0)))
	default:
		return fmt.Sprint(value)
	}
}

// DecodePart is the inverse of [EncodePart] for key parts and columns that are texts or numbers; false for a malformed
// number.
func (t *Table) DecodePart(name, part string) (any, bool) {
	if !slices.Contains(t.Numbers, name) {
		return part, true
	}
	n, err := strconv.ParseInt(part, 16, 64)
	return n, err == nil && len(part) == len(record.EncodeRank(0))
}

// Parts returns the names of the parts of a query's order.
func (q Query) Parts() []string {
	if q.Index == nil {
		return q.Table.Key
	}
	return q.Index.Parts
}
