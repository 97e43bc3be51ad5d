package arabic

import (
	"strings"
	"unicode/utf8"
)

// soundsAlike are groups of letters that recognizers and speakers confuse: emphatic and plain, voiced and voiceless,
// interdental and dental, throat sounds. The pairs are those of the dialects (ث as ت or س, ذ as د or ز, ق as ء, ك or
// غ) and of narrow-band telephone sound, where fricatives above 3.4 kHz are alike (س, ص, ث, ف).
var soundsAlike = []string{
	"ثست", "سصزث", "ذدز", "ضظدذ", "طتد", "قكغجا", "حهخ", "عاه", "يا", "وا", "من", "بم", "شجس", "فث", "هة", "ءاؤئ",
}

// Costs of [soundDistance].
const (
	alikeCost = .35 // a letter for one that sounds alike
	vowelCost = .5  // a long vowel too much or too few: telephones swallow them
)

var alikePairs = func() map[[2]rune]bool {
	out := map[[2]rune]bool{}
	for _, group := range soundsAlike {
		for _, a := range group {
			for _, b := range group {
				out[[2]rune{a, b}] = a != b
			}
		}
	}
	return out
}()

// soundDistance returns the weighted edit distance of two folded words: 1 for a letter changed, added or removed, less
// where the two forms sound alike.
func soundDistance(a, b []rune) float64 {
	above := make([]float64, len(b)+1)
	for j, y := range b {
		above[j+1] = above[j] + gapCost(y)
	}
	for _, x := range a {
		diagonal := above[0]
		above[0] += gapCost(x)
		for j, y := range b {
			change := diagonal + changeCost(x, y)
			diagonal = above[j+1]
			above[j+1] = min(change, above[j+1]+gapCost(x), above[j]+gapCost(y))
		}
	}
	return above[len(b)]
}

func changeCost(x, y rune) float64 {
	switch {
	case x == y:
		return 0
	case alikePairs[[2]rune{x, y}]:
		return alikeCost
	}
	return 1
}

func gapCost(r rune) float64 {
	switch r {
	case 'ا', 'و', 'ي', 'ه':
		return vowelCost
	}
	return 1
}

// soundLimit is the distance up to which a word of that many letters may be a misheard one. Shorter words have too
// many neighbours.
func soundLimit(letters int) float64 {
	switch {
	case letters < 4:
		return 0
	case letters == 4:
		return alikeCost
	}
	return 2 * alikeCost
}

// lookUpMisheard returns the meaning of the words in m that sound like w, apart from the article, which both have or
// neither; false between two meanings, unless one sounds clearly more like it.
func lookUpMisheard[V comparable](m map[string]V, w string) (V, bool) {
	var found, none V
	bare, article := strings.CutPrefix(w, "ال")
	letters := []rune(bare)
	limit := soundLimit(len(letters))
	best, second := limit+1, limit+1 // second: the best of another meaning
	for known, v := range m {
		rest, definite := strings.CutPrefix(known, "ال")
		n := utf8.RuneCountInString(rest)
		if definite != article || n < 4 || n-len(letters) > 2 || len(letters)-n > 2 {
			continue
		}
		d := soundDistance(letters, []rune(rest))
		switch {
		case d < best:
			if v != found {
				second = best
			}
			best, found = d, v
		case d < second && v != found:
			second = d
		}
	}
	if best > limit || second-best < alikeCost {
		return none, false
	}
	return found, true
}

// hearable are the number words that may be misheard, by folded spelling, without the marks of their forms.
var hearable = func() map[string]numberAtom {
	out := map[string]numberAtom{}
	for w, a := range atoms {
		switch a.kind {
		case unit, ten, teen, tens, hundreds:
			if !a.bound && !a.local {
				out[w] = numberAtom{kind: a.kind, value: a.value}
			}
		}
	}
	return out
}()

// notMisheard are words that sound like numbers, and are others.
var notMisheard = wordSet("سنين سنتين همسة لمسة حسنا ثلثا عشاء عشرات تسعير وحيد واجب ثانية ثواني سبحان يومين اثنينا")

// repairNumbers replaces words that are no word of an answer by the numbers that they sound like; false if none does.
func (s inputSentence) repairNumbers() (inputSentence, bool) {
	var out inputSentence
	for i, w := range s {
		if w.atom.kind != other || notMisheard[w.said] || isAnswerWord(w.said) {
			continue
		}
		a, ok := lookUpMisheard(hearable, w.said)
		if !ok {
			continue
		}
		if out == nil {
			out = append(out, s...)
		}
		out[i].folded, out[i].atom = w.said, a
	}
	return out, out != nil
}

// isAnswerWord reports whether a word has a meaning of its own in answers.
func isAnswerWord(w string) bool {
	_, measure := lookUpWord(measures, w)
	_, part := lookUpWord(parts, w)
	_, day := weekdays[w]
	_, near := nearDays[w]
	_, month := lookUpWord(months, w)
	_, hour := ordinalHours[w]
	return measure || part || day || near || month || hour || assents[w] != silent || negators[w] || corrections[w] ||
		partLinks[w] || dateLinks[w] || fractions[w] > 0 || subunitsPer[w] > 0
}

// repairLimit is the length in words up to which an answer without a number may be a misheard one.
const repairLimit = 4
