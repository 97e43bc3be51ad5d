package arabic

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
		return next == "" || i+1 < len(s) && s[i+1].atom.kind == other && isAgreeable(next)
	case word == "عندي":
		return engagements[next]
	}
	return assents[word] == firmNo || engaged[word]
}

// consentsAt reports whether a phrase of consent with a negator in it begins with word i: "ما في مشكلة", "لا بأس".
func (s inputSentence) consentsAt(i int) bool {
	var words []string
	for j := i; j < min(i+4, len(s)); j++ {
		words = append(words, s[j].said)
	}
	if len(words) == 0 {
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
	word := plainWord(s.fullWordAt(i - 1))
	if word == "عندي" || engagements[word] && s.fullWordAt(i-2) == "عندي" { // "عندي الأحد دوام", "عندي دوام الأحد"
		return true
	}
	denied := negators[plainWord(s.fullWordAt(i-2))] && isAgreeable(word)
	return instead[word] || denied || assents[word] == firmNo || engaged[word] || travels[word]
}

// isAgreeable reports whether a word says that something is wanted, possible or suitable, so that its negation refuses.
func isAgreeable(w string) bool {
	agrees := assents[w] == firmYes || assents[w] == softYes
	return !comparatives[w] && (agrees || wishes[w] || abilities[w] || firstPerson(w))
}

var (
	preferences = wordSet("أفضل أحسن أنسب مناسب يناسبني زين كويس تمام ممتاز أريح")
	engaged     = wordSet("مشغول مشغولة مشغولين مسافر مسافرة مسافرين صعب صعبة إجازة عطلة")
	travels     = wordSet("أسافر بسافر نسافر أرجع برجع بارجع راجع راجعة راجعين السفر سفري")
	engagements = wordSet("شغل دوام سفر سفرة موعد ظرف ظروف اختبار امتحان عمل اجتماع مشوار التزام ارتباط " +
		"حادث طارئ عزاء وفاة")
	instead = wordSet("بدل بدلا بدال عوض عوضا")
	leads   = wordSet("يوم في بيوم ليوم الساعة موعد")
)
