package arabic

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// yesNoSign is the meaning of one word or phrase of an answer.
type yesNoSign int

const (
	silent     yesNoSign = iota
	softYes              // an acknowledgement: yes unless next to a no ("لا، تمام"; "طبعا لا")
	bareYes              // نعم and similar
	firmYes              // names what is agreed to: موافق, أؤكد, سأحضر
	bareNo               // لا and similar
	firmNo               // names what is refused: ما أقدر, لا أريد
	either               // أو: the words on both sides of it repeat the question
	correction           // قصدي: what follows counts, not what precedes
	but                  // بس: a refusal or a wish for a change after a yes takes it back
	open                 // no, or no hindrance: what is named after it decides ("لا عادي" is open, "لا عادي بجي" yes)
	busy                 // names a hindrance: "مشغول" is no answer, "لا والله مشغول" is no
	unsure               // neither yes nor no, in any context: ما أدري, لم أفهم, "من المتكلم"
)

func (s yesNoSign) isYes() bool { return s == bareYes || s == firmYes }
func (s yesNoSign) isNo() bool  { return s == bareNo || s == firmNo }

// YesNo reports whether the words mean yes or no. ok is false when they mean neither, or both:
//
//   - Acknowledgements (تمام, طيب, أكيد, إن شاء الله) are a yes only without a clear answer next to them.
//   - Of two contradicting clear answers the last wins if it names what it answers ("لا... نعم أؤكد"), is repeated
//     ("نعم لا لا"), or follows a correction word ("لا قصدي نعم"). Otherwise there is no answer.
//   - A yes that a refusal, a wish for a change, a day or an hour restricts is no answer ("نعم بس أبغى أغير الوقت",
//     "نعم لكن ما أقدر", "نعم بس بعد المغرب").
//   - A yes with "but I may be late" stays one. A hindrance alone ("مشغول") is no answer, after a no it is one.
//   - "نعم أو لا", "ما أدري", "لم أفهم" and "من المتكلم" are no answer, nor is a wish to change or cancel without a yes
//     or no: the meaning of "أريد تغيير الموعد" depends on the question.
//   - لا بأس, ليش لا, ما في مشكلة and the like are a yes; ولا is ignored.
func YesNo(s string) (yes, ok bool) {
	return decideYesNo(readSigns(s))
}

// IsUnclear reports whether words say both yes and no, or doubt either, so that [YesNo] finds neither.
func IsUnclear(s string) bool {
	signs := readSigns(s)
	_, ok := decideYesNo(signs)
	return !ok && slices.ContainsFunc(signs, func(s yesNoSign) bool { return s != silent && s != open })
}

// readSigns returns the signs of an answer in the order of its words.
func readSigns(s string) []yesNoSign {
	words := foldedWords(s)
	asks := slices.ContainsFunc(words, func(w string) bool { return asking[w] })
	var signs []yesNoSign
	for i := 0; i < len(words); {
		sg, n := readSign(words[i:])
		if i > 0 && words[i] == "اي" && prepositions[words[i-1]] {
			sg = silent // "with which doctor"
		}
		if exactly[words[i]] && asks {
			sg = silent // "where exactly?"
		}
		signs = append(signs, sg)
		if sg == but && promisesLate(words[i+n:]) {
			return signs
		}
		if sg == but && restrictsAnswer(words[i+n:]) {
			signs = append(signs, firmNo)
		}
		i += n
		if sg == firmNo {
			i += countRefusedVerbs(words[i:])
		}
	}
	if len(words) <= 3 && !asks && !slices.ContainsFunc(signs, func(s yesNoSign) bool { return s != silent }) {
		for _, w := range words {
			if near, found := lookUpSimilar(assents, w); found && near != softYes {
				signs = append(signs, near)
			}
		}
	}
	return signs
}

// restrictsAnswer reports whether words after "but" wish for a change, or name another day or hour: "yes, but after
// five".
func restrictsAnswer(words []string) bool {
	said := strings.Join(words, " ")
	if wanted, _ := FindChangeRequest(said); wanted != NoChange {
		return true
	}
	if _, prayer := FindPrayerTime(said); prayer {
		return true
	}
	for i := range words {
		if namesWhen(words[i:]) {
			return true
		}
	}
	return false
}

// promisesLate reports whether words after "but" say that somebody comes late: "yes, but I may be five minutes late".
func promisesLate(words []string) bool {
	for _, w := range words {
		if !hedges[w] && !futures[w] && w != "ممكن" {
			return late[w]
		}
	}
	return false
}

// decideYesNo weighs the signs in the order they were spoken.
func decideYesNo(signs []yesNoSign) (yes, ok bool) {
	var last, before yesNoSign // the last clear sign and the one of the other kind before it
	group, firm, mended, or, soft, restricted, vague := 0, false, false, false, false, false, false
	for _, s := range signs {
		switch {
		case s == unsure:
			return false, false
		case s == busy && last.isYes():
			return false, false
		case s == open && last.isYes():
		case s == open || s == busy:
			vague = true
		case s == softYes:
			soft = true
		case s == correction:
			group, firm, mended = 0, false, true
		case s == either:
			or = true
		case s == but:
			restricted = restricted || last.isYes() || last == silent && soft
		case s.isYes() || s.isNo():
			if last != silent && s.isYes() != last.isYes() {
				before, group, firm = last, 0, false
			}
			last = s
			group++
			firm = firm || s == firmYes || s == firmNo
		}
	}
	switch {
	case restricted && last.isNo(), vague && !firm:
		return false, false
	case last == silent:
		return soft, soft
	case before == silent:
		return last.isYes(), true
	}
	return last.isYes(), !or && (firm || group > 1 || mended)
}

