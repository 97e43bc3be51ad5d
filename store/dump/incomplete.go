package dump

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MissingKey is the key of the last record of an incomplete dump: an [IncompleteError] as JSON. It sorts after all
// others. Versions that do not know it restore it as a record that nothing reads.
const MissingKey = "~missing"

// maxMissingNames is the maximum number of missing records that are named.
const maxMissingNames = 100

// IncompleteError says what is missing in a dump, because it was damaged when the dump was written. The dump itself is
// whole: all its other records were read.
type IncompleteError struct {
	Records RecordCounts `json:"records"`          // by kind
	Names   []string     `json:"names"`            // keys, with phone numbers masked; the first hundred
	Blocks  int          `json:"blocks,omitempty"` // damaged blocks, with an unknown number of further records
}

// IsIncomplete reports whether err is an [*IncompleteError].
func IsIncomplete(err error) bool {
	var incomplete *IncompleteError
	return errors.As(err, &incomplete)
}

// AddRecord adds a missing record by its key, with phone numbers masked.
func (e *IncompleteError) AddRecord(name string) {
	if e.Records == nil {
		e.Records = RecordCounts{}
	}
	kind, _, _ := strings.Cut(name, "/")
	e.Records[kind]++
	if len(e.Names) < maxMissingNames {
		e.Names = append(e.Names, name)
	}
}

// isEmpty reports that nothing is missing.
func (e *IncompleteError) isEmpty() bool { return len(e.Records) == 0 && e.Blocks == 0 }

// Error implements error.
func (e *IncompleteError) Error() string {
	var said []string
	if len(e.Records) > 0 {
		counts := []string{}
		total := uint64(0)
		for _, kind := range slices.Sorted(maps.Keys(e.Records)) {
			counts = append(counts, fmt.Sprintf("%s: %d", kind, e.Records[kind]))
			total += e.Records[kind]
		}
		names := strings.Join(e.Names, ", ")
		if total > uint64(len(e.Names)) {
			names += ", …"
		}
		said = append(said, fmt.Sprintf("%d damaged on the disk (%s): %s", total, strings.Join(counts, ", "), names))
	}
	if e.Blocks > 0 {
		said = append(said, fmt.Sprintf("those in damaged blocks of the database, of unknown number (blocks: %d)", e.Blocks))
	}
	return "these records are missing: " + strings.Join(said, "; and ")
}

// WriteMissing writes what is missing, as the last record; nothing if nothing is.
func (d *DumpWriter) WriteMissing(e *IncompleteError) error {
	if e.isEmpty() {
		return d.err
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return d.WriteRecord([]byte(MissingKey), text)
}

// readMissing parses the last record of an incomplete dump.
func readMissing(value []byte) error {
	var e IncompleteError
	if err := json.Unmarshal(value, &e); err != nil || e.isEmpty() {
		return NewCorruptError("the dump's list of missing records cannot be read", err)
	}
	return &e
}
