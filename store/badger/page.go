package badger

import (
	"slices"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// beyond sorts after every place in an index: places begin with a letter, a digit or '+'.
const beyond = "~"

// visitNewest calls visit with each place that all the indexes have, latest first, beginning before the place that before
// names ("" for the end) until visit says false. Indexes end in the same places, so that those of all filters at once
// are found by leaping from one to the other: the cost is that of the rarest filter, not of the whole list.
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

// reverseWalk walks an index from its end.
type reverseWalk struct {
	it     *badgerdb.Iterator
	prefix []byte
}

// openReverse opens an index.
func (v snapshotView) openReverse(index []byte) *reverseWalk {
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchValues, opt.Reverse, opt.Prefix = false, true, index
	return &reverseWalk{v.txn.NewIterator(opt), index}
}

// upTo is the last place that is not after limit; false without one.
func (r *reverseWalk) upTo(limit string) (string, bool) {
	if place, ok := r.currentPlace(); ok && place <= limit {
		// It stands before limit already; nothing lies between, since it came here from the end.
		return place, true
	}
	r.it.Seek(append(slices.Clip(r.prefix), limit...))
	return r.currentPlace()
}

// seekBefore is the last place before limit.
func (r *reverseWalk) seekBefore(limit string) (string, bool) {
	place, ok := r.upTo(limit)
	if ok && place == limit {
		r.it.Next()
		return r.currentPlace()
	}
	return place, ok
}

// currentPlace is where it stands.
func (r *reverseWalk) currentPlace() (string, bool) {
	if !r.it.ValidForPrefix(r.prefix) {
		return "", false
	}
	return string(r.it.Item().Key()[len(r.prefix):]), true
}

// closeWalk ends the walk.
func (r *reverseWalk) closeWalk() { r.it.Close() }

// newestPage is a page of what the places of an index lead to, latest first.
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
