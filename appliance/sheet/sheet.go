// Package sheet makes cells of CSV files safe for the spreadsheets that open them (OWASP: CSV injection).
package sheet

import "strings"

// formula begins what a spreadsheet would compute rather than show.
const formula = "=+-@\t\r"

// Guard is text that a spreadsheet shows as it is: what looks like a formula gets an apostrophe in front.
func Guard(text string) string {
	if text != "" && strings.ContainsRune(formula, rune(text[0])) {
		return "'" + text
	}
	return text
}

// Unguard takes Guard's apostrophe away again.
func Unguard(text string) string {
	if rest, found := strings.CutPrefix(text, "'"); found && Guard(rest) != rest {
		return rest
	}
	return text
}
