package badger

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"sync"
)

// lowWatermarks remembers of a few indexes where to begin to look. They are queues: entries come at the end and go at the
// front, and a deleted entry is passed by every later walk until the database compacts it, thousands of them on a busy
// day. What is remembered follows from the database, is made anew at every opening, and may only make a walk shorter.
//
// For each part of a queue (one organization's scheduled calls, one lane of its outbox) it knows a place before which
// nothing lies. A reader that has found the first entry raises the place; the committer lowers it for what it adds. A
// reader does not see what is committed after its snapshot, so it raises no further than the least that was on its way
// since it began.
type lowWatermarks struct {
	mu      sync.Mutex
	floors  map[string]string             // by part: nothing lies before this place
	flying  map[string]string             // by part: the least place of the transaction that is being committed
	readers map[*watermarkReader]struct{} // who may raise a floor
}

// watermarkReader is one reader's time between its beginning and its raising of floors.
type watermarkReader struct {
	floors map[string]string // by part, as they were
	least  map[string]string // by part, of what was on its way meanwhile
}

// queues are the kinds of keys whose floors are kept, with the number of fields that make a part of them.
var queues = map[string]int{kindCallDue: 1, kindDeliveryDue: 2}

// newMemo looks all queues over once.
func newMemo(v snapshotView) *lowWatermarks {
	m := &lowWatermarks{floors: map[string]string{}, flying: map[string]string{}, readers: map[*watermarkReader]struct{}{}}
	for kind := range queues {
		w := v.openWalk(joinPrefix(kind))
		for w.it.Rewind(); w.it.Valid(); {
			part, place := partOf(w.it.Item().KeyCopy(nil))
			m.floors[part] = place
			w.it.Seek([]byte(part + beyond))
		}
		w.closeWalk()
	}
	return m
}

// partOf takes a key of a queue apart into its part and its place there; empty for another key.
func partOf(key []byte) (part, place string) {
	kind, _, _ := bytes.Cut(key, []byte{'/'})
	fields, queue := queues[string(kind)]
	if !queue {
		return "", ""
	}
	end := len(kind) + 1
	for range fields {
		end += bytes.IndexByte(key[end:], '/') + 1
	}
	return string(key[:end]), string(key[end:])
}

// lowerPlace sets a place down to what is added, or to it where there was none.
func lowerPlace(places map[string]string, part, place string) {
	if before, known := places[part]; !known || place < before {
		places[part] = place
	}
}

// beginWrite hears what a transaction is about to write.
func (m *lowWatermarks) beginWrite(written []keyChange) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, ch := range written {
		part, place := partOf(ch.key)
		if part == "" || ch.value == nil {
			continue
		}
		lowerPlace(m.flying, part, place)
		for r := range m.readers {
			lowerPlace(r.least, part, place)
		}
	}
}

// endWrite hears that the transaction is on disk, or that it failed: then a walk begins a little too early.
func (m *lowWatermarks) endWrite() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for part, place := range m.flying {
		lowerPlace(m.floors, part, place)
	}
	clear(m.flying)
}

// beginRead begins a reader; it must be ended, and open its snapshot in between.
func (m *lowWatermarks) beginRead() *watermarkReader {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &watermarkReader{floors: maps.Clone(m.floors), least: maps.Clone(m.flying)}
	m.readers[r] = struct{}{}
	return r
}

// raiseWatermarks ends a reader, which has found these first places; a part without any is raised beyond all.
func (m *lowWatermarks) raiseWatermarks(r *watermarkReader, first map[string]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.readers, r)
	for part, place := range first {
		if least, some := r.least[part]; some && least < place {
			place = least
		}
		if place > m.floors[part] {
			m.floors[part] = place
		}
	}
}

// possibleParts are the parts of a queue that may hold something, in order.
func (r *watermarkReader) possibleParts(queue []byte) []string {
	var parts []string
	for part, floor := range r.floors {
		if floor != beyond && strings.HasPrefix(part, string(queue)) {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return parts
}
