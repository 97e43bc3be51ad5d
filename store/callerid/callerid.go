// Package callerid chooses the number that a call shows (caller ID) by the number that it calls. It is a leaf package
// of pure rules, for organizations and SIP trunks alike.
package callerid

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"munadi/store/phonenumber"
)

// Limits of the rules.
const (
	maxPrefixes = 100
	maxNumbers  = 100 // of a prefix
)

// NumberRules are caller numbers, E.164, by the beginning of the called number: "+966", or "+" for all. Of several
// beginnings the longest decides; of several numbers each called person gets one, see [NumberRules.PickNumber]. nil:
// none.
type NumberRules map[string][]string

// anyPrefix matches the beginning of an E.164 number, or all.
var anyPrefix = regexp.MustCompile(`^\+([1-9][0-9]{0,14})?$`)

// PickNumber returns the number that a call to a person shows; empty without a rule. It is chosen by rendezvous hashing
// of organization and person: the same for every attempt and on every appliance, evenly spread over people, and a
// number that is added or removed changes it for those people alone who get it, or had it.
func (r NumberRules) PickNumber(orgID, person string) (number string) {
	longest := ""
	for prefix := range r {
		if strings.HasPrefix(person, prefix) && len(prefix) > len(longest) {
			longest = prefix
		}
	}
	var most uint64
	for _, one := range r[longest] {
		sum := sha256.Sum256([]byte(orgID + "\x00" + person + "\x00" + one))
		if weight := binary.BigEndian.Uint64(sum[:]); number == "" || weight > most {
			number, most = one, weight
		}
	}
	return number
}

// CheckRules returns the first fault, in the order of the prefixes; nil for valid rules.
func (r NumberRules) CheckRules() error {
	if len(r) > maxPrefixes {
		return fmt.Errorf("has more than %d prefixes", maxPrefixes)
	}
	for _, prefix := range slices.Sorted(maps.Keys(r)) {
		numbers := r[prefix]
		switch {
		case !anyPrefix.MatchString(prefix):
			return fmt.Errorf("%q is not the beginning of an international number, such as +966, or + for all", prefix)
		case len(numbers) == 0 || len(numbers) > maxNumbers:
			return fmt.Errorf("%s has %d caller numbers, not 1 to %d", prefix, len(numbers), maxNumbers)
		}
		for i, number := range numbers {
			if !phonenumber.IsE164(number) {
				return fmt.Errorf("%s: caller number %d is not an international number, such as +966112345678", prefix, i+1)
			}
			if slices.Contains(numbers[:i], number) {
				return fmt.Errorf("%s: caller number %d is there twice", prefix, i+1)
			}
		}
	}
	return nil
}

// FormatLines returns the rules as people type them, one line a prefix: "+966: +966112345678, +966112345679".
func (r NumberRules) FormatLines() (lines []string) {
	for _, prefix := range slices.Sorted(maps.Keys(r)) {
		lines = append(lines, prefix+": "+strings.Join(r[prefix], ", "))
	}
	return lines
}

// ParseLines parses the lines of [NumberRules.FormatLines], which may be faulty: see [NumberRules.CheckRules]. A line
// without a colon is a prefix without numbers.
func ParseLines(lines []string) NumberRules {
	var r NumberRules
	for _, line := range lines {
		prefix, rest, _ := strings.Cut(line, ":")
		if r == nil {
			r = NumberRules{}
		}
		prefix = strings.TrimSpace(prefix)
		r[prefix] = append(r[prefix], strings.FieldsFunc(rest, func(c rune) bool {
			return strings.ContainsRune(",،; \t", c)
		})...)
	}
	return r
}
