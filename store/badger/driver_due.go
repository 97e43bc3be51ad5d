package badger

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// Due implements [driver.Driver]. A partition without room costs nothing, one with room a seek.
func (d storeDriver) Due(ctx context.Context, q driver.DueQuery) (due []driver.Row, next time.Time, err error) {
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
