package conversation

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"munadi/appliance/conversation/slot"
	"munadi/engine/arabic"
	"munadi/store/scenario"
)

const (
	longSentence = 200  // characters after which a text without a full stop is spoken up to its last space
	longAnswer   = 1000 // characters of one answer; the rest is not spoken
)

// errAnswerTooLong stops a streamed answer longer than [longAnswer].
var errAnswerTooLong = errors.New("the answer is long enough")

// sentenceSplitter cuts a streamed answer into sentences that can be spoken.
type sentenceSplitter struct {
	send  func(sentence string) error
	rest  string // the incomplete last sentence
	total int    // characters so far
	ended bool   // the model wrote [END]
}

// addPiece takes the next piece of the answer.
func (p *sentenceSplitter) addPiece(piece string) error {
	if p.ended {
		return nil
	}
	p.rest += piece
	p.total += utf8.RuneCountInString(piece)
	if p.cutThoughts() {
		return nil
	}
	if before, _, found := strings.Cut(p.rest, endMark); found {
		p.rest, p.ended = before, true
	}
	for {
		n := sentenceEnd(p.rest)
		if n == 0 {
			break
		}
		sentence := p.rest[:n]
		p.rest = p.rest[n:]
		if err := p.emitSentence(sentence); err != nil {
			return err
		}
	}
	if p.total > longAnswer {
		return errAnswerTooLong
	}
	return nil
}

// thoughtsBegin and thoughtsEnd surround what some models write before they answer.
const (
	thoughtsBegin = "<think>"
	thoughtsEnd   = "</think>"
)

// cutThoughts removes the model's thoughts from the rest. It reports whether they go on.
func (p *sentenceSplitter) cutThoughts() bool {
	if !strings.HasPrefix(strings.TrimSpace(p.rest), thoughtsBegin) {
		return false
	}
	_, after, ended := strings.Cut(p.rest, thoughtsEnd)
	if !ended { // only the last bytes may be a part of the end
		after = thoughtsBegin + p.rest[max(len(thoughtsBegin), len(p.rest)-len(thoughtsEnd)):]
	}
	p.rest, p.total = after, utf8.RuneCountInString(after)
	return !ended
}

// flushRest speaks the rest when the answer is complete.
func (p *sentenceSplitter) flushRest() error {
	if p.cutThoughts() {
		p.rest = ""
	}
	rest := p.rest
	p.rest = ""
	if p.total > longAnswer && !p.ended { // broken off in a sentence
		return nil
	}
	return p.emitSentence(rest)
}

func (p *sentenceSplitter) emitSentence(sentence string) error {
	if sayableText(sentence) == "" {
		return nil
	}
	return p.send(strings.TrimSpace(sentence))
}

// sentenceEnd returns the length of the first whole sentence in bytes; 0 without one. A full stop ends it only if a
// space follows, so that 3.5 and a mark that is still to come are not cut.
func sentenceEnd(s string) int {
	var previous rune
	space, count := 0, 0
	for i, r := range s {
		if r == '\n' || unicode.IsSpace(r) && strings.ContainsRune(".!?؟۔…", previous) {
			return i + utf8.RuneLen(r)
		}
		if unicode.IsSpace(r) {
			space = i + utf8.RuneLen(r)
		}
		if count++; count > longSentence && space > 0 {
			return space
		}
		previous = r
	}
	return 0
}

var numberForm = regexp.MustCompile(`[0-9]+([.][0-9]+)?`)

// sayableText returns a sentence without markup, with numbers in words; empty if no word is left. Its braces are no
// templates.
func sayableText(sentence string) string {
	sentence = strings.Map(func(r rune) rune {
		if strings.ContainsRune("{}[]<>*#_`|~", r) {
			return ' '
		}
		return r
	}, plainText(sentence))
	sentence = numberForm.ReplaceAllStringFunc(sentence, numberInWords)
	sentence = strings.Join(strings.Fields(sentence), " ")
	if !strings.ContainsFunc(sentence, unicode.IsLetter) {
		return ""
	}
	return sentence
}

// plainText returns a foreign text on one line, without control characters and marks that change the direction of what
// follows (Unicode's Bidi_Control).
func plainText(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

func numberInWords(digits string) string {
	if whole, fraction, found := strings.Cut(digits, "."); found {
		return numberInWords(whole) + " فاصلة " + numberInWords(fraction)
	}
	if n, err := strconv.Atoi(digits); err == nil && len(digits) <= 9 {
		if words := slot.SpokenValue(scenario.AnswerSlot{Type: scenario.Number}, float64(n)); words != "" {
			return words
		}
	}
	return arabic.SpellDigits(digits)
}
