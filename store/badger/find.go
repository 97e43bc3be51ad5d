package badger

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"munadi/store/driver"
)

// Find implements [driver.Driver]: the intersection of the indexes of the conditions, checked against the values of the
// order's entries. Only the records that meet all conditions are loaded.
func (d storeDriver) Find(
	ctx context.Context, q driver.Query, begin func(), visit func(driver.Tx, driver.Row) (bool, error),
) (examined string, err error) {
	for again := false; ; again = true {
		begin()
		var f finder
		err := d.Read(ctx, func(tx driver.Tx) error {
			f = newFinder(tx.(writeTx), q)
			return f.visitRows(ctx, visit)
		})
		if err != nil || again || f.stopped && f.unreadable == 0 && len(f.missing) == 0 {
			return f.examined, err
		}
		if !d.s.findDamage(ctx, append(f.suspects, f.missing...)...) {
			return f.examined, nil
		}
	}
}

// CountFound implements [driver.Driver].
func (d storeDriver) CountFound(ctx context.Context, q driver.Query) (n int, err error) {
	err = d.Read(ctx, func(tx driver.Tx) error {
		n = 0
		f := newFinder(tx.(writeTx), q)
		f.visitPlaces(func(_ string, fits bool) bool {
			if fits {
				n++
			}
			return (q.Limit == 0 || n < q.Limit) && ctx.Err() == nil
		})
		return ctx.Err()
	})
	return n, err
}

// solePrefix returns the prefix of an index whose entries are what the query finds, so that the order need not be read;
// nil without one.
func (f *finder) solePrefix() []byte {
	if len(f.q.Where) != 1 || len(f.facts)+len(f.unserved) > 0 || len(f.groups) != 1 ||
		f.groups[0].begin != nil || len(f.groups[0].prefixes) != 1 {
		return nil
	}
	return f.groups[0].prefixes[0]
}

// FindDamage implements [driver.Driver].
func (d storeDriver) FindDamage(ctx context.Context, t *driver.Table, key []string) bool {
	place := joinKey(t.Kind, key...)
	return d.s.findDamage(ctx, keyRange{place, place})
}

// finder walks over the places of a query's order that meet its conditions. A place is what follows the parts that the
// query gives in an entry's key.
type finder struct {
	e        writeTx
	q        driver.Query
	base     []byte // prefix of the order's entries, or of the one index that finds the same, see solePrefix
	from, to string // bounds of the places
	groups   []indexGroup
	facts    []factTest          // of the conditions on values of the order's entries
	unserved []unservedCondition // that no index of the order serves

	examined   string     // the last place, when the maximum of examined records was reached
	stopped    bool       // by visit, or by that maximum
	unreadable int        // records
	missing    []keyRange // entries that other indexes refer to, but the order lacks
	suspects   []keyRange // whose loss would hide records
}

// indexGroup are indexes, given by the prefixes of their keys, of which at least one has each place that is found.
type indexGroup struct {
	prefixes [][]byte
	columns  []string
	needed   bool      // its conditions cannot be checked by the values of the order's entries
	begin    *keyRange // of the entries of all values that begin as a condition says; nil without such a condition
}

// newFinder plans a query.
func newFinder(e writeTx, q driver.Query) finder {
	f := finder{e: e, q: q, base: joinPrefix(q.Index.Kind, encodeEqual(q)...)}
	f.from, f.to, _ = q.Bounds()
	f.to = cmp.Or(f.to, beyond)
	for _, c := range q.Where {
		if place := slices.Index(q.Index.Value, c.Column); place >= 0 {
			f.facts = append(f.facts, newFactTest(place, c))
		}
	}
	for _, index := range q.Table.Indexes {
		if group, serves := groupOf(q, index); serves {
			f.groups = append(f.groups, group)
		}
	}
	for _, c := range q.Where {
		if c.Op == driver.Begins {
			f.addBegins(c)
		}
	}
	f.groups = slices.DeleteFunc(f.groups, func(g indexGroup) bool {
		return slices.ContainsFunc(f.groups, func(o indexGroup) bool { return isNarrower(o.columns, g.columns) })
	})
	if prefix := f.solePrefix(); prefix != nil {
		f.base, f.groups = prefix, nil
	}
	return f
}

// isNarrower reports whether an index has the columns of another one and more.
func isNarrower(a, b []string) bool {
	isMissing := func(name string) bool { return !slices.Contains(a, name) }
	return len(b) > 0 && len(a) > len(b) && !slices.ContainsFunc(b, isMissing)
}

