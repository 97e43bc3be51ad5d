package driver

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
	// Newest is a further column of the key in SQL, where several rows of a key may be left over: the one with the
	// highest value counts, and the others get its record. In the embedded database index entries are left over.
	Newest string
	// RandomKey means that a new record has a random key, which cannot be that of a record lost to damage.
	RandomKey bool
	// Decode decodes a record's stored form and derives its columns: text, []byte, int64 (a time in Unix nanoseconds, or
	// a number), bool, []Pair, []string, or nil for none.
	Decode func(raw []byte) (record any, columns []any, err error)
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
	// Counts makes a record a set of counters, changed by [Tx.Count]; nil for other records. The last part of such a key
	// but one is a time, or [Total].
	Counts *Counts

	places map[string]int // of key parts and columns, by name; see [Table.Prepare]
}

// Counts is how the counters under a key form a record of the embedded database and of dumps.
type Counts struct {
	// Apply changes a record, nil for none; the result is nil when no counter is left.
	Apply func(raw []byte, changes []Change) ([]byte, error)
	// Collect returns the record of counters.
	Collect func(counters []Change) ([]byte, error)
	// List returns the counters of a record.
	List func(raw []byte) ([]Change, error)
}

// Change is a change of a counter, or a counter and its value.
type Change struct {
	Key               []string
	What, Name, Value string
	By                int64
}

// EachKey calls f with the changes of each key, which stand one after another, until f returns false.
func EachKey(changes []Change, f func(key []string, some []Change) (more bool, err error)) error {
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && slices.Equal(changes[n].Key, changes[0].Key) {
			n++
		}
		if more, err := f(changes[0].Key, changes[:n]); err != nil || !more {
			return err
		}
		changes = changes[n:]
	}
	return nil
}

// Total stands for the time in the key of counters of all time; it sorts after every time.
const Total = "total"

// Pair is a named value. An index has an entry for each pair of a column of pairs, and for each text of one of texts,
// which hold no '/'.
type Pair struct{ Name, Value string }

// Index is an order in which records are found: an index of the embedded database, and of SQL by the same columns.
type Index struct {
	// Kind is the first part of an entry's key in the embedded database.
	Kind string
	// Parts names the key's parts and columns that an entry's key is made of. A record without a value in one has no
	// entry: nil, an empty text, no pairs.
	Parts []string
	// Value names the key's parts and columns that are the entry's value: the parts of the key that Parts does not hold,
	// or what [Driver.Find] compares without reading the record.
	Value []string
	// Only are the conditions of the records that have an entry.
	Only []Condition
	// Reversed is the part whose text is stored in reverse in the embedded database, to be found by its end.
	Reversed string
	// Droppable means that sweeps take a record that cannot be read out of the index, by [Tx.Drop].
	Droppable bool
	// Dropped is what a column then gets in SQL; nil: the row is deleted.
	Dropped *Condition
	// Unique means that an entry's key belongs to one record.
	Unique bool
	// Partition is the number of leading parts that form a partition of a queue, for [Driver.Due]; 0: it has none.
	Partition int
	// Queue means that the index is a queue of work: an entry that its record contradicts, left over from damage, is
	// passed over and removed.
	Queue bool

	parts, values []int // places of Parts and Value; see [Table.Prepare]
}

// Row is a record: its key, its columns, its stored form.
type Row struct {
	Key     []string
	Columns []any
	Raw     []byte
	// Record is the decoded record, if the driver has decoded it.
	Record any
	// With is the stored form of the record of the same key in [Query.With]; nil without one.
	With []byte
	// Place is the position in the query's order, of a row that [Tx.Scan] found.
	Place string
	// Err is the error of a record that cannot be read; then only Key and Place are set.
	Err error
}

// Prepare completes a table before its use.
func (t *Table) Prepare() {
	t.places = map[string]int{}
	for i, name := range t.Key {
		t.places[name] = i
	}
	for i, name := range t.Columns {
		t.places[name] = len(t.Key) + i
	}
	for _, index := range t.Indexes {
		index.parts, index.values = t.placesOf(index.Parts), t.placesOf(index.Value)
	}
}

// placesOf returns the places of key parts and columns.
func (t *Table) placesOf(names []string) (places []int) {
	for _, name := range names {
		places = append(places, t.places[name])
	}
	return places
}

// Column returns the value of a key's part or column of a row.
func (t *Table) Column(row Row, name string) any { return t.columnAt(row, t.places[name]) }

// columnAt is [Table.Column] of the key part or column at a place.
func (t *Table) columnAt(row Row, place int) any {
	if place < len(t.Key) {
		return row.Key[place]
	}
	return row.Columns[place-len(t.Key)]
}

// IndexPart returns the value of a row in the part of an index.
func (t *Table) IndexPart(index *Index, part int, row Row) any {
	return t.columnAt(row, index.parts[part])
}

