// Package phonenumber knows the national numbering plans, from libphonenumber's metadata: which numbers are possible in
// a region, and which ones cost more than a call. It is a leaf and the only importer of that library.
package phonenumber

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

var e164 = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

// IsE164 reports whether text has the form of an international number: a plus sign and 7 to 15 digits, the first of
// which is not 0. No numbering plan is asked.
func IsE164(text string) bool { return e164.MatchString(text) }

// IsAssigned reports whether the numbering plans have a number: in E.164 form, of a known type.
func IsAssigned(number string) bool {
	return IsE164(number) && numberType(number) != phonenumbers.UNKNOWN
}

// ParsePossible returns the E.164 form of a number that is possible in its country. One without a country code belongs
// to the region.
func ParsePossible(typed, region string) (string, bool) {
	number, err := phonenumbers.Parse(typed, region)
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		return "", false
	}
	found := phonenumbers.Format(number, phonenumbers.E164)
	return found, IsE164(found)
}

// ListRegions returns the ISO 3166-1 codes of the countries whose national numbers can be read, sorted.
func ListRegions() []string {
	var all []string
	for region := range phonenumbers.GetSupportedRegions() {
		all = append(all, region)
	}
	slices.Sort(all)
	return all
}

// IsRegion reports whether text is one of [ListRegions].
func IsRegion(text string) bool { return CallingCode(text) != 0 }

// CallingCode returns the country calling code of a region, such as 966; 0 for an unknown one.
func CallingCode(region string) int { return phonenumbers.GetCountryCodeForRegion(region) }

// Digits of an E.164 number. A shorter one is a service of its country, such as an emergency number.
const (
	MinDigits = 7
	maxDigits = 15
)

// IsCostly reports whether a number is premium-rate, in a network without a country, or a personal number, which rings
// wherever its owner has it forwarded, at the caller's expense. Shared-cost numbers are not costly: customer services
// have them (Saudi Arabia's 9200).
//
// Exchanges ignore digits after a complete number, and the metadata does not have every length, so a number of unknown
// type is costly if it is with digits taken off or added.
func IsCostly(number string) bool {
	if slices.ContainsFunc(costlyPrefixes, func(prefix string) bool { return strings.HasPrefix(number, prefix) }) {
		return true
	}
	if kind := numberType(number); kind != phonenumbers.UNKNOWN {
		return isCostlyType(kind)
	}
	padded := number + strings.Repeat("0", max(0, 1+maxDigits-len(number)))
	for end := 1 + MinDigits; end <= len(padded); end++ {
		if isCostlyType(numberType(padded[:end])) {
			return true
		}
	}
	return false
}

func isCostlyType(kind phonenumbers.PhoneNumberType) bool {
	return kind == phonenumbers.PREMIUM_RATE || kind == phonenumbers.PERSONAL_NUMBER
}

func numberType(number string) phonenumbers.PhoneNumberType {
	parsed, err := phonenumbers.Parse(number, "")
	if err != nil {
		return phonenumbers.UNKNOWN
	}
	return phonenumbers.GetNumberType(parsed)
}

// costlyPrefixes are the networks without a country (ITU-T E.164.1 and E.164.2), satellites included, and whole
// premium-rate ranges of which the metadata lists only what is assigned.
var costlyPrefixes = []string{
	"+979", // international premium rate
	"+878", // universal personal telecommunications
	"+870", // Inmarsat
	"+881", // global mobile satellite systems
	"+882", // international networks
	"+883",
	"+888", // disaster relief
	"+999", // reserved

	"+971900",        // United Arab Emirates
	"+974900",        // Qatar
	"+9701900",       // Palestine
	"+1900", "+1976", // North America
	"+449", "+4487", // United Kingdom
	"+49900", "+49137", // Germany
	"+39893", // Italy
}
