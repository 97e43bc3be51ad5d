package badger

import (
	"bytes"
	"context"
	"slices"

	"munadi/store"
)

// writeTx is a command at work. It reads what is committed, what its neighbours before it have changed, and what it has
// changed itself, so that a command may touch a record twice. It iterates where that is rare and short (a user's
// sessions, an organization's users) and nowhere else: a transaction sorts all that it has pending for every iterator,
// and a full group has thousands of changes. What a command must walk over is found on a snapshot before, and judged
// again here.
type writeTx struct {
	view snapshotView
	*changeSet
}

// updateTx hands the committer a command that reads its own writes.
func (s *BadgerStore) updateTx(ctx context.Context, decide func(writeTx) error) error {
	return s.submitCommand(ctx, func(v snapshotView, c *changeSet) error { return decide(writeTx{v, c}) })
}

// valueOf is what stands under key; false without one.
func (e writeTx) valueOf(key []byte) ([]byte, bool, error) {
	if value, changed := e.changedValue(key); changed {
		return value, value != nil, nil
	}
	return e.view.rawValue(key)
}

// hasKey says whether there is such a key.
func (e writeTx) hasKey(key []byte) (bool, error) {
	_, found, err := e.valueOf(key)
	return found, err
}

// getRecord reads the record under key into record; false without one.
func (e writeTx) getRecord(key []byte, record any) (bool, error) {
	value, found, err := e.valueOf(key)
	if err != nil || !found {
		return false, err
	}
	if err := decodeRecord(key, value, record); err != nil {
		return true, e.view.lost.newUnreadableError(key, err)
	}
	return true, nil
}

// needOrganization is an error unless there is an organization of that id.
func (e writeTx) needOrganization(id string) error { return needOrganization(e.view, id) }

// indexEntry is one key of an index; most have no value.
type indexEntry struct{ key, value []byte }

// isSame says whether two are one.
func (n indexEntry) isSame(o indexEntry) bool {
	return bytes.Equal(n.key, o.key) && bytes.Equal(n.value, o.value)
}

// updateIndex replaces a record's index entries before a change by those after it, writing only what differs.
func (e writeTx) updateIndex(before, after []indexEntry) {
	for _, old := range before {
		if !slices.ContainsFunc(after, func(n indexEntry) bool { return bytes.Equal(n.key, old.key) }) {
			e.deleteKey(old.key)
		}
	}
	for _, n := range after {
		if !slices.ContainsFunc(before, n.isSame) {
			e.putRaw(n.key, append([]byte{}, n.value...))
		}
	}
}

// nextNumber is the number after the last one under key, from 1: what is numbered so has an order that no clock disturbs,
// and a gap that is seen.
func (e writeTx) nextNumber(key []byte) (uint64, error) {
	value, found, err := e.valueOf(key)
	if err != nil {
		return 0, err
	}
	var last uint64
	if found {
		if last, err = decodeCounter(key, value); err != nil {
			return 0, err
		}
	}
	e.putRaw(key, encodeCounter(last+1))
	return last + 1, nil
}

// sweepBatches works through what find sees on snapshots, in transactions of at most [sweepBatch] that become smaller when
// one does not fit, until find sees nothing more. treat does its part of one transaction and may be called again; done
// hears of each that is on disk.
func sweepBatches[T any](
	ctx context.Context, s *BadgerStore, find func(v snapshotView, most int) ([]T, error), treat func(writeTx, []T) error, done func(n int),
) error {
	for most := sweepBatch; ; {
		var found []T
		err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
			found, err = find(v, most)
			return err
		})
		if err != nil || len(found) == 0 {
			return err
		}
		err = s.updateTx(ctx, func(e writeTx) error { e.markUrgent(); return treat(e, found) })
		switch {
		case err == nil:
			done(len(found))
		case store.CodeOf(err) == store.CodeTooLarge && most > 1:
			most = max(1, most/4)
		default:
			return err
		}
	}
}

// sweepBatch is how many records one transaction of a sweep changes at most, so that it fits and holds nobody up.
const sweepBatch = 64