// IndexValue is [Table.IndexPart] of one of the values of an index.
func (t *Table) IndexValue(index *Index, value int, row Row) any {
	return t.columnAt(row, index.values[value])
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
	// With is a table whose records with the same key come along; nil: none.
	With *Table
	// Examine is the number of records that [Driver.Find] examines before it stops; 0: no limit.
	Examine int
}

// Owner is whose records a query selects, where several appliances share a database.
type Owner int

// The owners.
const (
	AnyOwner   Owner = iota
	ThisOwner        // this appliance
	OtherOwner       // other appliances
	DeadOwner        // other appliances that have lost their lease
)

// Condition is a condition on a column.
type Condition struct {
	Column string
	Op     Operator
	Value  any
}

// Operator compares a column with the value of a condition.
type Operator int

// The operators.
const (
	Is       Operator = iota
	IsNot             // of texts
	OneOf             // of a []any
	AtLeast           // of int64, as the next two
	AtMost            //
	Below             //
	Contains          // the text contains the value; or the pairs do, a [Pair]
	Ends              // the text ends in the value
	Begins            // one of the texts begins with the value
)

// Has reports whether an index has an entry of a row: its conditions hold, and no part of the entry's key is empty.
func (i *Index) Has(t *Table, row Row) bool {
	if !t.Meets(row, i.Only) {
		return false
	}
	return !slices.ContainsFunc(i.parts, func(place int) bool { return isAbsent(t.columnAt(row, place)) })
}

// isAbsent reports whether a column has no value.
func isAbsent(column any) bool {
	switch value := column.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case []Pair:
		return len(value) == 0
	case []string:
		return len(value) == 0
	}
	return false
}

// Meets reports whether a row fulfils conditions.
func (t *Table) Meets(row Row, conditions []Condition) bool {
	return !slices.ContainsFunc(conditions, func(c Condition) bool { return !c.holds(t.Column(row, c.Column)) })
}

// holds reports whether a column's value fulfils a condition.
func (c Condition) holds(column any) bool {
	switch c.Op {
	case IsNot:
		return column != c.Value
	case OneOf:
		return slices.Contains(c.Value.([]any), column)
	case AtLeast, AtMost, Below:
		n, isNumber := column.(int64)
		bound := c.Value.(int64)
		return isNumber && (c.Op == AtLeast && n >= bound || c.Op == AtMost && n <= bound || c.Op == Below && n < bound)
	case Contains:
		if pairs, are := column.([]Pair); are {
			return slices.Contains(pairs, c.Value.(Pair))
		}
		return strings.Contains(column.(string), c.Value.(string))
	case Ends:
		return strings.HasSuffix(column.(string), c.Value.(string))
	case Begins:
		begins := func(text string) bool { return strings.HasPrefix(text, c.Value.(string)) }
		return slices.ContainsFunc(column.([]string), begins)
	}
	return column == c.Value
}

// EncodePart encodes a value of a column as a part of a key, so that lexical order is the order of the values.
func EncodePart(column any) string {
	if text, is := column.(string); is {
		return text
	}
	return string(AppendPart(nil, column))
}

// AppendPart appends what [EncodePart] returns.
func AppendPart(to []byte, column any) []byte {
	switch value := column.(type) {
	case string:
		return append(to, value...)
	case []byte:
		return hex.AppendEncode(to, value)
	case int64:
		return record.AppendRank(to, uint64(max(value, 0)))
	case Pair:
		return base64.RawURLEncoding.AppendEncode(append(to, value.Name+"/"...), []byte(value.Value))
	default:
		return fmt.Append(to, value)
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

// EncodePart encodes a column as a part of an entry's key.
func (i *Index) EncodePart(name string, column any) string {
	return string(i.AppendPart(nil, name, column))
}

// AppendPart appends what [Index.EncodePart] returns.
func (i *Index) AppendPart(to []byte, name string, column any) []byte {
	begin := len(to)
	to = AppendPart(to, column)
	if name == i.Reversed {
		slices.Reverse(to[begin:])
	}
	return to
}

// Parts returns the names of the parts of a query's order.
func (q Query) Parts() []string {
	if q.Index == nil {
		return q.Table.Key
	}
	return q.Index.Parts
}

// Bounds returns the bounds of a query's places, from inclusive, to exclusive and empty for none, that its conditions
// set on the first part of the order that it does not give, and its other conditions.
func (q Query) Bounds() (from, to string, rest []Condition) {
	if len(q.Equal) == len(q.Parts()) {
		return "", "", q.Where
	}
	return q.BoundsOf(q.Parts()[len(q.Equal)])
}

// BoundsOf returns the bounds that a query's conditions set on a part of its order, as [Query.Bounds].
func (q Query) BoundsOf(part string) (from, to string, rest []Condition) {
	for _, c := range q.Where {
		bound, isNumber := c.Value.(int64)
		switch {
		case c.Column != part || !isNumber:
			rest = append(rest, c)
		case c.Op == AtLeast:
			from = max(from, EncodePart(bound))
		case c.Op == Below:
			to = EncodePart(bound)
		case c.Op == AtMost && bound < math.MaxInt64:
			to = EncodePart(bound + 1)
		}
	}
	return from, to, rest
}
