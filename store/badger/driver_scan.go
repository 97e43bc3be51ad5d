package badger

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// scanned is an entry of a query's order: a record, or an index entry that refers to one.
type scanned struct {
	item  *badgerdb.Item
	parts []string // of its key
	place string   // its key behind the parts that the query gives
}

// Scan implements [driver.Tx].
func (e writeTx) Scan(q driver.Query, visit func(driver.Row) (bool, error)) error {
	if q.Index != nil && len(q.Equal) == len(q.Index.Parts) {
		return e.scanOne(q, visit)
	}
	found := 0
	from, to, rest := q.Bounds()
	q.Where = rest
	return e.eachEntry(q, from, to, func(at scanned) (bool, error) {
		row, meets, err := e.rowAt(q, at)
		if store.IsUnreadable(err) {
			row.Err, meets, err = err, true, nil
		}
		if err != nil || !meets {
			return err == nil, err
		}
		found++
		row.Place = at.place
		more, err := visit(row)
		return more && found != q.Limit, err
	})
}

// scanOne is [writeTx.Scan] for the one index entry whose parts are all given.
func (e writeTx) scanOne(q driver.Query, visit func(driver.Row) (bool, error)) error {
	parts := encodeEqual(q)
	value, found, err := e.valueOf(joinKey(q.Index.Kind, parts...))
	var row driver.Row
	if err == nil && found {
		row, err = e.rowOfEntry(q, parts, value)
	}
	if store.IsUnreadable(err) {
		row.Err, found, err = err, true, nil
	}
	if err == nil && found {
		_, err = visit(row)
	}
	return err
}

// eachEntry calls visit with each entry of a query's order in [from, to), whether or not it meets the query's
// conditions, until visit returns false. Other appliances own nothing.
func (e writeTx) eachEntry(q driver.Query, from, to string, visit func(scanned) (bool, error)) error {
	if q.Owner == driver.OtherOwner || q.Owner == driver.DeadOwner {
		return nil
	}
	equal, kind := encodeEqual(q), q.Table.Kind
	if q.Index != nil {
		kind = q.Index.Kind
	}
	prefix := joinPrefix(kind, equal...)
	opt := withoutPrefetch()
	opt.Reverse = q.Latest
	it := e.view.openIterator(prefix, opt)
	defer it.Close()
	to = cmp.Or(to, beyond)
	start := from
	if q.Latest {
		start = to
	}
	for it.Seek(append(slices.Clip(prefix), cmp.Or(q.After, start)...)); it.Valid(); it.Next() {
		place := string(it.Item().Key()[len(prefix):])
		if place == q.After {
			continue
		}
		if q.Latest && place < from || !q.Latest && place >= to {
			return nil
		}
		parts := append(slices.Clip(equal), splitKey(place, len(q.Parts())-len(equal))...)
		if more, err := visit(scanned{it.Item(), parts, place}); err != nil || !more {
			return err
		}
	}
	return nil
}

// encodeEqual returns the parts of keys that a query gives.
func encodeEqual(q driver.Query) []string {
	equal := make([]string, len(q.Equal))
	for i, value := range q.Equal {
		if equal[i] = driver.EncodePart(value); q.Index != nil {
			equal[i] = q.Index.EncodePart(q.Index.Parts[i], value)
		}
	}
	return equal
}

// rowAt returns the record of an entry, and whether it meets the query's conditions.
func (e writeTx) rowAt(q driver.Query, at scanned) (row driver.Row, meets bool, err error) {
	isQueue := q.Index != nil && q.Index.Queue
	var value []byte
	if !isQueue { // an entry of a queue has no value, and is compared with its record
		if value, err = e.view.valueOf(at.item); err != nil {
			return driver.Row{Key: at.parts}, false, err
		}
	}
	if q.Index == nil {
		row = driver.Row{Key: at.parts, Raw: value}
	} else if row, err = e.rowOfEntry(q, at.parts, value); err != nil {
		return row, false, err
	}
	if len(q.Where) == 0 && !isQueue {
		return row, true, nil
	}
	if isQueue && row.Raw == nil {
		e.noteStale(at.item.KeyCopy(nil))
		return row, false, nil
	}
	if row.Record, row.Columns, err = q.Table.Decode(row.Raw); err != nil {
		return row, false, e.Unreadable(q.Table, row.Key, err)
	}
	if isQueue && isContradicted(q, row, at.item.Key()) {
		e.noteStale(at.item.KeyCopy(nil))
		return row, false, nil
	}
	return row, q.Table.Meets(row, q.Where), nil
}

// rowOfEntry returns the record of an index entry. Outside queues, an entry without its record is a lost record.
func (e writeTx) rowOfEntry(q driver.Query, parts []string, value []byte) (row driver.Row, err error) {
	pointers := strings.Split(string(value), "/")
	for _, name := range q.Table.Key {
		i, n := slices.Index(q.Index.Parts, name), slices.Index(q.Index.Value, name)
		switch {
		case i >= 0 && i < len(parts):
			row.Key = append(row.Key, parts[i])
		case i < 0 && n < len(pointers):
			row.Key = append(row.Key, pointers[n])
		default:
			return row, e.view.newUnreadableError(joinKey(q.Index.Kind, parts...), errNoEntry)
		}
	}
	key, found := joinKey(q.Table.Kind, row.Key...), false
	if row.Raw, found, err = e.valueOf(key); err == nil && !found && !q.Index.Queue {
		err = e.view.newUnreadableError(key, errLostBlock)
	}
	return row, err
}

