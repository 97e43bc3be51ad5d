package locale

import (
	"fmt"
	"strings"
)

// FillSentence puts values into a sentence's {placeholders}, given as name, value, name, value.
func FillSentence(sentence string, pairs ...any) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		sentence = strings.ReplaceAll(sentence, fmt.Sprintf("{%v}", pairs[i]), fmt.Sprint(pairs[i+1]))
	}
	return sentence
}

// FillBlanks puts values into the blanks ({}) of a sentence, in order.
func FillBlanks(sentence string, values ...string) string {
	for _, v := range values {
		sentence = strings.Replace(sentence, "{}", v, 1)
	}
	return sentence
}

// FillLine fills the number of a line in.
func FillLine(sentence, number string) string { return strings.ReplaceAll(sentence, "{line}", number) }

// FillRange fills two ends in.
func FillRange(sentence, low, high string) string {
	return strings.NewReplacer("{min}", low, "{max}", high).Replace(sentence)
}

// ListComma returns the separator of list items.
func ListComma(l Language) string { return pickLanguage(l, "، ", ", ") }
