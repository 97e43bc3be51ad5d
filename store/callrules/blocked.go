package callrules

import (
	"strings"

	"munadi/store/phonenumber"
)

// IsBlocked reports whether a number is never dialled under any rules: emergency and other short numbers, those that
// cost more than a call ([phonenumber.IsCostly]), and anything that is not an E.164 number.
func IsBlocked(number string) bool {
	return !phonenumber.IsE164(number) || isEmergency(number[1:]) || phonenumber.IsCostly(number)
}

// isEmergency reports whether a number is an emergency number behind a country code of one to three digits.
func isEmergency(digits string) bool {
	for _, service := range emergencies {
		rest, found := strings.CutSuffix(digits, service)
		if found && len(rest) <= 3 {
			return true
		}
	}
	return false
}

// emergencies are the emergency numbers (police, ambulance, fire, civil defence) of the Arab countries and the major
// ones worldwide. Most are short enough to be blocked anyway; add here those that are not.
var emergencies = []string{
	"110", "111", "112", "911", "999", "000",
	"989", "990", "991", "992", "993", "994", "996", "997", "998", // Saudi Arabia, the Emirates, Gulf-wide
	"100", "101", "102", "104", "113", "115", "122", "123", "125", "140", "175", "180", // Palestine, Iraq, Lebanon, Egypt
	"190", "191", "192", "193", "194", "195", "197", "198", "199", // Jordan, Yemen, Libya, Tunisia, Bahrain
	"14", "15", "17", "18", "19", "118", "177", "1548", // Algeria, Morocco, Mauritania
	"18000", // text relay of 999, United Kingdom
}
