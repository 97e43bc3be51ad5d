package kit

import (
	"fmt"
	"strconv"
	"strings"

	"munadi/engine/arabic"
)

// IsolateText isolates the direction of a text from the sentence around it (Unicode first-strong isolate).
func IsolateText(text string) string { return "\u2068" + text + "\u2069" }

// DecimalSeconds returns milliseconds in seconds, with two decimals.
func DecimalSeconds(ms int) string { return strconv.FormatFloat(float64(ms)/1000, 'f', 2, 64) }

// FormatShortest formats a number with as few digits as possible.
func FormatShortest(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// FormatSize formats bytes in powers of 1024.
func FormatSize[N int64 | uint64](bytes N) string {
	value, unit := float64(bytes), "B"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if value < 1024 {
			break
		}
		value, unit = value/1024, next
	}
	if unit == "B" || value >= 100 {
		return fmt.Sprintf("%.0f %s", value, unit)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// CleanText trims a text and converts CR LF, which browsers send, to LF.
func CleanText(typed string) string {
	return strings.TrimSpace(strings.ReplaceAll(typed, "\r\n", "\n"))
}

// CutIndex splits "holidays.3".
func CutIndex(path string) (list string, index int, found bool) {
	list, last, found := strings.Cut(path, ".")
	index, err := strconv.Atoi(last)
	return list, index, found && err == nil
}

// ContainsFold reports whether a text contains the typed characters, ignoring case and spelling variants of Arabic (see
// [arabic.FoldSpelling]).
func ContainsFold(text, typed string) bool {
	folded := arabic.FoldSpelling(typed)
	return strings.Contains(strings.ToLower(text), strings.ToLower(typed)) ||
		folded != "" && strings.Contains(arabic.FoldSpelling(text), folded)
}

// ParseNumber parses a whole number; 0 if it is malformed.
func ParseNumber(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return 0
}
