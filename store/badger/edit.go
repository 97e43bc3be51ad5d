package badger

import (
	"bytes"
	"context"
	"slices"

	"munadi/store"
)

// edit is a command at work. It reads what is committed, what its neighbours before it have changed, and what it has
// changed itself, so that a command may touch a record twice. It iterates where that is rare and short (a user's
// sessions, an organization's users) and nowhere else: a transaction sorts all that it has pending for every iterator,
// and a full group has thousands of changes. What a command must walk over is found on a snapshot before, and judged
// again here.
type edit struct {
	view view
	*changes
}

// edit hands the committer a command that reads its own writes.
func (s *Store) edit(ctx context.Context, decide func(edit) error) error {
	return s.write(ctx, func(v view, c *changes) error { return decide(edit{v, c}) })
}

// value is what stands under key; false without one.
func (e edit) value(key []byte) ([]byte, bool, error) {
	if value, changed := e.changed(key); changed {
		return value, value != nil, nil
	}
	return e.view.raw(key)
}

// has says whether there is such a key.
func (e edit) has(key []byte) (bool, error) {
	_, found, err := e.value(key)
	return found, err
}

// get reads the record under key into record; false without one.
func (e edit) get(key []byte, record any) (bool, error) {
	value, found, err := e.value(key)
	if err != nil || !found {
		return false, err
	}
	if err := decode(key, value, record); err != nil {
		return true, e.view.lost.record(key, err)
	}
	return true, nil
}

// needOrganization is an error unless there is an organization of that id.
func (e edit) needOrganization(id string) error { return needOrganization(e.view, id) }

// entry is one key of an index; most have no value.
type entry struct{ key, value []byte }

// same says whether two are one.
func (n entry) same(o entry) bool { return bytes.Equal(n.key, o.key) && bytes.Equal(n.value, o.value) }

// reindex replaces a record's index entries before a change by those after it, writing only what differs.
func (e edit) reindex(before, after []entry) {
	for _, old := range before {
		if !slices.ContainsFunc(after, func(n entry) bool { return bytes.Equal(n.key, old.key) }) {
			e.drop(old.key)
		}
	}
	for _, n := range after {
		if !slices.ContainsFunc(before, n.same) {
			e.raw(n.key, append([]byte{}, n.value...))
		}
	}
}

// next is the number after the last one under key, from 1: what is numbered so has an order that no clock disturbs,
// and a gap that is seen.
func (e edit) next(key []byte) (uint64, error) {
	value, found, err := e.value(key)
	if err != nil {
		return 0, err
	}
	var last uint64
	if found {
		if last, err = number(key, value); err != nil {
			return 0, err
		}
	}
	e.raw(key, numeral(last+1))
	return last + 1, nil
}

// sweep works through what find sees on snapshots, in transactions of at most [sweepBatch] that become smaller when
// one does not fit, until find sees nothing more. treat does its part of one transaction and may be called again; done
// hears of each that is on disk.
func sweep[T any](
	ctx context.Context, s *Store, find func(v view, most int) ([]T, error), treat func(edit, []T) error, done func(n int),
) error {
	for most := sweepBatch; ; {
		var found []T
		err := s.read(ctx, func(v view) (err error) {
			found, err = find(v, most)
			return err
		})
		if err != nil || len(found) == 0 {
			return err
		}
		err = s.edit(ctx, func(e edit) error { e.urge(); return treat(e, found) })
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
