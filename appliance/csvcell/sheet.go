// Package csvcell reads CSV records, and protects spreadsheet users from CSV injection (OWASP): it escapes cells that a
// spreadsheet would run as formulas.
package csvcell

import (
	"strings"
	"unicode/utf8"
)

// formulaStarts are the characters with which a formula begins, also in full width, as spreadsheets of East Asia read
// it.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// GuardCell escapes text for a CSV cell: text that a spreadsheet would run as a formula is prefixed with an apostrophe.
func GuardCell(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune(formulaStarts, first) {
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
