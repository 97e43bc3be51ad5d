package badger

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"munadi/store"
)

// writeTx is the read-write transaction of one command. Reads see the committed state, the changes of earlier commands
// in the same group, and its own writes. Iterate only rarely and over few keys (a user's sessions, an organization's
// users): Badger sorts all pending writes for every iterator, and a full group has thousands. Long scans run on a
// snapshot first, and the transaction checks their results again.
type writeTx struct {
	view snapshotView
	*changeSet
}

// updateTx submits a command that reads its own writes.
func (s *BadgerStore) updateTx(ctx context.Context, decide func(writeTx) error) error {
	return s.submitCommand(ctx, func(v snapshotView, c *changeSet) error { return decide(writeTx{v, c}) })
}

// valueOf returns the value of key; false without one.
func (e writeTx) valueOf(key []byte) ([]byte, bool, error) {
	if value, changed := e.changedValue(key); changed {
		return value, value != nil, nil
	}
	return e.view.rawValue(key)
}

// hasKey reports whether key exists.
func (e writeTx) hasKey(key []byte) (bool, error) {
	_, found, err := e.valueOf(key)
	return found, err
}

// indexEntry is one key of an index; most have no value.
type indexEntry struct{ key, value []byte }

// stored returns the value as [changeSet.putRaw] takes it: an empty one is not nil.
func (n indexEntry) stored() []byte {
	if n.value == nil {
		return []byte{}
	}
	return n.value
}

// isSame reports whether two entries are equal.
func (n indexEntry) isSame(o indexEntry) bool {
	return bytes.Equal(n.key, o.key) && bytes.Equal(n.value, o.value)
}

// updateIndex replaces a record's index entries before a change by those after it, writing only the differences.
func (e writeTx) updateIndex(before, after []indexEntry) {
	for _, old := range before {
		if !slices.ContainsFunc(after, func(n indexEntry) bool { return bytes.Equal(n.key, old.key) }) {
			e.deleteKey(old.key)
		}
	}
	for _, n := range after {
		if !slices.ContainsFunc(before, n.isSame) {
			e.putRaw(n.key, n.stored())
		}
	}
}

// nextNumber returns the next value of the sequence stored under key, from 1. Sequence numbers give an order
// independent of the clock, and gaps are detectable. If the counter is lost to damage, the sequence continues after a
// gap of [counterGap] behind the highest number under the prefix numbered, whose keys begin with a number.
func (e writeTx) nextNumber(key, numbered []byte) (uint64, error) {
	last, err := e.lastNumber(key)
	if store.IsUnreadable(err) {
		last, err = e.view.highestNumber(numbered)+counterGap, nil
	}
	if err != nil {
		return 0, err
	}
	e.putRaw(key, encodeCounter(last+1))
	return last + 1, nil
}

// counterGap is the number of sequence numbers skipped after a lost counter; damaged blocks may have held the newest.
const counterGap = 1 << 20

// lastNumber returns the counter stored under key; 0 without one.
func (e writeTx) lastNumber(key []byte) (uint64, error) {
	value, found, err := e.valueOf(key)
	if err != nil || !found {
		return 0, err
	}
	return decodeCounter(key, value)
}

// highestNumber returns the number that the last key under prefix begins with; 0 without keys.
func (v snapshotView) highestNumber(prefix []byte) uint64 {
	w := v.openOrdered(prefix, true)
	defer w.it.Close()
	place, found := w.reachPlace(beyond)
	if !found {
		return 0
	}
	n, err := strconv.ParseUint(splitKey(place, 2)[0], 16, 64)
	if err != nil {
		return 0 // no number was assigned yet
	}
	return n
}

// sweepBatch is the maximum number of records per sweep transaction: it must fit, and must not delay other writers.
const sweepBatch = 64
