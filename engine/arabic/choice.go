package arabic

import (
	"math/bits"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ChoiceOption is one option of a choice: its value, and the phrases that name it in speech. Value is one of them.
type ChoiceOption struct {
	Value   string
	Phrases []string
}

// ChoiceMatch is an option that was named, by its index. It is guessed, and better read back, if only a part of its
// phrase or a similar word was heard among words that say something else: "رفعت عليكم شكوى" for "دفعت".
type ChoiceMatch struct {
	Index   int
	Guessed bool
}

// FindChoice returns the option that s names. Words are compared folded, without article and ending, and with one
// letter in four wrong, at most two, if no option contains the exact word. The option that explains more of the words
// wins (برجر دجاج over برجر); of two different ones the later counts only after a correction word ("كبير لا وسط"). Part
// of a phrase is enough if no other option shares it. A refused option ("مو كبير") is not chosen.
func FindChoice(s string, options []ChoiceOption) (ChoiceMatch, bool) {
	heard, all := matchSentence(s, options, nil)
	if m, ok, named := all.wholeMatch(heard); named {
		return m, ok
	}
	touched, index := 0, 0
	for i, m := range all {
		if namesContent(heard, m.mask) {
			touched, index = touched+1, i
		}
	}
	if touched != 1 || all[index].coverage < .3 {
		return ChoiceMatch{}, false
	}
	return ChoiceMatch{index, saysMore(heard, all[index].mask)}, true
}

// FindWholeChoice is [FindChoice] for words that may answer another question: a part of a phrase is not enough, nor is
// a guess. The words of others, phrases of those other questions, are not taken for misheard ones: «كبار» (large) is no
// kebab (كباب).
func FindWholeChoice(s string, options []ChoiceOption, others ...string) (int, bool) {
	heard, all := matchSentence(s, options, others)
	m, ok, _ := all.wholeMatch(heard)
	return m.Index, ok && !m.Guessed
}

// saysMore reports whether there are words beside those of a mask that neither answer nor are polite.
func saysMore(heard []string, mask uint64) bool {
	for i, w := range heard {
		bare := strings.TrimPrefix(w, "و")
		_, day := parseSentence(bare).looseDay(0, time.Time{})
		light := utf8.RuneCountInString(bare) < 3 || fillers[w] || empty[bare] || refuses(bare) || wishes[bare] ||
			courtesies[bare] || assents[bare] != silent || hedges[bare] || lookUp(bare).kind != other || day > 0
		if mask&(1<<i) == 0 && !light {
			return true
		}
	}
	return false
}

// matchSentence matches the options with the first 64 words of s.
func matchSentence(s string, options []ChoiceOption, others []string) (heard []string, all optionMatches) {
	heard = foldedWords(s)
	heard = heard[:min(len(heard), 64)]
	return heard, matchAll(heard, options, others)
}

// namesContent reports whether one of the words of a mask is more than a negator or a pronoun: "لن" alone is no part of
// "لن أدفع", nor "عليكم" of "أمر عليكم".
func namesContent(heard []string, mask uint64) bool {
	for i, w := range heard {
		if mask&(1<<i) != 0 && !refusals[w] && !negators[w] && !empty[strings.TrimPrefix(w, "و")] {
			return true
		}
	}
	return false
}

// optionMatch is how well an option fits: the words it accounts for, their letters, and the share of its phrase. It is
// similar if a word was only like one of the phrase.
type optionMatch struct {
	similar  bool
	mask     uint64
	letters  float64
	coverage float64
}

// margin is by how much more alike one of two options must be to be chosen for the same words.
const margin = .1

type optionMatches []optionMatch

func (all optionMatches) bestMatch(good func(optionMatch) bool) (int, bool) {
	index, found := 0, false
	for i, m := range all {
		if good(m) && (!found || m.letters > all[index].letters) {
			index, found = i, true
		}
	}
	return index, found
}

// wholeMatch returns the option that is named in whole; named without ok means that several are. It is guessed if it is
// similar to words among others, or if another one is: "برجرين كبار" may order a burger and a kebab (كباب).
func (all optionMatches) wholeMatch(heard []string) (m ChoiceMatch, ok, named bool) {
	whole := func(m optionMatch) bool { return m.coverage >= .7 }
	exact := slices.Clone(all)
	for i, m := range exact {
		if m.similar {
			exact[i] = optionMatch{}
		}
	}
	if best, some := exact.bestMatch(whole); some {
		index, ok := exact.resolveCorrection(heard, best)
		_, alone := all.resolveCorrection(heard, best)
		return ChoiceMatch{index, !alone}, ok, true
	}
	best, named := all.bestMatch(whole)
	if named {
		best, ok = all.resolveCorrection(heard, best)
	}
	return ChoiceMatch{best, ok && saysMore(heard, all[best].mask)}, ok, named
}

// resolveCorrection returns the best option, or the one named after a correction word; false if another fits as well.
func (all optionMatches) resolveCorrection(heard []string, best int) (int, bool) {
	for i, m := range all {
		b := all[best]
		switch {
		case i == best || m.coverage < .7:
		case m.mask != b.mask && m.mask&^b.mask == 0: // part of the best one
		case m.mask == b.mask && m.coverage <= b.coverage-margin:
		case m.mask == b.mask && b.coverage <= m.coverage-margin:
			best = i
		case correctedBy(heard, m.mask, b.mask):
		case correctedBy(heard, b.mask, m.mask):
			best = i
		default:
			return 0, false
		}
	}
	return best, true
}

// correctedBy reports whether the words of early are all before those of late, with a correction between them.
func correctedBy(heard []string, early, late uint64) bool {
	from, to := bits.Len64(early), bits.TrailingZeros64(late)
	for i := from; i < to && i < len(heard); i++ {
		if corrections[heard[i]] {
			return true
		}
	}
	return false
}

// refusals are words that negate the next word, or ask why it is so.
var refusals = wordSet("مو موب مب مش ليس غير بدون بلا ما لن لم ليش ليه لماذا")

// choosableWords returns the words to match with refused ones replaced by "", also behind a wish ("ما أبغى كولا").
func choosableWords(words []string) []string {
	words = slices.Clone(words)
	for i := range words[:max(len(words)-1, 0)] {
		if !refusals[words[i]] {
			continue
		}
		if wishes[words[i+1]] && i+2 < len(words) {
			words[i+2] = ""
		}
		words[i+1] = ""
	}
	return words
}

// matchAll matches the words that were heard with each option.
func matchAll(heard []string, options []ChoiceOption, others []string) optionMatches {
	phrases, known := foldOptions(options)
	for _, phrase := range others {
		for _, w := range contentWords(foldedWords(phrase)) {
			known[stemWord(w)] = true
		}
	}
	chosen, sentence := choosableWords(heard), parseSentence(strings.Join(heard, " "))
	out := make(optionMatches, len(options))
	for i := range options {
		for _, words := range phrases[i] {
			m := fitPhrase(chosen, words, known)
			if len(words) > 1 && refuses(words[0]) {
				m = fitRefusal(heard, words, known)
			} else if len(sentence) == len(heard) && sentence.refusesMatch(m.mask) {
				continue
			}
			if m.letters > out[i].letters || m.letters == out[i].letters && m.coverage > out[i].coverage {
				out[i] = m
			}
		}
	}
	return out
}

// refusesMatch reports whether the words of a match are refused: "الصباح ما يناسبني", "لا أريد برجر". Words that refuse
// by themselves are meant ("ما أبغى شي"), and after what was done ("دفعت ما علي شي") something else is refused.
func (s inputSentence) refusesMatch(mask uint64) bool {
	if mask == 0 {
		return false
	}
	from, to := bits.TrailingZeros64(mask), bits.Len64(mask)
	first, last := plainWord(s.fullWordAt(from)), s.fullWordAt(to-1)
	done := strings.HasSuffix(last, "ت") && !strings.HasSuffix(last, "ات")
	switch {
	case s.fullWordAt(from-1) == "قبل", prices[s.fullWordAt(from-1)]:
		return true
	case negators[first] || refusals[first] || assents[first].isNo():
		return false
	case done, s.fullWordAt(to+1) == "عندي" && !freeTimes[s.fullWordAt(to+2)]:
		return s.refusesBefore(from)
	}
	return s.isRefused(from, to)
}

var (
	freeTimes = wordSet("وقت فراغ مجال")
	prices    = wordSet("سعر بكم بكام كم") // of what is asked for
)

// refuses reports whether a word refuses the words after it: any negator, بدون, "ولا" of "ولا شي".
func refuses(w string) bool { return IsNegator(w) || withouts[w] }

var withouts = wordSet("بدون بلا ولا")

// fitRefusal matches a phrase that refuses, such as "لن أدفع", with any negator and the same words after it, also
// behind a wish: "ما راح أدفع". Its other words alone mean the opposite ("مشروب" of "بدون مشروب").
func fitRefusal(heard, phrase []string, known map[string]bool) optionMatch {
	for i, w := range heard {
		if !refuses(w) {
			continue
		}
		m, at := optionMatch{mask: 1 << i, letters: float64(utf8.RuneCountInString(phrase[0])), coverage: 1}, i+1
		if at < len(heard) && wishes[heard[at]] && !wishes[phrase[1]] {
			at++
		}
		for _, p := range phrase[1:] {
			if at >= len(heard) || wordSimilarity(heard[at], p, known) == 0 {
				m = optionMatch{}
				break
			}
			m.mask |= 1 << at
			m.letters += wordSimilarity(heard[at], p, known) * float64(utf8.RuneCountInString(p))
			at++
		}
		if m.mask != 0 {
			return m
		}
	}
	return optionMatch{}
}

// foldOptions returns the options' phrases as folded words, and the stems of all of them.
func foldOptions(options []ChoiceOption) (phrases [][][]string, known map[string]bool) {
	known = map[string]bool{}
	phrases = make([][][]string, len(options))
	for i, o := range options {
		for _, phrase := range append([]string{o.Value}, o.Phrases...) {
			words := contentWords(foldedWords(phrase))
			if len(words) == 0 {
				continue
			}
			phrases[i] = append(phrases[i], words)
			for _, w := range words {
				known[stemWord(w)] = true
			}
		}
	}
	return phrases, known
}

// fitPhrase matches each word of a phrase with the heard words.
func fitPhrase(heard, phrase []string, known map[string]bool) optionMatch {
	var m optionMatch
	total := 0.0
	for _, p := range phrase {
		size := float64(utf8.RuneCountInString(p))
		total += size
		score, at := 0.0, -1
		for i, h := range heard {
			if like := wordSimilarity(h, p, known); like > score && m.mask&(1<<i) == 0 {
				score, at = like, i
			}
		}
		if at >= 0 {
			m.similar = m.similar || score < sameWord
			m.mask |= 1 << at
			m.letters += score * size
		}
	}
	if total > 0 {
		m.coverage = m.letters / total
	}
	return m
}

// sameWord is the similarity of two forms of one word.
const sameWord = .95

// wordSimilarity returns the similarity of a heard word and a word of a phrase, 0 to 1; known holds the stems of all
// options.
func wordSimilarity(heard, phrase string, known map[string]bool) float64 {
	if heard == "" {
		return 0
	}
	if heard == phrase {
		return 1
	}
	p, misheard := stemWord(phrase), true
	for _, h := range strippedForms(heard) {
		h = stemWord(h)
		if h == p {
			return sameWord
		}
		misheard = misheard && !known[h]
	}
	if !misheard {
		return 0
	}
	most := utf8.RuneCountInString(p) / 4
	if most > 2 {
		most = 2
	}
	if d := boundedEditDistance(stemWord(heard), p, most); most > 0 && d <= most {
		return .85 - .05*float64(d)
	}
	return 0
}

// stemWord returns a folded word without its article (with or without ب before it) and the endings of gender, number
// and object.
func stemWord(w string) string {
	w = strings.TrimPrefix(w, "ال")
	w = strings.TrimPrefix(w, "بال")
	for _, ending := range []string{"ات", "ين", "ون", "ها", "ه", "ا"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && utf8.RuneCountInString(rest) >= 3 {
			return rest
		}
	}
	return w
}

// empty are words that name no option alone.
var empty = wordSet("اللي الذي التي شي شيء عندكم عندك عليكم عليك معكم لكم لي لك بس كذا هذا هذي هذه هو هي أنا " +
	"يوم ليوم الحين الآن")

// fillers are ignored when choices are matched.
var fillers = wordSet("من في على إلى الى مع أو و عن ب ل")

func contentWords(words []string) []string {
	var out []string
	for _, w := range words {
		if !fillers[w] {
			out = append(out, w)
		}
	}
	return out
}
