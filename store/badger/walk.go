package badger

import (
	"slices"
	"strconv"
	"strings"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// walk goes through one owner's part of an index.
type walk struct {
	it     *badgerdb.Iterator
	prefix []byte
}

// eachOwner calls visit with every organization that has an entry in an index and with its part of it. From one
// organization to the next is one seek, however much of its part was left unvisited.
func eachOwner(v view, index []byte, visit func(orgID string, w *walk)) {
	opt := badgerdb.DefaultIteratorOptions
	opt.PrefetchValues, opt.Prefix = false, index
	it := v.txn.NewIterator(opt)
	defer it.Close()
	for it.Seek(index); it.ValidForPrefix(index); {
		orgID, _, _ := strings.Cut(string(it.Item().Key()[len(index):]), "/")
		part := append(slices.Clip(index), orgID...)
		visit(orgID, &walk{it, append(slices.Clip(part), '/')})
		it.Seek(append(part, '/'+1))
	}
}

// first is the first place of the part; false when it is empty.
func (w *walk) first() (string, bool) {
	w.it.Seek(w.prefix)
	return w.place()
}

// next is the place after the last one.
func (w *walk) next() (string, bool) {
	w.it.Next()
	return w.place()
}

// after is the first place whose leading part is after the one given.
func (w *walk) after(leading string) (string, bool) {
	w.it.Seek(append(slices.Clip(w.prefix), leading+beyond...))
	return w.place()
}

// place is where it stands.
func (w *walk) place() (string, bool) {
	if !w.it.ValidForPrefix(w.prefix) {
		return "", false
	}
	return string(w.it.Item().Key()[len(w.prefix):]), true
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
