package arabic

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// letterNames are the names of Latin letters in Arabic script, by folded word.
var letterNames = letterTable(map[string]string{
	"a": "ايه إيه", "b": "بي", "c": "سي", "d": "دي", "e": "اي", "f": "اف إف", "g": "جي", "h": "اتش إتش ايتش", "i": "آي",
	"j": "جيه جاي", "k": "كيه كاي كي", "l": "ال إل", "m": "ام إم", "n": "ان إن", "o": "او أو", "p": "بيه", "q": "كيو",
	"r": "ار آر", "s": "اس إس", "t": "تي", "u": "يو", "v": "في", "w": "دبليو دبلو", "x": "اكس إكس", "y": "واي",
	"z": "زد زيد",
})

// letterTable keys the names by folded spelling. The name of I, folded, is that of E: people who spell I say آي, which
// recognizers write اي. It stands for I.
func letterTable(names map[string]string) map[string]string {
	out := map[string]string{}
	for letter, list := range names {
		for w := range wordSet(list) {
			out[w] = letter
		}
	}
	out["اي"] = "i"
	return out
}

// wordsAsLetters are letter names that are Arabic words: the first letter of a code is none of them.
var wordsAsLetters = wordSet("في او اي ام ان ال دي كي جاي زيد")

var (
	atWords        = wordSet("at آت ات أت @")
	dotWords       = wordSet("dot دوت نقطة نقطه بوينت")
	underscores    = wordSet("underscore اندرسكور أندرسكور")
	dashes         = wordSet("dash داش شرطة شرطه")
	latinWord      = regexp.MustCompile(`^[a-z0-9]+$`)
	domainsInWords = map[string]string{
		"جيميل": "gmail", "هوتميل": "hotmail", "هتميل": "hotmail", "ياهو": "yahoo", "اوتلوك": "outlook",
		"ايكلاود": "icloud", "كوم": "com", "نت": "net", "اورج": "org", "اورغ": "org",
	}
)

// plainWordAt returns word i folded; "" at the end, and after punctuation.
func (w *spanWriter) plainWordAt(i, from int) string {
	if i >= len(w.s) || i > from && w.s[i-1].tail != "" {
		return ""
	}
	return w.s.fullWordAt(i)
}

// emailAt writes a spelled e-mail address: "sara dot ali at gmail dot com", "اس ايه ار ايه آت جيميل دوت كوم".
func (w *spanWriter) emailAt(i int) (writtenSpan, bool) {
	local, at := w.localPart(i)
	if local == "" || !atWords[w.plainWordAt(at, i)] {
		return writtenSpan{}, false
	}
	domain, end := w.domain(at + 1)
	if !strings.Contains(domain, ".") {
		return writtenSpan{}, false
	}
	return writtenSpan{kind: emailSpan, texts: []string{local + "@" + domain}, first: i, last: end - 1}, true
}

// localPart reads what stands before the at sign. Two whole words need a sign between them, so that the words before
// an address are no part of it.
func (w *spanWriter) localPart(i int) (local string, next int) {
	separated := true
	for next = i; len(local) <= maxAddressPart; {
		word := w.plainWordAt(next, i)
		sign := emailSign(word)
		text, end := w.addressWord(next, i)
		whole := utf8.RuneCountInString(text) > 1 && latinWord.MatchString(word) && strings.Trim(text, "0123456789") != ""
		switch {
		case sign != "" && local != "" && !separated:
			local, separated, next = local+sign, true, next+1
		case text == "" || whole && !separated && !endsInDigit(local):
			return strings.TrimRight(local, "._-"), next
		default:
			local, separated, next = local+text, false, end
		}
	}
	return "", i
}

// maxAddressPart is the length of a part of an e-mail address (RFC 5321 §4.5.3.1), which also bounds the search.
const maxAddressPart = 64

func endsInDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

func emailSign(word string) string {
	switch {
	case dotWords[word]:
		return "."
	case underscores[word]:
		return "_"
	case dashes[word]:
		return "-"
	}
	return ""
}

// addressWord reads a letter, a Latin word or digits of an address at word i.
func (w *spanWriter) addressWord(i, from int) (text string, next int) {
	word := w.plainWordAt(i, from)
	if word == "" || atWords[word] || emailSign(word) != "" {
		return "", i
	}
	if latinWord.MatchString(word) {
		return word, i + 1
	}
	if letter, end := w.letterAt(i, from); letter != "" {
		return letter, end
	}
	return w.singleDigits(i)
}

// letterAt reads a letter: its name, or a Latin letter. دبل يو is W.
func (w *spanWriter) letterAt(i, from int) (letter string, next int) {
	word := w.plainWordAt(i, from)
	if (word == "دبل" || word == "دابل") && w.plainWordAt(i+1, from) == "يو" {
		return "w", i + 2
	}
	if letter = letterNames[word]; letter != "" {
		return letter, i + 1
	}
	if len(word) == 1 && word >= "a" && word <= "z" {
		return word, i + 1
	}
	return "", i
}

