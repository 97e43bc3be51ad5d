package callrules

import "strings"

// shortest is the minimum number of digits of a subscriber's E.164 number, country code included. Shorter numbers are
// services, such as an emergency number behind a country code.
const shortest = 7

// IsBlocked reports whether a number is never dialled under any rules: emergency and other short numbers, premium-rate
// numbers, satellite and other global networks, and anything that is not an E.164 number.
func IsBlocked(number string) bool {
	digits, found := strings.CutPrefix(number, "+")
	if !found || len(digits) < shortest || isEmergency(digits) {
		return true
	}
	return beginsWith(digits, premium)
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

// premium are the prefixes, country code first, of premium-rate numbers, by the national numbering plans as in
// libphonenumber's metadata, and of networks without a country (ITU-T E.164.1 and E.164.2), satellites included.
var premium = []string{
	"979", // international premium rate
	"878", // universal personal telecommunications
	"870", // Inmarsat
	"881", // global mobile satellite systems
	"882", // international networks
	"883",
	"888", // disaster relief
	"999", // reserved

	"966925",                                                                        // Saudi Arabia
	"971900",                                                                        // United Arab Emirates
	"974900",                                                                        // Qatar
	"97387",                                                                         // Bahrain
	"97390", "97391", "97392", "97393", "97394", "97395", "97396", "97397", "97398", // Bahrain
	"968900",  // Oman
	"9629",    // Jordan
	"96190",   // Lebanon
	"9701900", // Palestine
	"9721900", // Israel
	"9721919",
	"20900",                                                          // Egypt
	"21688",                                                          // Tunisia
	"2138031", "2138041", "2138051", "2138061", "2138081", "2138091", // Algeria
	"21289",                   // Morocco
	"90900", "90888", "90898", // Turkey
	"1900", "1976", // North America
	"449", "4487", "44842", "44843", "44844", "44845", // United Kingdom
	"3389",  // France
	"49900", // Germany
	"49137",
	"39144", "39163", "39164", "39166", "39892", "39893", "39894", "39895", "39899", // Italy
	"34803", "34806", "34807", // Spain
}
