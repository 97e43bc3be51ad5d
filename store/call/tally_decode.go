package call

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// UnmarshalJSON implements [json.Unmarshaler]: reports decode many thousands of tallies for a page. The compact form of
// [json.Marshal] is decoded without reflection; what is not in it, such as a value with an escape, by encoding/json.
func (t *CallTally) UnmarshalJSON(raw []byte) error {
	decoded, err := DecodeTally(raw, nil)
	decoded.At, decoded.ScenarioID = t.At, t.ScenarioID
	*t = decoded
	return err
}

// DecodeTally decodes the JSON of a tally with the answers of some slots alone; of all without any.
func DecodeTally(raw []byte, slots []string) (CallTally, error) {
	s, fast := tallyScanner{raw, slots}, CallTally{}
	if s.scanTally(&fast) && len(s.rest) == 0 {
		return fast, nil
	}
	type reflected CallTally
	var slow reflected
	err := json.Unmarshal(raw, &slow)
	isUnwanted := func(slot string, _ map[string]int) bool { return !s.isWanted(slot) }
	maps.DeleteFunc(slow.Answers, isUnwanted)
	maps.DeleteFunc(slow.InboundAnswers, isUnwanted)
	return CallTally(slow), err
}

// tallyScanner reads the JSON of a tally from its beginning. Its methods return false for what they do not read.
type tallyScanner struct {
	rest  []byte
	slots []string // whose answers are read; empty: all
}

// isWanted reports whether the answers of a slot are read.
func (s *tallyScanner) isWanted(slot string) bool {
	return len(s.slots) == 0 || slices.Contains(s.slots, slot)
}

// scanTally reads a tally; a field that is there twice is not read.
func (s *tallyScanner) scanTally(t *CallTally) bool {
	count := func() (map[CallStatus]int, bool) { return scanObject(s, asText[CallStatus], s.scanCount) }
	return s.eachField(func(name string) (ok bool) {
		switch {
		case name == "counts" && t.Counts == nil:
			t.Counts, ok = count()
		case name == "by_operator" && t.ByOperator == nil:
			t.ByOperator, ok = count()
		case name == "inbound" && t.Inbound == nil:
			t.Inbound, ok = count()
		case name == "answers" && t.Answers == nil:
			t.Answers, ok = s.scanAnswers()
		case name == "inbound_answers" && t.InboundAnswers == nil:
			t.InboundAnswers, ok = s.scanAnswers()
		case name == "dialled" && t.Dialled == nil:
			t.Dialled, ok = scanObject(s, func(name string) (int64, bool) {
				step, err := strconv.ParseInt(name, 10, 64)
				return step, err == nil
			}, count)
		case name == "callers" && t.Callers == nil:
			t.Callers, ok = scanObject(s, asText[string], count)
		}
		return ok
	})
}

// scanAnswers reads the answers of the wanted slots, and passes over those of the others.
func (s *tallyScanner) scanAnswers() (map[string]map[string]int, bool) {
	all := map[string]map[string]int{}
	ok := s.eachField(func(slot string) (ok bool) {
		if !s.isWanted(slot) {
			return s.eachField(func(string) bool { _, ok := s.scanCount(); return ok })
		}
		if _, twice := all[slot]; twice {
			return false
		}
		all[slot], ok = scanObject(s, asText[string], s.scanCount)
		return ok
	})
	return all, ok
}

func asText[K ~string](name string) (K, bool) { return K(name), true }

// scanObject reads an object as a map; one with a key that is there twice is not read.
func scanObject[K comparable, V any](
	s *tallyScanner, key func(string) (K, bool), value func() (V, bool),
) (map[K]V, bool) {
	all := map[K]V{}
	ok := s.eachField(func(name string) bool {
		k, isKey := key(name)
		if _, twice := all[k]; twice || !isKey {
			return false
		}
		v, isValue := value()
		all[k] = v
		return isValue
	})
	return all, ok
}

// eachField reads an object and calls field for each of its values.
func (s *tallyScanner) eachField(field func(name string) bool) bool {
	if !s.skip('{') {
		return false
	}
	if s.skip('}') {
		return true
	}
	for {
		name, ok := s.scanName()
		switch {
		case !ok || !s.skip(':') || !field(name):
			return false
		case s.skip('}'):
			return true
		case !s.skip(','):
			return false
		}
	}
}

// skip skips a byte.
func (s *tallyScanner) skip(b byte) bool {
	if len(s.rest) == 0 || s.rest[0] != b {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// scanName reads a string without escapes.
func (s *tallyScanner) scanName() (string, bool) {
	if !s.skip('"') {
		return "", false
	}
	end := bytes.IndexByte(s.rest, '"')
	if end < 0 {
		return "", false
	}
	name := s.rest[:end]
	for _, b := range name {
		if b == '\\' || b < ' ' {
			return "", false
		}
	}
	s.rest = s.rest[end+1:]
	if known, is := frequentNames[string(name)]; is {
		return known, true
	}
	return string(name), utf8.Valid(name)
}

// frequentNames are the names of which a tally has many, so that they need no memory of their own.
var frequentNames = func() map[string]string {
	all := map[string]string{}
	add := func(name string) { all[name] = name }
	for _, field := range []string{
		"counts", "by_operator", "answers", "dialled", "callers", "inbound", "inbound_answers", "true", "false", "null",
	} {
		add(field)
	}
	for _, status := range append(AllStatuses(), Answered) {
		add(string(status))
		add(operatorMark + string(status))
	}
	return all
}()

// maxCountDigits is the largest number of digits that certainly fits an int.
const maxCountDigits = 9

// scanCount reads a number without sign, fraction and leading zero.
func (s *tallyScanner) scanCount() (n int, ok bool) {
	digits := 0
	for digits < len(s.rest) && '0' <= s.rest[digits] && s.rest[digits] <= '9' {
		n = 10*n + int(s.rest[digits]-'0')
		if digits++; digits > maxCountDigits {
			return 0, false
		}
	}
	ok = digits > 0 && (digits == 1 || s.rest[0] != '0')
	s.rest = s.rest[digits:]
	return n, ok
}
