// Package excerpt truncates foreign and long texts, which messages, log lines, audit entries and lists quote.
package excerpt

// TruncateText returns at most that many characters of a text, with an ellipsis where more follow.
func TruncateText(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i] + "…"
		}
	}
	return text
}