// maxPrefixes is the number of values of a condition from which on its index is not used: such a condition leaves out
// few records.
const maxPrefixes = 6

// groupOf returns the prefixes of an index for a query's conditions; false if the index does not serve them: its
// entries must have the query's places behind columns whose values are given.
func groupOf(q driver.Query, index *driver.Index) (group indexGroup, serves bool) {
	order := q.Parts()[len(q.Equal):]
	columns := len(index.Parts) - len(order) - len(q.Equal)
	if index == q.Index || columns < 0 || columns == 0 && len(index.Only) == 0 ||
		!slices.Equal(index.Parts[len(index.Parts)-len(order):], order) {
		return group, false
	}
	for _, only := range index.Only {
		if !slices.ContainsFunc(q.Where, func(c driver.Condition) bool { return c.Op == driver.Is && c == only }) {
			return group, false
		}
		group.needed = group.needed || !slices.Contains(q.Index.Value, only.Column)
	}
	group.prefixes = [][]byte{joinKey(index.Kind, encodeEqual(q)...)}
	for _, name := range index.Parts[len(q.Equal) : len(q.Equal)+columns] {
		values := valuesOf(q.Where, name)
		if len(values) == 0 || len(values) > maxPrefixes {
			return group, false
		}
		var longer [][]byte
		for _, prefix := range group.prefixes {
			for _, value := range values {
				longer = append(longer, index.AppendPart(append(slices.Clone(prefix), '/'), name, value))
			}
		}
		group.prefixes, group.columns = longer, append(group.columns, name)
		group.needed = group.needed || !slices.Contains(q.Index.Value, name)
	}
	for i := range group.prefixes {
		group.prefixes[i] = append(group.prefixes[i], '/')
	}
	return group, true
}

// valuesOf returns the values that conditions allow in a column; none if they allow any.
func valuesOf(where []driver.Condition, column string) []any {
	for _, c := range where {
		_, isPair := c.Value.(driver.Pair)
		switch {
		case c.Column != column:
		case c.Op == driver.OneOf:
			return c.Value.([]any)
		case c.Op == driver.Is || c.Op == driver.Contains && isPair:
			return []any{c.Value}
		}
	}
	return nil
}

// visitRows calls visit with the records found, until visit returns false.
func (f *finder) visitRows(ctx context.Context, visit func(driver.Tx, driver.Row) (bool, error)) (err error) {
	examined, last := 0, ""
	f.visitPlaces(func(place string, fits bool) bool {
		if f.q.Examine > 0 && examined == f.q.Examine {
			f.examined, f.stopped = last, true
			return false
		}
		examined, last = examined+1, place
		if ctx.Err() != nil || !fits {
			return ctx.Err() == nil
		}
		more := false
		if more, err = visit(f.e, f.readRow(place)); err == nil {
			f.stopped = !more
		}
		return more && err == nil
	})
	if f.suspects == nil && (!f.stopped || f.unreadable > 0) {
		f.suspects = f.suspectRanges()
	}
	return cmp.Or(err, ctx.Err())
}

// readRow loads the record at a place. Entries are written together with their record, so a missing record was lost to
// damage.
func (f *finder) readRow(place string) driver.Row {
	row := driver.Row{Key: f.keyAt(place), Place: place}
	key := joinKey(f.q.Table.Kind, row.Key...)
	var found bool
	if row.Raw, found, row.Err = f.e.valueOf(key); row.Err == nil && !found {
		row.Err = f.e.view.newUnreadableError(key, errLostBlock)
	}
	if row.Err != nil {
		f.unreadable++
		return row
	}
	if f.q.With != nil {
		row.With, _, _ = f.e.valueOf(joinKey(f.q.With.Kind, row.Key...)) // one that cannot be read is reported
	}
	return row
}

// keyAt returns the key of the record at a place.
func (f *finder) keyAt(place string) (key []string) {
	parts := append(encodeEqual(f.q), splitKey(place, len(f.q.Parts())-len(f.q.Equal))...)
	for _, name := range f.q.Table.Key {
		if i := slices.Index(f.q.Parts(), name); i < len(parts) {
			key = append(key, parts[i])
		}
	}
	return key
}

