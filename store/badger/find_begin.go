package badger

import (
	"slices"
	"strings"

	"munadi/store/driver"
)

// maxBeginnings is the number of different texts with one beginning from which on their entries are not walked side by
// side: so many texts belong to many records, and the order is walked instead, where a page fills up after few of them.
const maxBeginnings = 128

// afterTexts sorts after every text in UTF-8.
const afterTexts = "\xff"

// maxLookedUp is the number of different texts up to which the entries of a place are looked up one by one, instead of
// reading its record.
const maxLookedUp = 8

// unservedCondition is a condition that no index of the order serves.
type unservedCondition struct {
	driver.Condition
	index *driver.Index // by the column's texts, in another order
	texts [][]byte      // prefixes of its entries, at most [maxLookedUp]; nil: the record is compared
	begin keyRange      // of all its entries
}

// addBegins adds the entries of all texts that begin as a condition says: one index for each text. In an order that the
// index does not have, and for too many texts, places are compared one by one.
func (f *finder) addBegins(c driver.Condition) {
	index, prefix := f.prefixByBegin(c)
	order := f.q.Parts()[len(f.q.Equal):]
	texts, few := f.e.view.textsFrom(prefix, len(joinPrefix(index.Kind, encodeEqual(f.q)...)))
	begin := keyRange{prefix, slices.Concat(prefix, []byte(afterTexts))}
	if few && slices.Equal(index.Parts[len(f.q.Equal)+1:], order) {
		f.groups = append(f.groups, indexGroup{
			prefixes: texts, columns: []string{c.Column}, needed: true, begin: &begin,
		})
		return
	}
	one := unservedCondition{Condition: c, index: index, begin: begin}
	if few && len(texts) <= maxLookedUp {
		one.texts = texts
	}
	f.unserved = append(f.unserved, one)
}

// prefixByBegin returns the index by a column of texts, and the prefix of its entries that meet a condition on their
// beginning.
func (f *finder) prefixByBegin(c driver.Condition) (*driver.Index, []byte) {
	i := slices.IndexFunc(f.q.Table.Indexes, func(index *driver.Index) bool {
		return len(index.Parts) > len(f.q.Equal) && index.Parts[len(f.q.Equal)] == c.Column
	})
	index := f.q.Table.Indexes[i]
	return index, append(joinPrefix(index.Kind, encodeEqual(f.q)...), index.EncodePart(c.Column, c.Value)...)
}

// textsFrom returns the prefixes of the entries of each text under a prefix (skip scan); false for more than
// [maxBeginnings]. The text begins at a position of the keys.
func (v snapshotView) textsFrom(prefix []byte, begin int) (texts [][]byte, few bool) {
	w := v.openWalk(prefix)
	defer w.closeWalk()
	for w.it.Seek(prefix); w.it.ValidForPrefix(prefix); {
		if len(texts) == maxBeginnings {
			return nil, false
		}
		key := w.currentKey()
		text := key[:begin+len(splitKey(string(key[begin:]), 2)[0])]
		texts = append(texts, append(slices.Clone(text), '/'))
		w.it.Seek(append(slices.Clone(text), '/'+1))
	}
	return texts, true
}

// meetsUnserved reports whether the record at a place meets the conditions that no index serves. One that cannot be
// read does not, and is reported.
func (f *finder) meetsUnserved(place string) bool {
	var compared []driver.Condition
	for _, c := range f.unserved {
		if c.texts == nil {
			compared = append(compared, c.Condition)
		} else if !f.hasText(c, place) {
			return false
		}
	}
	if len(compared) == 0 {
		return true
	}
	row := f.readRow(place)
	if row.Err != nil {
		return false
	}
	var err error
	if row.Record, row.Columns, err = f.q.Table.Decode(row.Raw); err != nil {
		_ = f.e.Unreadable(f.q.Table, row.Key, err) // it is reported
		return false
	}
	return f.q.Table.Meets(row, compared)
}

// hasText reports whether the record at a place has an entry of one of the texts of a condition. An entry that cannot
// be read counts as one: the record says more.
func (f *finder) hasText(c unservedCondition, place string) bool {
	names := f.q.Parts()[len(f.q.Equal):]
	parts := splitKey(place, len(names))
	var rest []string
	for _, name := range c.index.Parts[len(f.q.Equal)+1:] {
		if i := slices.Index(names, name); i >= 0 && i < len(parts) {
			rest = append(rest, parts[i])
		}
	}
	end := strings.Join(rest, "/")
	return slices.ContainsFunc(c.texts, func(text []byte) bool {
		found, err := f.e.view.hasKey(append(slices.Clip(text), end...))
		return found || err != nil
	})
}
