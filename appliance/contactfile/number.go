package contactfile

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"munadi/engine/arabic"
)

// DefaultRegion is the country of national numbers until an organization selects another.
const DefaultRegion = "SA"

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
func IsRegion(text string) bool { return phonenumbers.GetCountryCodeForRegion(text) != 0 }

// CallingCode returns the country calling code of a region, such as 966.
func CallingCode(region string) int { return phonenumbers.GetCountryCodeForRegion(region) }

var (
	scientificNotation = regexp.MustCompile(`^[0-9](\.[0-9]+)?[eE]\+?[0-9]{1,2}$`)
	numberChars        = regexp.MustCompile(`^[+0-9 ().\-/]+$`)
	e164Form           = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
)

// NormalizeNumber converts a telephone number, as people and spreadsheets write it, to E.164: 05…, 5…, 9665…, 009665…
// and +966…, in Western, Arabic-Indic or Persian digits. Numbers without a country code belong to the region. For text
// that is not a possible number of its country it returns the text unchanged and false.
func NormalizeNumber(text, region string) (string, bool) {
	typed := westernDigits(text)
	if scientificNotation.MatchString(typed) && !isRounded(typed) { // 9.66512345601E+11
		if exact, ok := new(big.Float).SetPrec(200).SetString(typed); ok && exact.IsInt() {
			typed = exact.Text('f', 0)
		}
	}
	typed = strings.TrimSuffix(typed, ".0")
	if !numberChars.MatchString(typed) {
		return text, false
	}
	found, ok := parseNumber(typed, region)
	if again, _ := parseNumber(found, ""); !ok || again != found { // digits that only look like a number: 000…
		return text, false
	}
	return found, true
}

// parseNumber returns the E.164 form of a possible number.
func parseNumber(typed, region string) (string, bool) {
	number, err := phonenumbers.Parse(typed, region)
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		return "", false
	}
	found := phonenumbers.Format(number, phonenumbers.E164)
	return found, e164Form.MatchString(found)
}

// isRounded reports whether a number in scientific notation has lost its last digits, as in 9.66512E+11, which
// spreadsheets write when they save a narrow column as CSV.
func isRounded(text string) bool {
	mantissa, _, found := strings.Cut(strings.ToLower(text), "e")
	return found && len(strings.ReplaceAll(mantissa, ".", "")) <= 7
}

// westernDigits converts Arabic-Indic and Persian digits to Western ones and any hyphen to -, and trims spaces.
func westernDigits(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch r {
		case '\u2010', '\u2011', '\u2013', '\u2212':
			return '-'
		}
		return arabic.WesternDigit(r)
	}, text))
}
