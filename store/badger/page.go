package badger

import (
	"slices"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// beyond sorts after every place in an index: places begin with a letter, a digit or '+'.
const beyond = "~"

// maxMissing is the maximum number of missing entries that a walk records.
const maxMissing = 20

// placeWalk iterates over the intersection of several groups of indexes (leapfrog join). All indexes sort by the same
// places, the ends of their keys, so a walk seeks in one index to the place found in another: the cost is that of the
// most selective filter, not of the whole list.
type placeWalk struct {
	view    snapshotView
	groups  [][]*orderedWalk // a common place is in at least one index of each group
	missing []string         // places that all groups but the last one have, at most [maxMissing]
	most    int              // number of places that only some groups have after which the walk ends; 0: no limit
	passed  int              // of these places
	stopped string           // the last of them, when it has ended there
}

// openPlaces opens the indexes; the walk begins at their end when latest is true.
func (v snapshotView) openPlaces(groups [][][]byte, latest bool) *placeWalk {
	w := &placeWalk{view: v}
	for _, group := range groups {
		var walks []*orderedWalk
		for _, index := range group {
			walks = append(walks, v.openOrdered(index, latest))
		}
		w.groups = append(w.groups, walks)
	}
	return w
}

// closeWalk closes the iterators.
func (w *placeWalk) closeWalk() {
	for _, group := range w.groups {
		for _, walk := range group {
			walk.it.Close()
		}
	}
}

// visitAfter calls visit with each common place after the given one, and with its value in the last group, until visit
// returns false. The value is valid only until visit returns.
func (w *placeWalk) visitAfter(after string, visit func(place string, value []byte) bool) {
	at, ok := w.nextOf(w.groups[0], after)
	for ok {
		var agreed bool
		last := at
		if at, agreed, ok = w.agreeOn(at); !ok {
			return
		}
		switch {
		case !agreed && w.passed+1 == w.most:
			w.stopped = last
			return
		case !agreed:
			w.passed++
			at, ok = w.reachIn(w.groups[0], at)
		case !visit(at, w.valueAt(at)):
			return
		default:
			at, ok = w.nextOf(w.groups[0], at)
		}
	}
}

// agreeOn reports whether all groups have the place at. If not, place is the next place that they may have in common;
// ok is false when there is none.
func (w *placeWalk) agreeOn(at string) (place string, agreed, ok bool) {
	for i, group := range w.groups[1:] {
		place, ok := w.reachIn(group, at)
		if !ok || place != at {
			if i+2 == len(w.groups) && len(w.missing) < maxMissing {
				w.missing = append(w.missing, at)
			}
			return place, false, ok
		}
	}
	return at, true, true
}

// reachIn returns a group's first place, in the direction of the walk, that is not before at.
func (w *placeWalk) reachIn(group []*orderedWalk, at string) (best string, ok bool) {
	for _, walk := range group {
		if place, some := walk.reachPlace(at); some && (!ok || walk.isBefore(place, best)) {
			best, ok = place, true
		}
	}
	return best, ok
}

// nextOf returns a group's first place after at, in the direction of the walk.
func (w *placeWalk) nextOf(group []*orderedWalk, at string) (string, bool) {
	for _, walk := range group {
		if place, some := walk.reachPlace(at); some && place == at {
			walk.it.Next()
			walk.currentPlace()
		}
	}
	return w.reachIn(group, at)
}

// valueAt returns the value at a position in the current last group; empty for an unreadable one.
func (w *placeWalk) valueAt(at string) (value []byte) {
	for _, walk := range w.groups[len(w.groups)-1] {
		if place, ok := walk.currentPlace(); ok && place == at {
			value, _ = w.view.valueOf(walk.it.Item())
		}
	}
	return value
}

// orderedWalk walks one index in either direction.
type orderedWalk struct {
	it     *badgerdb.Iterator
	prefix []byte
	latest bool // from its end
	begun  bool // it has a position
	ended  bool // end of the index
}

// openOrdered opens an index.
func (v snapshotView) openOrdered(index []byte, latest bool) *orderedWalk {
	opt := withoutPrefetch()
	opt.Reverse = latest
	return &orderedWalk{it: v.openIterator(index, opt), prefix: index, latest: latest}
}

// isBefore reports whether a comes before b in the direction of the walk.
func (w *orderedWalk) isBefore(a, b string) bool { return a != b && (a > b) == w.latest }

// reachPlace returns the first place that is not before at; false without one.
func (w *orderedWalk) reachPlace(at string) (string, bool) {
	if w.ended {
		return "", false
	}
	if w.begun {
		if place, ok := w.currentPlace(); !ok || !w.isBefore(place, at) {
			return place, ok // no entry lies between, since the walk came from before it
		}
	}
	w.begun = true
	w.it.Seek(append(slices.Clip(w.prefix), at...))
	return w.currentPlace()
}

// currentPlace returns the current position; false past the last one.
func (w *orderedWalk) currentPlace() (string, bool) {
	if w.ended = w.ended || !w.it.ValidForPrefix(w.prefix); w.ended {
		return "", false
	}
	return string(w.it.Item().Key()[len(w.prefix):]), true
}
