package console

import (
	"strings"

	"munadi/engine/arabic"
)

// westernDigits converts Arabic-Indic and Persian digits to Western ones, since forms accept the digits of any
// keyboard, and trims spaces.
func westernDigits(s string) string { return strings.TrimSpace(strings.Map(arabic.WesternDigit, s)) }