// domain reads labels with dots between them.
func (w *spanWriter) domain(i int) (domain string, next int) {
	next = i
	for len(domain) <= maxAddressPart {
		label, end := w.domainLabel(next, i)
		if label == "" {
			return strings.TrimSuffix(domain, "."), min(next, len(w.s))
		}
		domain, next = domain+label, end
		if !dotWords[w.plainWordAt(next, i)] {
			return domain, next
		}
		if label, _ := w.domainLabel(next+1, i); label == "" {
			return domain, next
		}
		domain, next = domain+".", next+1
	}
	return "", i
}

func (w *spanWriter) domainLabel(i, from int) (label string, next int) {
	word := w.plainWordAt(i, from)
	switch {
	case word == "جي" && w.plainWordAt(i+1, from) == "ميل":
		return "gmail", i + 2
	case word == "هوت" && w.plainWordAt(i+1, from) == "ميل":
		return "hotmail", i + 2
	case domainsInWords[word] != "":
		return domainsInWords[word], i + 1
	case latinWord.MatchString(word):
		for next = i + 1; dashes[w.plainWordAt(next, from)] && latinWord.MatchString(w.plainWordAt(next+1, from)); next += 2 {
			word += "-" + w.plainWordAt(next+1, from)
		}
		return word, next
	}
	for next = i; len(label) <= maxAddressPart; {
		letter, end := w.letterAt(next, from)
		if letter == "" {
			break
		}
		label, next = label+letter, end
	}
	return label, next
}

// codeTriggers end a phrase after which one letter and one digit are a code, too.
var codeTriggers = wordSet("الطلب الكود كود الحجز المرجع order code booking id الرقم التذكرة البوليصة reference")

// codeAt writes an order number: letters by name, then digits: "ايه بي واحد اتنين" is AB-12.
func (w *spanWriter) codeAt(i int) (writtenSpan, bool) {
	if w.s[i].prefix != "" || i > 0 && isLetterName(w.s.fullWordAt(i-1)) {
		return writtenSpan{}, false
	}
	trigger := i > 0 && codeTriggers[w.s.fullWordAt(i-1)] && w.s[i-1].tail == ""
	letters, next := "", i
	for len(letters) < 5 {
		letter, end := w.letterAt(next, i)
		if letter == "" {
			break
		}
		letters, next = letters+letter, end
	}
	if letters == "" || wordsAsLetters[w.s.fullWordAt(i)] {
		return writtenSpan{}, false
	}
	dash := dashes[w.plainWordAt(next, i)]
	if dash {
		next++
	}
	digits, end := w.codeDigits(next)
	if digits == "" || !trigger && (len(letters) < 2 || len(digits) < 2) {
		return writtenSpan{}, false
	}
	text := strings.ToUpper(letters) + "-" + digits
	return writtenSpan{kind: codeSpan, texts: []string{text}, first: i, last: end - 1}, true
}

func isLetterName(word string) bool { return letterNames[word] != "" && !wordsAsLetters[word] }

// codeDigits reads spoken or written digits at word i.
func (w *spanWriter) codeDigits(i int) (digits string, next int) {
	if i >= len(w.s) || i > 0 && w.s[i-1].tail != "" || w.s[i].prefix != "" {
		return "", i
	}
	for next = i; next < len(w.s) && (next == i || w.s.followsDirectly(next)); {
		part, end := w.singleDigits(next)
		if raw := WesternDigits(strings.TrimRight(w.raw[next], tailMarks)); end == next && countDigits(raw) == len(raw) {
			part, end = raw, next+1
		}
		if end == next {
			break
		}
		digits, next = digits+part, end
	}
	return digits, next
}

// arabicLetters are the names of Arabic letters, as number plates have them.
var arabicLetters = map[string]string{
	"الف": "أ", "باء": "ب", "با": "ب", "حاء": "ح", "حا": "ح", "دال": "د", "راء": "ر", "را": "ر", "سين": "س", "صاد": "ص",
	"طاء": "ط", "طا": "ط", "عين": "ع", "قاف": "ق", "كاف": "ك", "لام": "ل", "ميم": "م", "نون": "ن", "هاء": "هـ", "ها": "هـ",
	"واو": "و", "ياء": "ى", "يا": "ى", "جيم": "ج", "فاء": "ف", "تاء": "ت",
}

// plateAt writes a number plate: three letters by name, then up to four digits; two letters after a word for it.
func (w *spanWriter) plateAt(i int) (writtenSpan, bool) {
	if w.s[i].prefix != "" {
		return writtenSpan{}, false
	}
	named := i > 0 && plateWords[w.s.fullWordAt(i-1)]
	var texts []string
	next := i
	for len(texts) < 3 && arabicLetters[w.plainWordAt(next, i)] != "" {
		texts = append(texts, arabicLetters[w.s.fullWordAt(next)])
		next++
	}
	if len(texts) < 2 || len(texts) == 2 && !named {
		return writtenSpan{}, false
	}
	digits, end := w.codeDigits(next)
	if digits == "" || len(digits) > 4 {
		return writtenSpan{}, false
	}
	plate := strings.Join(texts, " ") + " " + digits
	return writtenSpan{kind: codeSpan, texts: []string{plate}, first: i, last: end - 1}, true
}

var plateWords = wordSet("لوحة اللوحة لوحتي لوحتها نمرة نمرتي رقمها")
