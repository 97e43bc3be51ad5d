package kit

import (
	"strings"

	"munadi/engine/arabic"
)

// WesternDigits converts Arabic-Indic and Persian digits to Western ones, since forms accept the digits of any
// keyboard, and trims spaces.
func WesternDigits(s string) string { return strings.TrimSpace(strings.Map(arabic.WesternDigit, s)) }
