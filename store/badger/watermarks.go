package badger

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"sync"
)

// lowWatermarks are in-memory low watermarks of the queue indexes: where a scan may start. Entries are added at the end
// and removed at the front; Badger keeps a tombstone for each removed entry until compaction, thousands on a busy day,
// and every scan would step over them. Watermarks are derived from the database, rebuilt at every opening, and only
// ever shorten a scan.
//
// For each partition of a queue (one organization's scheduled calls, one lane of its outbox) the watermark is a key
// below which nothing exists. A reader that found the first entry raises it; the committer lowers it for what it adds.
// A reader does not see commits after its snapshot, so it raises the watermark at most to the lowest key committed
// since it began.
type lowWatermarks struct {
	mu      sync.Mutex
	floors  map[string]string             // by partition: nothing exists below this place
	flying  map[string]string             // by partition: lowest place of the transaction being committed
	readers map[*watermarkReader]struct{} // readers that may raise a watermark
}

// watermarkReader is one reader between beginRead and raiseWatermarks.
type watermarkReader struct {
	floors map[string]string // by partition, when it began
	least  map[string]string // by partition, lowest place committed meanwhile
	void   bool              // the watermarks were reset meanwhile: it raises none
}

// queues are the kinds of keys with watermarks, with the number of key fields that form a partition.
var queues = func() map[string]int {
	fields := map[string]int{}
	for kind, q := range declaredQueues {
		if q.Index.Partition > 0 {
			fields[kind] = q.Index.Partition
		}
	}
	return fields
}()

// newWatermarks scans all queues once.
func newWatermarks(v snapshotView) *lowWatermarks {
	m := &lowWatermarks{floors: map[string]string{}, flying: map[string]string{}, readers: map[*watermarkReader]struct{}{}}
	m.scanQueues(v)
	return m
}

// scanQueues sets the watermark of each partition to its first place.
func (m *lowWatermarks) scanQueues(v snapshotView) {
	for kind := range queues {
		w := v.openWalk(joinPrefix(kind))
		for w.it.Rewind(); w.it.Valid(); {
			part, place := partOf(w.it.Item().KeyCopy(nil))
			m.floors[part] = place
			w.it.Seek([]byte(part + beyond))
		}
		w.closeWalk()
	}
}

// resetWatermarks scans all queues again after damaged blocks were removed: a damaged block hid the rest of its table,
// and readers may have raised watermarks beyond hidden entries.
func (m *lowWatermarks) resetWatermarks(v snapshotView) {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.floors)
	for r := range m.readers {
		r.void = true
	}
	m.scanQueues(v)
}

// partOf splits a queue key into its partition and its place there; empty for another key.
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

// lowerPlace lowers the watermark of a partition to place, or sets it where there was none.
func lowerPlace(places map[string]string, part, place string) {
	if before, known := places[part]; !known || place < before {
		places[part] = place
	}
}

// beginWrite registers the keys that a transaction is about to write.
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

// endWrite ends the registration, after a commit or a failure; after a failure a scan may begin slightly too early.
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

// beginRead registers a reader, which must open its snapshot afterwards and end with raiseWatermarks.
func (m *lowWatermarks) beginRead() *watermarkReader {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &watermarkReader{floors: maps.Clone(m.floors), least: maps.Clone(m.flying)}
	m.readers[r] = struct{}{}
	return r
}

// raiseWatermarks ends a reader that found these first places; a partition without entries is raised beyond all keys.
func (m *lowWatermarks) raiseWatermarks(r *watermarkReader, first map[string]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.readers, r)
	if r.void {
		return
	}
	for part, place := range first {
		if least, some := r.least[part]; some && least < place {
			place = least
		}
		if place > m.floors[part] {
			m.floors[part] = place
		}
	}
}

// possibleParts returns the partitions of a queue that may hold entries, in order.
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
