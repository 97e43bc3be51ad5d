package arabic

import (
	"strings"
	"unicode/utf8"
)

// Limits of one answer: longer text is cut, so that parsing time is bounded.
const (
	maxBytes = 1 << 14
	maxWords = 200
)

// limitedFields returns the words of s, within these limits.
func limitedFields(s string) []string {
	if len(s) > maxBytes {
		s = s[:maxBytes]
	}
	words := strings.Fields(s)
	return words[:min(len(words), maxWords)]
}

// foldedWords returns the words of s folded, within these limits.
func foldedWords(s string) []string {
	return strings.Fields(FoldSpelling(strings.Join(limitedFields(s), " ")))
}

// parseSentence splits an answer into words for the Find functions, as NumbersToDigits does, and also accepts numbers
// with the article and with ل (الخمسة, لأربعة أشخاص).
func parseSentence(s string) inputSentence {
	heard := readWords(limitedFields(s))
	for i, w := range heard {
		if w.atom.kind == other {
			heard[i] = stripNumberPrefix(w)
		}
	}
	return heard
}

// numberPrefixes are the prefixes that a number word may have, and the part of each that the output keeps.
var numberPrefixes = []struct{ head, prefix string }{
	{"وال", "و"}, {"بال", "ب"}, {"عال", ""}, {"لل", ""}, {"ال", ""}, {"ول", "و"}, {"ل", ""},
}

// stripNumberPrefix finds the number word after an article or a preposition. Ambiguous words with the article stay
// words (الاثنين is a day, الست a lady), and so does لست, "I am not".
func stripNumberPrefix(w inputWord) inputWord {
	for _, h := range numberPrefixes {
		rest, ok := strings.CutPrefix(w.folded, h.head)
		if !ok {
			continue
		}
		a := lookUp(rest)
		article := strings.HasSuffix(h.head, "ال") || h.head == "لل"
		if a.kind == other || a.bound || a.ambiguous && (article || a.value != 1 && a.value != 2) {
			continue
		}
		return inputWord{said: w.said, folded: rest, prefix: h.prefix, tail: w.tail, atom: a}
	}
	return w
}

// fullWordAt returns word i folded, with its prefix; "" outside the sentence.
func (s inputSentence) fullWordAt(i int) string {
	if i < 0 || i >= len(s) {
		return ""
	}
	return s[i].said
}

// lookUpWord looks up word i in m, as spoken or without its prefixes.
func lookUpWord[V any](m map[string]V, w string) (V, bool) {
	for _, v := range strippedForms(w) {
		if x, ok := m[v]; ok {
			return x, true
		}
	}
	var none V
	return none, false
}

// attachedPrefixes are prefixes that Arabic attaches to a word, longest first.
var attachedPrefixes = []string{"وبال", "ولل", "وال", "فال", "بال", "عال", "كال", "لل", "ال", "و", "ف", "ب", "ل", "ع"}

// strippedForms returns a folded word and its candidates without prefixes.
func strippedForms(w string) []string {
	out := []string{w}
	for _, j := range attachedPrefixes {
		if rest, ok := strings.CutPrefix(w, j); ok && utf8.RuneCountInString(rest) >= 2 {
			out = append(out, rest)
		}
	}
	return out
}

// boundedEditDistance returns the Levenshtein distance of two words, at most most+1.
func boundedEditDistance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > most || -d > most || len(x) > 40 {
		return most + 1
	}
	return min(EditDistance(x, y), most+1)
}

// lookUpSimilar returns the meaning of the word in m that sounds like w, else of the one at an edit distance of at most
// 1. It returns false for short words, which have too many neighbours, and between two meanings.
func lookUpSimilar[V comparable](m map[string]V, w string) (V, bool) {
	if v, ok := lookUpMisheard(m, w); ok {
		return v, true
	}
	var found, none V
	if utf8.RuneCountInString(w) < 5 {
		return none, false
	}
	ok := false
	for known, v := range m {
		if utf8.RuneCountInString(known) < 5 || boundedEditDistance(w, known, 1) > 1 {
			continue
		}
		if ok && v != found {
			return none, false
		}
		found, ok = v, true
	}
	return found, ok
}

// restartWords take back what was said before them.
const restartWords = "لا لالا آسف آسفة قصدي أقصد قصدت عفوا غلط غلطت سوري بل بالأصح معليش"

// corrections are words by which speakers correct themselves. Those besides restartWords also fill pauses, or begin a
// request.
var corrections = wordSet(restartWords + " يعني أقول خليها خليه خلها نخليها اجعلها خلينا")

// isCorrected reports whether one of the words from to to-1 is a correction of the words before it.
func (s inputSentence) isCorrected(from, to int) bool {
	for i := max(from, 0); i < min(to, len(s)); i++ {
		if corrections[s.fullWordAt(i)] {
			return true
		}
	}
	return false
}
