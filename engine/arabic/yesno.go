package arabic

import (
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
	unsure               // neither yes nor no, in any context: ما أدري, لم أفهم, "من المتكلم"
)

func (s yesNoSign) isYes() bool { return s == bareYes || s == firmYes }
func (s yesNoSign) isNo() bool  { return s == bareNo || s == firmNo }

// YesNo reports whether the words mean yes or no. ok is false when they mean neither, or both:
//
//   - Acknowledgements (تمام, طيب, أكيد, إن شاء الله) are a yes only without a clear answer next to them.
//   - Of two contradicting clear answers the last wins if it names what it answers ("لا... نعم أؤكد"), is repeated
//     ("نعم لا لا"), or follows a correction word ("لا قصدي نعم"). Otherwise there is no answer.
//   - "نعم أو لا", "ما أدري", "لم أفهم" and "من المتكلم" are no answer, nor is a wish to change or cancel without a yes
//     or no: the meaning of "أريد تغيير الموعد" depends on the question.
//   - لا بأس, ليش لا, ما في مشكلة and the like are a yes; ولا is ignored.
func YesNo(s string) (yes, ok bool) {
	words := foldedWords(s)
	var signs []yesNoSign
	for i := 0; i < len(words); {
		sg, n := readSign(words[i:])
		signs = append(signs, sg)
		i += n
		if sg == firmNo {
			i += countRefusedVerbs(words[i:])
		}
	}
	if len(words) <= 3 && !hasSign(signs) {
		for _, w := range words {
			if near, found := lookUpSimilar(assents, w); found && near != softYes {
				signs = append(signs, near)
			}
		}
	}
	return decideYesNo(signs)
}

// hasSign reports whether any sign was read.
func hasSign(signs []yesNoSign) bool {
	for _, s := range signs {
		if s != silent {
			return true
		}
	}
	return false
}

// decideYesNo weighs the signs in the order they were spoken.
func decideYesNo(signs []yesNoSign) (yes, ok bool) {
	var last, before yesNoSign // the last clear sign and the one of the other kind before it
	group, firm, mended, or, soft := 0, false, false, false, false
	for _, s := range signs {
		switch {
		case s == unsure:
			return false, false
		case s == softYes:
			soft = true
		case s == correction:
			group, firm, mended = 0, false, true
		case s == either:
			or = true
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
	switch {
	case negators[w]:
		return readNegation(w, next)
	case wishes[w] && (next != "" || !futures[w]):
		return readChangeRequest(words)
	case next != "" && w == "ممكن", w == "اي" && nouns[next], w == "اجل" && nouns[next]:
		return silent, 1
	}
	return assents[w], 1
}

// countRefusedVerbs counts the words that continue a refusal: ما راح [أقدر أجي].
func countRefusedVerbs(words []string) int {
	for i, w := range words {
		if w = plainWord(w); !wishes[w] && !abilities[w] && !firstPerson(w) {
			return i
		}
	}
	return len(words)
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
		assents[w] == silent && !nouns[w] && w != "انا" && w != "اسم" && w != "اسمك" && w != "اذا"
}

// readChangeRequest reads أريد and its object: a wish for a change is no answer.
func readChangeRequest(words []string) (yesNoSign, int) {
	for _, w := range words[1:min(4, len(words))] {
		if _, changing := lookUpWord(changes, w); changing {
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
