package service

import (
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"
)

// The limits of a booking's data.
const (
	maxEntries = 100      // of metadata
	maxName    = 64       // characters of a name in metadata or variables
	maxValue   = 2000     // characters of a value in metadata
	maxBytes   = 64 << 10 // of metadata, and of variables, as JSON: lists of calls hold both
)

// InvalidNumber is the message for a number that is not [phonenumber.IsE164]. Numbering plans are not checked; the
// carrier knows them.
const InvalidNumber = "must be an E.164 number: a plus sign and 7 to 15 digits, the first of which is not 0"

// checkMetadata bounds a booking's metadata.
func checkMetadata(all map[string]string, found *FieldViolations) {
	if len(all) > maxEntries {
		found.AddViolation("metadata", "must have at most %d entries", maxEntries)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		checkName("metadata", name, found)
		if utf8.RuneCountInString(all[name]) > maxValue {
			found.AddViolation("metadata."+name, "must have at most %d characters", maxValue)
		}
	}
	checkSize("metadata", all, found)
}

// checkVariableNames bounds the names and the size of a booking's variables; the scenario checks their values.
func checkVariableNames(all map[string]any, found *FieldViolations) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		checkName("variables", name, found)
	}
	checkSize("variables", all, found)
}

func checkName(path, name string, found *FieldViolations) {
	if n := utf8.RuneCountInString(name); n < 1 || n > maxName {
		found.AddViolation(path, "must have names of 1 to %d characters", maxName)
	}
}

// checkSize limits the size of the data stored with a call.
func checkSize(path string, all any, found *FieldViolations) {
	if data, err := json.Marshal(all); err != nil || len(data) > maxBytes {
		found.AddViolation(path, "must take at most %d KiB as JSON", maxBytes>>10)
	}
}