// readSign reads the longest phrase at the beginning of words, and returns its sign and number of words.
func readSign(words []string) (yesNoSign, int) {
	for n := min(4, len(words)); n > 1; n-- {
		if s, ok := idioms[strings.Join(words[:n], " ")]; ok {
			return s, n
		}
	}
	w := plainWord(words[0])
	next := ""
	if len(words) > 1 {
		next = plainWord(words[1])
	}
	if n := readPastWish(words); n > 0 {
		return silent, n
	}
	if n := max(readHindrance(words), readAbsence(words)); n > 0 {
		return firmNo, n
	}
	switch {
	case negators[w] && deniesFailing(words[1:]):
		return open, min(3, len(words))
	case w == "مستحيل" && negators[next]: // "مستحيل ما أجي"
		return bareYes, 2 + countRefusedVerbs(words[2:])
	case negators[w]:
		return readNegation(w, next)
	case futures[w] && next != "" && !promises[next] && !abilities[next] && assents[next] == silent:
		return silent, 2 // "I'll call you back" promises something else
	case wishes[w] && (next != "" || !futures[w]):
		return readWish(words)
	case hindered[w]:
		return busy, 1
	case next != "" && w == "ممكن", (w == "اي" || w == "اجل") && nouns[next]:
		return silent, 1
	}
	return assents[w], 1
}

// readPastWish counts the words of what was meant to be, and is no yes: "كنت جاي", "كنت ناوي أجي". "كنت أبغى" is a
// polite wish of today.
func readPastWish(words []string) int {
	if !pastCopulas[words[0]] {
		return 0
	}
	for i, w := range words[1:] {
		if !intents[w] {
			if i == 0 {
				return 0
			}
			return i + 1
		}
	}
	return len(words)
}

// readHindrance counts the words of something that came up: "صار لي ظرف", "طلع عندي شغل".
func readHindrance(words []string) int {
	if !happenings[strings.TrimPrefix(words[0], "و")] {
		return 0
	}
	for i, w := range words[1:min(4, len(words))] {
		if engagements[w] {
			return i + 2
		}
	}
	return 0
}

// readAbsence counts the words of "أكون مسافر", also in the future.
func readAbsence(words []string) int {
	i := 0
	if futures[words[0]] {
		i = 1
	}
	if i+1 < len(words) && copulas[words[i]] && isEngaged(words[i+1]) {
		return i + 2
	}
	return 0
}

// countRefusedVerbs counts the words that continue a refusal: ما راح [أقدر أجي], ما أكون [موجود].
func countRefusedVerbs(words []string) int {
	for i, w := range words {
		if w = plainWord(w); !wishes[w] && !abilities[w] && !predicates[w] && !firstPerson(w) {
			return i
		}
	}
	return len(words)
}

// deniesFailing reports whether the words after a negator are to be late or to forget: "ما راح أتأخر" will come, unless
// that is what was asked.
func deniesFailing(words []string) bool {
	if len(words) > 1 && futures[words[0]] {
		words = words[1:]
	}
	return len(words) > 0 && (late[words[0]] || forgotten[words[0]])
}

// readNegation reads a negator and, if it negates the next word, that word.
func readNegation(w, next string) (yesNoSign, int) {
	known := assents[next]
	refused := wishes[next] || known == firmYes || abilities[next] || firstPerson(next)
	switch {
	case doubts[next]:
		return unsure, 2
	case w == "لا" && (wishes[next] || abilities[next] || firstPerson(next)):
		return firmNo, 2
	case w == "لا":
		return bareNo, 1
	case w == "ما" && refused, w == "غير" && (refused || known == softYes):
		return firmNo, 2
	case w == "ما" || w == "غير":
		return silent, 1
	case next == "" || known == bareYes || negators[next]:
		return bareNo, 1
	}
	return firmNo, 2
}

// firstPerson reports whether a word looks like a verb in the first person: أحضر, أستطيع.
func firstPerson(w string) bool {
	return strings.HasPrefix(w, "ا") && !strings.HasPrefix(w, "ال") && utf8.RuneCountInString(w) >= 3 &&
		assents[w] == silent && !nouns[w] && !isPluralImperative(w) && w != "انا" && w != "اسم" && w != "اسمك" && w != "اذا"
}

// readWish reads أريد and its object: a wish to change or to ask something is no answer.
func readWish(words []string) (yesNoSign, int) {
	for _, w := range words[1:min(4, len(words))] {
		_, changing := lookUpWord(changeForms, w)
		if _, asking := lookUpWord(askObjects, w); changing || asking {
			return silent, 1
		}
	}
	return firmYes, 1
}

// plainWord returns the form of a word that is in the tables: without repeated letters, or without the prefix و.
func plainWord(w string) string {
	bare := strings.TrimPrefix(w, "و")
	for _, form := range []string{w, squeezeRepeats(w), bare, squeezeRepeats(bare)} {
		if assents[form] != silent || negators[form] || wishes[form] || abilities[form] || doubts[form] {
			return form
		}
	}
	return w
}

// IsNegator reports whether a folded word negates what follows it, in any dialect: لا, ما, مو, مش, موش, لن.
func IsNegator(w string) bool { return negators[plainWord(w)] }

// squeezeRepeats writes repeated letters once: نعمممم, ايووه.
func squeezeRepeats(w string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range w {
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}
