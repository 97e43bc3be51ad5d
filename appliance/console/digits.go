package console

import "strings"

// westernDigits converts Arabic-Indic and Persian digits to Western ones, so that forms accept the digits of any
// keyboard, and trims spaces.
func westernDigits(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r >= '٠' && r <= '٩':
			return '0' + r - '٠'
		case r >= '۰' && r <= '۹':
			return '0' + r - '۰'
		}
		return r
	}, s))
}
