package arabic

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// isRefused reports whether the value in words from to to-1 is refused: before it ("مو الخميس", "ما يناسبني يوم
// الخميس") or after it ("الخميس ما أقدر", "الخميس مشغول"); or replaced ("الأحد بدل الخميس"). In "ما يناسبني، الأحد
// أفضل" it is preferred.
func (s inputSentence) isRefused(from, to int) bool {
	switch {
	case refusals[s.fullWordAt(from-1)]:
		return true
	case preferences[s.fullWordAt(to)]:
		return false
	}
	return s.refusesAt(to) || s.refusesBefore(from)
}

// refusesAt reports whether a refusal begins with word i.
func (s inputSentence) refusesAt(i int) bool {
	word, next := plainWord(s.fullWordAt(i)), plainWord(s.fullWordAt(i+1))
	switch {
	case s.consentsAt(i):
		return false
	case negators[word]:
		return next == "" || negators[next] && s.refusesAt(i+1) ||
			i+1 < len(s) && s[i+1].atom.kind == other && isDeniable(next)
	case holders[word]:
		return engagements[next]
	case copulas[word]:
		return isEngaged(next)
	}
	return assents[word] == firmNo || isEngaged(word) || isNegatedVerb(word) || word == "متاخر"
}

// consentsAt reports whether a phrase of consent with a negator in it begins with word i: "ما في مشكلة", "لا بأس".
func (s inputSentence) consentsAt(i int) bool {
	var words []string
	for j := max(i, 0); j < min(i+4, len(s)); j++ {
		words = append(words, s[j].said)
	}
	if i < 0 || len(words) == 0 {
		return false
	}
	sign, n := readSign(words)
	return n > 1 && (sign == softYes || sign.isYes())
}

// refusesBefore reports whether a refusal ends with the word before i, or before the words that lead to a value.
func (s inputSentence) refusesBefore(i int) bool {
	for leads[s.fullWordAt(i-1)] {
		i--
	}
	if from := s.fullWordAt(i - 1); from == "من" || from == "عن" {
		i--
	}
	word, before := plainWord(s.fullWordAt(i-1)), plainWord(s.fullWordAt(i-2))
	switch {
	case s.consentsAt(i - 2), s.consentsAt(i - 3): // "ما يخالف الخميس", "ما في مشكلة الخميس"
		return false
	case bans[word], changeForms[word] == CancelRequest, isNegatedVerb(word):
		return true
	case word == "عندي", engagements[word] && before == "عندي": // "عندي الأحد دوام", "عندي دوام الأحد"
		return true
	case word == "الا":
		return s.excludesAt(i - 1)
	case negators[before]:
		return isDeniable(word) || forbids(before, word)
	case word == "قال":
		return assents[before] == unsure || before == "من" // "مين قال الخميس"
	}
	return instead[word] || assents[word] == firmNo || isEngaged(word) || travels[word]
}

// excludesAt reports whether word i, إلا, leaves out what follows it: "أي شي إلا الصباح". In "ما أبغى إلا الصباح" that
// is what is wanted, and after a number it subtracts.
func (s inputSentence) excludesAt(i int) bool {
	if slices.ContainsFunc(s[:i], func(w inputWord) bool { return IsNegator(w.said) }) {
		return false
	}
	if i == 0 {
		return true
	}
	before := s.fullWordAt(i - 1)
	return s[i-1].atom.kind == other && fractions[before] == 0 && !slices.Contains(clocks, before)
}

// isDeniable reports whether a negator before a word refuses: it says that something is wanted, possible, needed or
// suitable, or looks like a verb of the present: يمشي, بيناسبني, نقدرش.
func isDeniable(w string) bool {
	if isAgreeable(w) || needs[w] || suits[w] || predicates[w] {
		return true
	}
	if corrections[w] || kindVerbs[w] || utf8.RuneCountInString(w) < 4 {
		return false
	}
	return strings.HasPrefix(w, "ي") || strings.HasSuffix(w, "ش") || strings.HasSuffix(w, "ني")
}

// isNegatedVerb reports whether a word is a verb with both parts of its negation: مينفعنيش, مقدرش, متكتبش.
func isNegatedVerb(w string) bool {
	return strings.HasPrefix(w, "م") && strings.HasSuffix(w, "ش") && utf8.RuneCountInString(w) >= 5 && !kindVerbs[w]
}

// forbids reports whether a negator with a verb refuses what follows: "لا تسجل الخميس", "ما قلت الخميس".
func forbids(negator, verb string) bool {
	n := utf8.RuneCountInString(verb)
	switch {
	case n < 3 || kindVerbs[verb]:
		return false
	case strings.HasPrefix(verb, "ت"):
		return negator == "لا"
	}
	return negator == "ما" && strings.HasSuffix(verb, "ت") && !nouns[verb]
}

// isEngaged reports whether a word says that somebody has no time.
func isEngaged(w string) bool { return hindered[w] || daysOff[w] }

// isAgreeable reports whether a word says that something is wanted, possible or suitable, so that its negation refuses.
func isAgreeable(w string) bool {
	agrees := assents[w] == firmYes || assents[w] == softYes
	return !comparatives[w] && (agrees || wishes[w] || abilities[w] || firstPerson(w))
}

var (
	preferences = wordSet("أفضل أحسن أنسب مناسب يناسبني زين كويس تمام ممتاز أريح")
	hindered    = wordSet("مشغول مشغولة مشغولين مسافر مسافرة مسافرين صعب صعبة")
	daysOff     = wordSet("إجازة عطلة")
	travels     = wordSet("أسافر بسافر نسافر أرجع برجع بارجع راجع راجعة راجعين السفر سفري")
	engagements = wordSet("شغل دوام سفر سفرة موعد ظرف ظروف اختبار امتحان عمل اجتماع مشوار التزام ارتباط " +
		"حادث طارئ عزاء وفاة عزيمة عرس زواج")
	bans    = wordSet("بلاش ممنوع أكره عدا ماعدا احذف احذفوا شيل شيلوا امسح امسحوا")
	needs   = wordSet("لازم ضروري شرط")
	suits   = wordSet("منيح منيحة مناسبا مناسبة وقته وقتها ظنتي ظني بحب هينفع حينفع بيمشي بيزبط بيصير")
	holders = wordSet("عندي عندنا علي علينا معي")
	// kindVerbs are said with a negator in phrases that refuse nothing: "لا تنسى الخميس".
	kindVerbs = wordSet("تنسى تنسوا تنسون تنس تقصر تقصرون تخاف تخافون تشيل تشيلون تقلق تقلقون تتأخر تتأخرون قصرت قصرتوا " +
		"متنساش متنسوش متقلقش متقلقوش متخافش متتأخرش متتأخروش")
	instead = wordSet("بدل بدلا بدال عوض عوضا")
	leads   = wordSet("يوم في بيوم ليوم الساعة موعد")
)
