package badger

import (
	"slices"
	"strconv"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// walk goes through parts of an index, one after another.
type walk struct {
	it   *badgerdb.Iterator
	part []byte
}

// walk opens an index.
func (v view) walk(index []byte) *walk {
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchValues, opt.Prefix = false, index
	return &walk{v.txn.NewIterator(opt), index}
}

// close ends the walk.
func (w *walk) close() { w.it.Close() }

// enter goes to the first place of a part that is not before floor, and says which; [beyond] where there is none.
func (w *walk) enter(part, floor string) string {
	w.part = []byte(part)
	w.it.Seek(append(slices.Clip(w.part), floor...))
	if place, ok := w.place(); ok {
		return place
	}
	return beyond
}

// next is the place after the last one.
func (w *walk) next() (string, bool) {
	w.it.Next()
	return w.place()
}

// after is the first place whose leading field is after the one given.
func (w *walk) after(leading string) (string, bool) {
	w.it.Seek(append(slices.Clip(w.part), leading+beyond...))
	return w.place()
}

// place is where it stands.
func (w *walk) place() (string, bool) {
	if !w.it.ValidForPrefix(w.part) {
		return "", false
	}
	return string(w.it.Item().Key()[len(w.part):]), true
}

// value is what stands there.
func (w *walk) value() ([]byte, error) { return w.it.Item().ValueCopy(nil) }

// timeOf is the time that a stamp was made of; zero for what is no stamp.
func timeOf(stamp string) time.Time {
	ns, err := strconv.ParseInt(stamp, 16, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}
