// Package csvcell makes cells of CSV files safe for the spreadsheets that open them (OWASP: CSV injection).
package csvcell

import "strings"

// formula begins what a spreadsheet would compute rather than show.
const formula = "=+-@\t\r"

// GuardCell is text that a spreadsheet shows as it is: what looks like a formula gets an apostrophe in front.
func GuardCell(text string) string {
	if text != "" && strings.ContainsRune(formula, rune(text[0])) {
		return "'" + text
	}
	return text
}

// UnguardCell takes Guard's apostrophe away again.
func UnguardCell(text string) string {
	if rest, found := strings.CutPrefix(text, "'"); found && GuardCell(rest) != rest {
		return rest
	}
	return text
}
