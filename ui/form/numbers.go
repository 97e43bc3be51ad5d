package form

import (
	"strconv"
	"strings"

	"munadi/ui/locale"
)

// ParseNumbers parses whole numbers separated by commas, semicolons or spaces.
func ParseNumbers(typed string) ([]int, bool) {
	var numbers []int
	between := func(r rune) bool { return strings.ContainsRune(",;، ؛\t\n", r) }
	for _, part := range strings.FieldsFunc(locale.LatinDigits(typed), between) {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}

// FormatNumbers writes whole numbers as [ParseNumbers] reads them.
func FormatNumbers(numbers []int) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ", ")
}
