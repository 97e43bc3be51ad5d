package contactfile

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"munadi/engine/arabic"
)

// DefaultRegion is the country of numbers without a country code until an organization chooses another.
const DefaultRegion = "SA"

// ListRegions lists the countries that a file's numbers may be of, as ISO 3166 codes.
func ListRegions() []string {
	var all []string
	for region := range phonenumbers.GetSupportedRegions() {
		all = append(all, region)
	}
	slices.Sort(all)
	return all
}

// IsRegion says whether text is one of [ListRegions].
func IsRegion(text string) bool { return phonenumbers.GetCountryCodeForRegion(text) != 0 }

// CallingCode is the country calling code of a region, such as 966.
func CallingCode(region string) int { return phonenumbers.GetCountryCodeForRegion(region) }

var (
	scientificNotation = regexp.MustCompile(`^[0-9](\.[0-9]+)?[eE]\+?[0-9]{1,2}$`)
	numberChars        = regexp.MustCompile(`^[+0-9 ().\-/]+$`)
	e164Form           = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
)

// NormalizeNumber converts a telephone number, as people and spreadsheets write it, to E.164: 05…, 5…, 9665…, 009665…
// and +966…, in Western, Arabic-Indic or Persian digits. Numbers without a country code belong to the region. It
// returns the text unchanged and false if it is no possible number of its country.
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
	if again, _ := parseNumber(found, ""); !ok || again != found { // digits that only look like a number, such as 000…
		return text, false
	}
	return found, true
}

// parseNumber is the E.164 form of a possible number.
func parseNumber(typed, region string) (string, bool) {
	number, err := phonenumbers.Parse(typed, region)
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		return "", false
	}
	found := phonenumbers.Format(number, phonenumbers.E164)
	return found, e164Form.MatchString(found)
}

// isRounded says whether a number in scientific notation has lost its last digits, as in 9.66512E+11, which is how
// spreadsheets save a narrow column as CSV.
func isRounded(text string) bool {
	mantissa, _, found := strings.Cut(strings.ToLower(text), "e")
	return found && len(strings.ReplaceAll(mantissa, ".", "")) <= 7
}

// westernDigits writes Arabic-Indic and Persian digits as Western ones and any hyphen as -, and trims spaces.
func westernDigits(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch r {
		case '\u2010', '\u2011', '\u2013', '\u2212':
			return '-'
		}
		return arabic.WesternDigit(r)
	}, text))
}
