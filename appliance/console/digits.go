package console

import "strings"

// westernDigits writes Arabic-Indic and Persian digits as the Western ones, so that whatever keyboard a person has, the form
// takes what they typed; blanks around it go.
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
