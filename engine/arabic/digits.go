package arabic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OutputPiece is a word of the output: Text replaces the input's words First to Last, inclusive.
type OutputPiece struct {
	Text        string
	First, Last int
}

// NumbersToDigits turns spoken numbers from 0 to 999,999,999 into digits, in Modern Standard Arabic and in the
// spellings of the dialects; the package comment lists the exceptions. The pieces cover all words in order: a word that
// is no number is one unchanged piece.
func NumbersToDigits(words []string) []OutputPiece {
	s := inputSentence(readWords(words))
	pieces := make([]OutputPiece, 0, len(words))
	for i := 0; i < len(s); {
		piece, ok := s.readNumber(i)
		if !ok {
			piece = OutputPiece{Text: words[i], First: i, Last: i}
		}
		pieces = append(pieces, piece)
		i = piece.Last + 1
	}
	return pieces
}

// inputWord is one word of the input, split into its parts.
type inputWord struct {
	said   string // folded, without tail
	folded string // the same without prefix
	prefix string // "", "و", "ب" or "وب" before a number word
	tail   string // punctuation after it, which ends a number
	atom   numberAtom
}

type inputSentence []inputWord

// tailMarks are punctuation after a word.
const tailMarks = ".,:;!?،؛؟…"

func readWords(words []string) []inputWord {
	out := make([]inputWord, len(words))
	for i, w := range words {
		out[i] = readWord(w)
	}
	markShortUnits(out)
	for i, w := range out {
		if w.folded != "واحد" || w.prefix != "" {
			continue
		}
		// Folded, وأحد is spelled like واحد: the hamza distinguishes them, or a following عشر, which is only used with أحد.
		beforeTen := w.tail == "" && i+1 < len(out) && out[i+1].folded == "عشر" && out[i+1].prefix == ""
		if beforeTen || strings.Contains(words[i], "أ") {
			out[i].folded, out[i].prefix, out[i].atom = "احد", "و", atoms["احد"]
		}
	}
	return out
}

func readWord(raw string) inputWord {
	bare := strings.TrimRight(raw, tailMarks)
	w := inputWord{folded: FoldSpelling(bare), tail: raw[len(bare):]}
	w.said = w.folded
	for _, prefix := range []string{"", "و", "ب", "وب"} {
		rest, ok := strings.CutPrefix(w.folded, prefix)
		if !ok || rest == "وحده" && !strings.Contains(bare, "ة") {
			continue
		}
		if a := lookUp(rest); a.kind != other {
			w.folded, w.prefix, w.atom = rest, prefix, a
			break
		}
	}
	return w
}

// readNumber reads the longest number that begins with word i, with a half or a quarter after it.
func (s inputSentence) readNumber(i int) (OutputPiece, bool) {
	value, end, ok := s.readWholeNumber(i)
	if !ok || s.isWord(i, end, value) {
		return OutputPiece{}, false
	}
	digits := strconv.Itoa(value)
	if j, joined := s.joinedByWaw(end); joined && s[j].atom.kind == fraction && value < 1000 && !s.onTheClock(i) {
		digits = strings.TrimSuffix(fmt.Sprintf("%d.%02d", value, s[j].atom.value), "0")
		end = j + 1
	}
	return OutputPiece{Text: s[i].prefix + digits + s[end-1].tail, First: i, Last: end - 1}, true
}

// readWholeNumber reads groups of falling scale (millions, thousands, the rest) joined by و. end is the index of the
// word after.
func (s inputSentence) readWholeNumber(i int) (value, end int, ok bool) {
	below := 1_000_000_000
	for at, more := i, true; more; at, more = s.joinedByWaw(end) {
		group, unit, next := s.readGroup(at)
		if next == at || unit >= below {
			break
		}
		value, end, below = value+group, next, unit
	}
	return value, end, end > i
}

// readGroup reads one group: its value, its scale, and the index of the word after; next is i if no group begins
// there.
func (s inputSentence) readGroup(i int) (value, unit, next int) {
	switch a := s[i].atom; a.kind {
	case scale:
		return a.value, a.value, i + 1
	case double:
		return 2 * a.value, a.value, i + 1
	}
	value, next = s.belowThousand(i)
	if next == i || !s.followsDirectly(next) {
		return value, 1, next
	}
	if !s.isScaleCounted(value, next) {
		return value, 1, next
	}
	a := s[next].atom
	return value * a.value, a.value, next + 1
}

// isScaleCounted reports whether the word at i is the thousands or millions that value counts: ثلاثة آلاف, عشرون ألفا.
func (s inputSentence) isScaleCounted(value, i int) bool {
	switch s[i].atom.kind {
	case scale:
		if value <= 10 && s.isThanked(i) { // "ستة ألف شكر": the digit six, and thanks
			return false
		}
		return value > 2 || value == 2 && s[i].atom.value == 1_000_000 // اتنين مليون
	case plural:
		return value%100 >= 3 && value%100 <= 10
	case double: // ألفا is 2,000 of something, or one thousand in the accusative
		return value > 10 && strings.HasSuffix(s[i].folded, "ا")
	}
	return false
}

