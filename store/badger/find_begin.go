package badger

import (
	"slices"
	"strings"

	"munadi/store"
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

// maxListed limits the places that a search by the end or beginning of a text reads from its index. With more, the
// order is read instead, where a page fills up after few entries.
const maxListed = 5000

// fewPlaces returns the places of all records whose text may match a condition on its end or beginning, in the order of
// the query; false without such a condition, or an index for it, and for more than [maxListed]. It also serves a whole
// text in an order that its index does not have.
func (f *finder) fewPlaces() (places []string, few bool) {
	if index, prefix, suspect := f.prefixByEnd(); prefix != nil {
		return f.listPlaces(index, prefix, suspect)
	}
	for _, c := range f.unserved {
		index, prefix := f.prefixByBegin(c.Condition)
		if places, few = f.listPlaces(index, prefix, prefix); few {
			return slices.Compact(places), true // a record has an entry for each of its texts
		}
	}
	return nil, false
}

// prefixByEnd returns the index by the end of a text, the prefix of its entries that meet a condition, and what would
// hide them when it is lost; nil without such a condition, or an index for it.
func (f *finder) prefixByEnd() (index *driver.Index, prefix, suspect []byte) {
	i := slices.IndexFunc(f.q.Table.Indexes, func(index *driver.Index) bool { return index.Reversed != "" })
	if i < 0 {
		return nil, nil, nil
	}
	index = f.q.Table.Indexes[i]
	for _, c := range f.q.Where {
		if c.Column == index.Reversed && (c.Op == driver.Is || c.Op == driver.Ends) {
			suspect = append(joinPrefix(index.Kind, encodeEqual(f.q)...), index.EncodePart(c.Column, c.Value)...)
			if prefix = suspect; c.Op == driver.Is {
				prefix = append(slices.Clone(suspect), '/')
				break
			}
		}
	}
	if slices.ContainsFunc(f.groups, func(g indexGroup) bool { return slices.Contains(g.columns, index.Reversed) }) {
		return nil, nil, nil
	}
	return index, prefix, suspect
}

// listPlaces returns the places of the entries of an index under a prefix, in the order of the query; false for more
// than [maxListed]. A lost entry under suspect would hide records.
func (f *finder) listPlaces(index *driver.Index, prefix, suspect []byte) (places []string, few bool) {
	q := driver.Query{Table: f.q.Table, Index: index, Equal: f.q.Equal}
	w := f.e.view.openWalk(prefix)
	defer w.closeWalk()
	w.it.Seek(prefix)
	for _, ok := w.currentPlace(); ok; _, ok = w.nextPlace() {
		if len(places) == maxListed {
			return nil, false
		}
		if place, err := f.placeOf(q, w); err == nil {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	if f.q.Latest {
		slices.Reverse(places)
	}
	f.suspects = []keyRange{{suspect, slices.Concat(suspect, []byte(afterTexts))}}
	return places, true
}

// placeOf returns the place of the record of another index's current entry: the parts of the order that the entry's key
// or value holds.
func (f *finder) placeOf(q driver.Query, w *indexWalk) (string, error) {
	value, err := f.e.view.valueOf(w.it.Item())
	if err != nil {
		return "", err
	}
	key := w.currentKey()
	given := joinPrefix(q.Index.Kind, encodeEqual(q)...)
	parts := append(encodeEqual(q), splitKey(string(key[len(given):]), len(q.Index.Parts)-len(q.Equal))...)
	pointers := strings.Split(string(value), "/")
	var place []string
	for _, name := range f.q.Parts()[len(f.q.Equal):] {
		i, n := slices.Index(q.Index.Parts, name), slices.Index(q.Index.Value, name)
		part := ""
		if i >= 0 && i < len(parts) {
			part = parts[i]
		} else if n >= 0 && n < len(pointers) {
			part = pointers[n]
		}
		if _, wellFormed := q.Table.DecodePart(name, part); part == "" || !wellFormed {
			return "", f.e.view.newUnreadableError(key, errNoEntry)
		}
		place = append(place, part)
	}
	return strings.Join(place, "/"), nil
}

// visitListed calls visit with each of some places behind after and the value of its entry, until visit returns false.
// Places that a needed index lacks are left out.
func (f *finder) visitListed(places []string, after string, visit func(place string, facts []byte) bool) {
	for _, place := range places {
		if f.q.Latest && place >= after || !f.q.Latest && place <= after {
			continue
		}
		facts, found, err := f.e.view.rawValue(append(slices.Clip(f.base), place...))
		if !found {
			f.noteMissing(place)
		}
		if store.IsUnreadable(err) {
			found, err = true, nil
		}
		for _, group := range f.groups {
			if found && err == nil && group.needed {
				found, err = f.hasPlace(group, place)
			}
		}
		if found && err == nil && !visit(place, facts) {
			return
		}
	}
}

// hasPlace reports whether one of a group's indexes has a place.
func (f *finder) hasPlace(group indexGroup, place string) (found bool, err error) {
	for _, prefix := range group.prefixes {
		if err == nil && !found {
			found, err = f.e.view.hasKey(append(slices.Clip(prefix), place...))
		}
	}
	return found, err
}
