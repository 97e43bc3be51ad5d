// Package csvcell protects spreadsheet users from CSV injection: it escapes cells that a spreadsheet would run as
// formulas (OWASP: CSV injection).
package csvcell

import "strings"

// formulaStarts lists the first characters of formulas.
const formulaStarts = "=+-@\t\r"

// GuardCell escapes text for a CSV cell: text that looks like a formula is prefixed with an apostrophe (CSV injection).
func GuardCell(text string) string {
	if text != "" && strings.ContainsRune(formulaStarts, rune(text[0])) {
		return "'" + text
	}
	return text
}

// UnguardCell removes GuardCell's apostrophe.
func UnguardCell(text string) string {
	if rest, found := strings.CutPrefix(text, "'"); found && GuardCell(rest) != rest {
		return rest
	}
	return text
}
