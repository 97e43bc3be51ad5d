package arabic

import (
	"slices"
	"strings"
)

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
		return slices.Contains(afterAlef, after)
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
