package badger

import (
	"slices"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// beyond sorts after every place in an index: places begin with a letter, a digit or '+'.
const beyond = "~"

// newest calls visit with each place that all the indexes have, latest first, beginning before the place that before
// names ("" for the end) until visit says false. Indexes end in the same places, so that those of all filters at once
// are found by leaping from one to the other: the cost is that of the rarest filter, not of the whole list.
func (v view) newest(indexes [][]byte, before string, visit func(place string) bool) {
	if before == "" {
		before = beyond
	}
	var cursors []*reverse
	for _, index := range indexes {
		r := v.reverse(index)
		defer r.close()
		cursors = append(cursors, r)
	}
	at, ok := cursors[0].before(before)
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
			at, ok = cursors[0].before(at)
		}
	}
}

// reverse walks an index from its end.
type reverse struct {
	it     *badgerdb.Iterator
	prefix []byte
}

// reverse opens an index.
func (v view) reverse(index []byte) *reverse {
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchValues, opt.Reverse, opt.Prefix = false, true, index
	return &reverse{v.txn.NewIterator(opt), index}
}

// upTo is the last place that is not after limit; false without one.
func (r *reverse) upTo(limit string) (string, bool) {
	if place, ok := r.place(); ok && place <= limit {
		// It stands before limit already; nothing lies between, since it came here from the end.
		return place, true
	}
	r.it.Seek(append(slices.Clip(r.prefix), limit...))
	return r.place()
}

// before is the last place before limit.
func (r *reverse) before(limit string) (string, bool) {
	place, ok := r.upTo(limit)
	if ok && place == limit {
		r.it.Next()
		return r.place()
	}
	return place, ok
}

// place is where it stands.
func (r *reverse) place() (string, bool) {
	if !r.it.ValidForPrefix(r.prefix) {
		return "", false
	}
	return string(r.it.Item().Key()[len(r.prefix):]), true
}

// close ends the walk.
func (r *reverse) close() { r.it.Close() }

// newestPage is a page of what the places of an index lead to, latest first.
func newestPage[T any](
	v view, list []string, index []byte, limit int, after string, find func(place string) (T, error),
) (store.Page[T], error) {
	page := store.Page[T]{Items: []T{}}
	before, err := placeOfCursor(list, after)
	if err != nil {
		return page, err
	}
	var last string
	v.newest([][]byte{index}, before, func(place string) bool {
		if len(page.Items) == limit {
			page.Next = cursor(list, last)
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
	page.Incomplete = page.Unreadable > 0 || v.lost.touches(index)
	return page, err
}
