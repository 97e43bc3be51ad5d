package locale

import (
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// counts groups digits by thousands.
var counts = message.NewPrinter(language.English)

// FormatCount writes a count with Latin digits and thousands separators: 211,000. [ArabicDigits] turns the separators
// into those of Arabic.
func FormatCount(n int) string { return counts.Sprintf("%d", n) }