// isContradicted reports whether a queue's entry is not that of its record.
func isContradicted(q driver.Query, row driver.Row, key []byte) bool {
	entry, has := entryOf(q.Table, q.Index, row)
	return !has || string(entry.key) != string(key)
}

// Tally implements [driver.Tx].
func (e writeTx) Tally(q driver.Query, part string) (map[string]int, error) {
	counts, i := map[string]int{}, slices.Index(q.Parts(), part)
	from, to, later := q.Bounds()
	bounded, least, below := i, "", ""
	if len(later) > 0 {
		bounded = slices.Index(q.Parts(), later[0].Column)
		least, below, _ = q.BoundsOf(later[0].Column)
	}
	err := e.eachEntry(q, from, to, func(at scanned) (bool, error) {
		if part := at.parts[bounded]; part >= least && (below == "" || part < below) {
			counts[at.parts[i]]++
		}
		return true, nil
	})
	return counts, err
}

// Claim implements [driver.Tx]. Records that cannot be read are passed over.
func (e writeTx) Claim(q driver.Query, turns *driver.Table, now time.Time) (next driver.Row, found bool, err error) {
	org := slices.Index(q.Parts(), "org")
	first, seen := "", map[string]bool{}
	err = e.eachEntry(q, "", "", func(at scanned) (bool, error) {
		if seen[at.parts[org]] {
			return true, nil
		}
		row, meets, err := e.rowAt(q, at)
		if err != nil || !meets {
			return true, store.IgnoreMissing(err)
		}
		seen[at.parts[org]] = true
		turn, _, unreadable := e.valueOf(joinKey(turns.Kind, at.parts[org]))
		if unreadable != nil {
			turn = nil
		}
		if !found || string(turn) < first {
			next, found, first = row, true, string(turn)
		}
		return true, nil
	})
	if err == nil && found {
		e.putRaw(joinKey(turns.Kind, next.Key[0]), []byte(encodeTime(now)))
	}
	return next, found, err
}

// Due implements [driver.Driver]. A partition without room costs nothing, one with room a seek. After a failed
// transaction nothing is due: its changes can be read, but are not on disk.
func (d storeDriver) Due(ctx context.Context, q driver.DueQuery) (due []driver.Row, next time.Time, err error) {
	if err := d.s.committer.lastFailure(); err != nil {
		return nil, time.Time{}, err
	}
	queue := joinPrefix(q.Index.Kind)
	reading, first := d.s.watermarks.beginRead(), map[string]string{}
	defer func() { d.s.watermarks.raiseWatermarks(reading, first) }()
	err = d.Read(ctx, func(tx driver.Tx) error {
		e := tx.(writeTx)
		w := e.view.openWalk(queue)
		defer w.closeWalk()
		for _, part := range reading.possibleParts(queue) {
			partition := strings.Split(strings.TrimSuffix(part[len(queue):], "/"), "/")
			wanted, err := q.Room(tx, partition)
			if err != nil {
				return err
			}
			if wanted <= 0 {
				continue
			}
			first[part] = w.enterPart(part, reading.floors[part])
			some, later, err := e.dueInPart(q, w, partition, min(wanted, q.Limit))
			if err != nil {
				return err
			}
			due, next = append(due, some...), record.EarliestTime(next, later)
		}
		return nil
	})
	return due, next, err
}

// keyInEntry returns the key of the record of a queue's entry, whose parts hold it.
func keyInEntry(q driver.DueQuery, parts []string) []string {
	key := make([]string, len(q.Table.Key))
	for i, name := range q.Table.Key {
		key[i] = parts[slices.Index(q.Index.Parts, name)]
	}
	return key
}

// dueInPart returns the first due rows of a partition, from the walk's current position, and the time of the first one
// that is not due yet. Records that cannot be read and stale entries do not count towards wanted.
func (e writeTx) dueInPart(
	q driver.DueQuery, w *indexWalk, partition []string, wanted int,
) (found []driver.Row, next time.Time, err error) {
	order, last := driver.Query{Table: q.Table, Index: q.Index}, encodeTime(q.Now)
	for place, ok := w.currentPlace(); ok; place, ok = w.nextPlace() {
		parts := splitKey(place, len(q.Index.Parts)-len(partition))
		if parts[0] > last {
			return found, record.DecodeTime(parts[0]), nil
		}
		if len(found) == wanted {
			break
		}
		at := scanned{w.it.Item(), slices.Concat(partition, parts), place}
		if q.Skip != nil && q.Skip(keyInEntry(q, at.parts)) {
			continue
		}
		row, meets, err := e.rowAt(order, at)
		if store.IgnoreMissing(err) != nil {
			return nil, next, err
		}
		if err == nil && meets {
			found = append(found, row)
		}
	}
	if place, ok := w.seekAfter(last); ok {
		next = record.DecodeTime(splitKey(place, 2)[0])
	}
	return found, next, nil
}