func (s inputSentence) belowThousand(i int) (value, next int) {
	a := s[i].atom
	switch {
	case a.kind == hundred || a.kind == hundreds:
		value, next = a.value, i+1
	case a.kind == unit && a.value >= 3 && !a.long && s.followsDirectly(i+1) && s[i+1].atom.kind == hundred:
		value, next = 100*a.value, i+2
	default:
		return s.belowHundred(i)
	}
	if j, ok := s.joinedByWaw(next); ok {
		if rest, end := s.belowHundred(j); end > j && rest > 0 {
			return value + rest, end
		}
	}
	return value, next
}

func (s inputSentence) belowHundred(i int) (value, next int) {
	a := s[i].atom
	switch a.kind {
	case ten, teen, tens:
		return a.value, i + 1
	case unit:
		return s.fromUnit(i)
	}
	return 0, i
}

// fromUnit reads 0-9, or a number that begins with it: ثلاثة عشر, ثلاث عشرة, ثلاثة وعشرون.
func (s inputSentence) fromUnit(i int) (value, next int) {
	a := s[i].atom
	if s.followsDirectly(i+1) && s[i+1].atom.kind == ten && a.value > 0 && s.makeTeen(i) {
		return 10 + a.value, i + 2
	}
	if j, ok := s.joinedByWaw(i + 1); ok && s[j].atom.kind == tens && a.value > 0 && !s.onTheClock(i) {
		return a.value + s[j].atom.value, j + 1
	}
	if a.bound {
		return 0, i
	}
	return a.value, i + 1
}

// makeTeen reports whether the unit at i and the ten after it are one number. 11 and 12 have separate forms; from
// 13 on two long words are two numbers, as in counting.
func (s inputSentence) makeTeen(i int) bool {
	if s[i].atom.value <= 2 {
		return s[i].atom.bound
	}
	return !s[i].atom.long || !s[i+1].atom.long
}

// followsDirectly reports whether word i directly follows the word before it: no prefix, no punctuation between.
func (s inputSentence) followsDirectly(i int) bool {
	return i > 0 && i < len(s) && s[i].prefix == "" && s[i-1].tail == ""
}

// joinedByWaw finds the word that و joins to the number ending before word i: word i itself, or the one after a lone و.
func (s inputSentence) joinedByWaw(i int) (int, bool) {
	switch {
	case i <= 0 || i >= len(s) || s[i-1].tail != "":
		return i, false
	case s[i].prefix == "و":
		return i, true
	}
	return i + 1, s[i].folded == "و" && s.followsDirectly(i+1)
}

// Words next to which a number word is an ordinary word, folded.
var (
	clocks    = []string{"الساعه", "ساعه", "عالساعه", "للساعه", "بالساعه"}
	beforeOne = []string{"كل", "اي", "ولا", "لا", "ما", "مافي", "يا", "مش", "مو", "هذا", "هاذا", "كم", "شي"}
	afterOne  = []string{
		"من", "منهم", "منكم", "منا", "منها", "منهن", "فيهم", "فيكم", "ثاني", "تاني", "اخر", "غير", "واحد",
	}
	afterAlef    = []string{"شكر", "شكرا", "مبروك", "مبارك", "سلامه", "هنا", "عافيه", "تحيه", "رحمه", "حمد"}
	afterHundred = []string{
		"ريال", "ريالات", "جنيه", "جنيهات", "درهم", "دراهم", "دينار", "دنانير", "ليره", "ليرات", "دولار", "دولارات",
		"شيكل", "شيقل", "شواكل", "يورو", "فلس", "هلله", "قرش", "قروش", "جرام", "غرام", "مل", "ملي", "سعره", "بالميه",
	}
)

// isThanked reports whether the thousand or million at i is one of thanks or wishes, which nobody counts: "ألف شكر".
func (s inputSentence) isThanked(i int) bool { return slices.Contains(afterAlef, s.wordAt(i+1)) }

// isWord reports whether the number of that value in words i to end-1 is more likely an ordinary word.
func (s inputSentence) isWord(i, end, value int) bool {
	before, after := s.wordAt(i-1), s.wordAt(end)
	first, alone := s[i].atom, end == i+1
	switch {
	case !first.ambiguous:
		return false
	case first.kind == hundred:
		return value <= 110 && !slices.Contains(afterHundred, after)
	case first.local && end == i+2 && s[i+1].atom.ambiguous: // ربع مية: 400, or a quarter of water
		return !slices.Contains(afterHundred, after)
	case !alone:
		return false
	case first.local:
		return true
	case first.kind == scale:
		return s.isThanked(i)
	case first.value == 1:
		return strings.HasSuffix(s[i].prefix, "ب") || before == "واحد" ||
			slices.Contains(beforeOne, before) || slices.Contains(afterOne, after)
	case first.value == 2:
		return before == "يوم" || before == "نهار"
	case first.value == 6:
		return before == "يا"
	}
	return before == "شهر" // صفر, the month
}

// onTheClock reports whether word i is the hour after الساعة.
func (s inputSentence) onTheClock(i int) bool { return slices.Contains(clocks, s.wordAt(i-1)) }

// wordAt returns the folded word i, or "" outside the sentence.
func (s inputSentence) wordAt(i int) string {
	if i < 0 || i >= len(s) {
		return ""
	}
	return s[i].folded
}
