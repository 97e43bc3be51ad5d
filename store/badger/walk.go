package badger

import (
	"slices"
	"strconv"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// indexWalk goes through parts of an index, one after another.
type indexWalk struct {
	it   *badgerdb.Iterator
	part []byte
}

// openWalk opens an index.
func (v snapshotView) openWalk(index []byte) *indexWalk {
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchValues, opt.Prefix = false, index
	return &indexWalk{v.txn.NewIterator(opt), index}
}

// closeWalk ends the walk.
func (w *indexWalk) closeWalk() { w.it.Close() }

// enterPart goes to the first place of a part that is not before floor, and says which; [beyond] where there is none.
func (w *indexWalk) enterPart(part, floor string) string {
	w.part = []byte(part)
	w.it.Seek(append(slices.Clip(w.part), floor...))
	if place, ok := w.currentPlace(); ok {
		return place
	}
	return beyond
}

// nextPlace is the place after the last one.
func (w *indexWalk) nextPlace() (string, bool) {
	w.it.Next()
	return w.currentPlace()
}

// seekAfter is the first place whose leading field is after the one given.
func (w *indexWalk) seekAfter(leading string) (string, bool) {
	w.it.Seek(append(slices.Clip(w.part), leading+beyond...))
	return w.currentPlace()
}

// currentPlace is where it stands.
func (w *indexWalk) currentPlace() (string, bool) {
	if !w.it.ValidForPrefix(w.part) {
		return "", false
	}
	return string(w.it.Item().Key()[len(w.part):]), true
}

// currentValue is what stands there.
func (w *indexWalk) currentValue() ([]byte, error) { return w.it.Item().ValueCopy(nil) }

// timeOf is the time that a stamp was made of; zero for what is no stamp.
func timeOf(stamp string) time.Time {
	ns, err := strconv.ParseInt(stamp, 16, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}
