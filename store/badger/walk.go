package badger

import (
	"slices"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// indexWalk iterates partitions of an index, one after another.
type indexWalk struct {
	it   *badgerdb.Iterator
	part []byte
}

// openWalk opens an iterator over an index.
func (v snapshotView) openWalk(index []byte) *indexWalk {
	return &indexWalk{v.openIterator(index, withoutPrefetch()), index}
}

// closeWalk closes the iterator.
func (w *indexWalk) closeWalk() { w.it.Close() }

// enterPart seeks to the first place of a partition at or after floor and returns it; [beyond] without one.
func (w *indexWalk) enterPart(part, floor string) string {
	w.part = []byte(part)
	w.it.Seek(append(slices.Clip(w.part), floor...))
	if place, ok := w.currentPlace(); ok {
		return place
	}
	return beyond
}

// nextPlace advances and returns the next place.
func (w *indexWalk) nextPlace() (string, bool) {
	w.it.Next()
	return w.currentPlace()
}

// seekAfter seeks to the first place whose leading field is greater than leading.
func (w *indexWalk) seekAfter(leading string) (string, bool) {
	w.it.Seek(append(slices.Clip(w.part), leading+beyond...))
	return w.currentPlace()
}

// currentPlace returns the current place.
func (w *indexWalk) currentPlace() (string, bool) {
	if !w.it.ValidForPrefix(w.part) {
		return "", false
	}
	return string(w.it.Item().Key()[len(w.part):]), true
}

// currentKey returns the current key.
func (w *indexWalk) currentKey() []byte { return w.it.Item().KeyCopy(nil) }
