package badger

import (
	"slices"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// beyond sorts after every place of an index: places begin with a letter, a digit or '+'.
const beyond = "~"

// visitNewest calls visit with each place that is in all indexes (index intersection by leapfrog join), latest first,
// starting before the place before ("" for the end), until visit returns false. Combined filters cost as much as the
// most selective one, not as the whole list.
func (v snapshotView) visitNewest(indexes [][]byte, before string, visit func(place string) bool) {
	if before == "" {
		before = beyond
	}
	var cursors []*reverseWalk
	for _, index := range indexes {
		r := v.openReverse(index)
		defer r.closeWalk()
		cursors = append(cursors, r)
	}
	at, ok := cursors[0].seekBefore(before)
	for ok {
		agreed := true
		for _, r := range cursors[1:] {
			var place string
			if place, ok = r.upTo(at); !ok {
				return
			}
			if place != at {
				at, agreed = place, false
				break
			}
		}
		switch {
		case !agreed:
			at, ok = cursors[0].upTo(at)
		case !visit(at):
			return
		default:
			at, ok = cursors[0].seekBefore(at)
		}
	}
}

// reverseWalk iterates an index in descending order.
type reverseWalk struct {
	it     *badgerdb.Iterator
	prefix []byte
}

// openReverse opens a descending iterator over an index.
func (v snapshotView) openReverse(index []byte) *reverseWalk {
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchValues, opt.Reverse, opt.Prefix = false, true, index
	return &reverseWalk{v.txn.NewIterator(opt), index}
}

// upTo returns the last place that is not after limit; false without one.
func (r *reverseWalk) upTo(limit string) (string, bool) {
	if place, ok := r.currentPlace(); ok && place <= limit {
		// The iterator is at or before limit already, and came from the end, so nothing lies between.
		return place, true
	}
	r.it.Seek(append(slices.Clip(r.prefix), limit...))
	return r.currentPlace()
}

// seekBefore returns the last place before limit.
func (r *reverseWalk) seekBefore(limit string) (string, bool) {
	place, ok := r.upTo(limit)
	if ok && place == limit {
		r.it.Next()
		return r.currentPlace()
	}
	return place, ok
}

// currentPlace returns the current place.
func (r *reverseWalk) currentPlace() (string, bool) {
	if !r.it.ValidForPrefix(r.prefix) {
		return "", false
	}
	return string(r.it.Item().Key()[len(r.prefix):]), true
}

// closeWalk closes the iterator.
func (r *reverseWalk) closeWalk() { r.it.Close() }

// newestPage returns a page of the records that the places of an index lead to, latest first.
func newestPage[T any](
	v snapshotView, list []string, index []byte, limit int, after string, find func(place string) (T, error),
) (store.ListPage[T], error) {
	page := store.ListPage[T]{Items: []T{}}
	before, err := placeOfCursor(list, after)
	if err != nil {
		return page, err
	}
	var last string
	v.visitNewest([][]byte{index}, before, func(place string) bool {
		if len(page.Items) == limit {
			page.Next = encodeCursor(list, last)
			return false
		}
		last = place
		var item T
		if item, err = find(place); isUnreadable(err) {
			page.Unreadable++
			err = nil
			return true
		}
		if err != nil {
			return false
		}
		page.Items = append(page.Items, item)
		return true
	})
	page.Incomplete = page.Unreadable > 0 || v.lost.touchesPrefix(index)
	return page, err
}