// visitPlaces calls visit with each place that all indexes have, and whether its record meets all conditions, until
// visit returns false.
func (f *finder) visitPlaces(visit func(place string, fits bool) bool) {
	after, latest := f.q.After, f.q.Latest
	if after == "" {
		if after = f.from; latest {
			after = f.to
		}
	}
	visitFacts := func(place string, facts []byte) bool {
		if latest && place < f.from || !latest && place >= f.to {
			return false
		}
		return visit(place, f.meetsFacts(place, facts) && f.meetsUnserved(place))
	}
	if places, few := f.fewPlaces(); few {
		f.visitListed(places, after, visitFacts)
		return
	}
	prefixes := make([][][]byte, len(f.groups))
	for i, group := range f.groups {
		prefixes[i] = group.prefixes
	}
	w := f.e.view.openPlaces(append(prefixes, [][]byte{f.base}), latest)
	defer w.closeWalk()
	w.most = f.q.Examine
	if w.visitAfter(after, visitFacts); w.stopped != "" {
		f.examined, f.stopped = w.stopped, true
	}
	for _, place := range w.missing {
		f.noteMissing(place)
	}
}

// noteMissing notes a place that the order lacks.
func (f *finder) noteMissing(place string) {
	if len(f.missing) < maxMissing {
		key := slices.Concat(f.base, []byte(place))
		f.missing = append(f.missing, keyRange{key, key})
	}
}

// meetsFacts reports whether the record at a place meets the conditions on the values of its entry. If these are
// damaged, the record is read.
func (f *finder) meetsFacts(place string, facts []byte) bool {
	if len(f.facts) == 0 { // also of an index whose entries have no values, see solePrefix
		return true
	}
	if bytes.Count(facts, []byte{'/'}) != len(f.q.Index.Value)-1 {
		row := f.readRow(place)
		if row.Err != nil {
			return false
		}
		var err error
		if _, row.Columns, err = f.q.Table.Decode(row.Raw); err != nil {
			return false
		}
		facts = encodeValue(f.q.Table, f.q.Index, row)
	}
	for i, rest := 0, facts; ; i++ {
		part, after, more := bytes.Cut(rest, []byte{'/'})
		for _, test := range f.facts {
			if test.place == i && !test.holds(part) {
				return false
			}
		}
		if rest = after; !more {
			return true
		}
	}
}

// factTest is a condition on one of the values of an entry, in their encoded form, whose order is that of the values.
type factTest struct {
	place int
	op    driver.Operator
	texts []string
}

func newFactTest(place int, c driver.Condition) factTest {
	values, several := c.Value.([]any)
	if !several {
		values = []any{c.Value}
	}
	test := factTest{place: place, op: c.Op}
	for _, value := range values {
		test.texts = append(test.texts, driver.EncodePart(value))
	}
	return test
}

// holds reports whether a value fulfils the condition.
func (f factTest) holds(value []byte) bool {
	switch first := f.texts[0]; f.op {
	case driver.IsNot:
		return string(value) != first
	case driver.AtLeast:
		return string(value) >= first
	case driver.AtMost:
		return string(value) <= first
	case driver.Below:
		return string(value) < first
	case driver.Contains:
		return bytes.Contains(value, []byte(first))
	case driver.Ends:
		return bytes.HasSuffix(value, []byte(first))
	default: // [driver.Is], [driver.OneOf]
		for _, text := range f.texts {
			if string(value) == text {
				return true
			}
		}
		return false
	}
}

// suspectRanges returns the key ranges within the bounds of a list whose loss would hide its records. The order has
// every record; it is included only without other indexes, since these reveal a key that it lacks. If a group has no
// key in its range, only that group is returned: it alone explains an empty list.
func (f *finder) suspectRanges() (ranges []keyRange) {
	groups := f.groups
	if len(groups) == 0 {
		groups = []indexGroup{{prefixes: [][]byte{f.base}}}
	}
	for _, group := range groups {
		var own []keyRange
		for _, prefix := range group.prefixes {
			own = append(own, keyRange{slices.Concat(prefix, []byte(f.from)), slices.Concat(prefix, []byte(f.to))})
		}
		if group.begin != nil {
			own = []keyRange{*group.begin}
		}
		if !slices.ContainsFunc(own, f.e.view.hasKeysIn) {
			return own
		}
		ranges = append(ranges, own...)
	}
	for _, c := range f.unserved {
		if c.texts != nil {
			ranges = append(ranges, c.begin)
		}
	}
	return ranges
}

// hasKeysIn reports whether there is a key in a range.
func (v snapshotView) hasKeysIn(r keyRange) bool {
	it := v.txn.NewIterator(withoutPrefetch())
	defer it.Close()
	it.Seek(r.left)
	return it.Valid() && bytes.Compare(it.Item().Key(), r.right) <= 0
}
