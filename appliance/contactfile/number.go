package contactfile

import (
	"math/big"
	"regexp"
	"strings"

	"munadi/engine/arabic"
	"munadi/store/callrules"
	"munadi/store/phonenumber"
)

// DefaultRegion is the country of national numbers where nothing else tells.
const DefaultRegion = "SA"

// ChooseRegion returns the country of an organization's national numbers: the one that it chose for its files, else
// that of its rules ([callrules.CallRules.Country]), else [DefaultRegion].
func ChooseRegion(chosen string, rules callrules.CallRules) string {
	for _, region := range []string{chosen, rules.Country()} {
		if phonenumber.IsRegion(region) {
			return region
		}
	}
	return DefaultRegion
}

var (
	scientificNotation = regexp.MustCompile(`^[0-9](\.[0-9]+)?[eE]\+?[0-9]{1,2}$`)
	numberChars        = regexp.MustCompile(`^[+0-9 ().\-/]+$`)
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
	found, ok := phonenumber.ParsePossible(typed, region)
	// Digits that only look like a number, such as 000…, are another number when they are parsed again.
	if again, _ := phonenumber.ParsePossible(found, ""); !ok || again != found {
		return text, false
	}
	return found, true
}

// numberSeparators are between two numbers in a cell, the most telling first.
var numberSeparators = []*regexp.Regexp{
	regexp.MustCompile(`[/\\|,;،؛&\n]| (?:او|أو|و|or|and) `), regexp.MustCompile(` *- *`), regexp.MustCompile(`\s+`),
}

// SplitNumbers returns the two numbers of a cell such as "0501234567 / 0559876543", in E.164; nil if it has not two.
func SplitNumbers(text, region string) []string {
	for _, separator := range numberSeparators {
		parts := separator.Split(strings.TrimSpace(text), -1)
		if len(parts) != 2 {
			continue
		}
		first, ok := NormalizeNumber(parts[0], region)
		second, ok2 := NormalizeNumber(parts[1], region)
		if ok && ok2 && first != second {
			return []string{first, second}
		}
	}
	return nil
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
