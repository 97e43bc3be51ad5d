package badger

import (
	"slices"
	"strings"

	"munadi/store"
	"munadi/store/driver"
)

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
