// Package textform formats transcripts as a client asks for: in written form (numbers, money, times as digits), with
// what identifies a person redacted.
//
// Package engine/arabic decides which words change; this package applies that to segments, with their words, times and
// tokens. The zero [Options] change nothing.
package textform

import (
	"slices"
	"strings"

	"munadi/engine"
	"munadi/engine/arabic"
)

// Form is the form of a text.
type Form string

// The forms. An empty one is Spoken.
const (
	Spoken  Form = "spoken"  // as the model writes it
	Written Form = "written" // numbers as digits
)

// Numerals are the digits of the written form, by their CLDR names. Empty ones are Latin.
type Numerals string

// The numerals.
const (
	Latin       Numerals = "latn"
	ArabicIndic Numerals = "arab"
)

// Options are the form of a transcript.
type Options struct {
	Form     Form     `json:"text_form,omitempty"`
	Numerals Numerals `json:"numerals,omitempty"`
	Country  string   `json:"country,omitempty"` // of local telephone numbers and currencies; empty: Saudi Arabia
	Redact   bool     `json:"redact,omitempty"`
	Names    []string `json:"-"` // phrases that are redacted, too, as names are
}

// Changes reports whether the options may change a text.
func (o Options) Changes() bool { return o.Form == Written || o.Redact }

// IsRedacted reports whether something was left out of a text.
func IsRedacted(text string) bool { return strings.Contains(text, arabic.RedactedText) }

// FormatText formats a text.
func (o Options) FormatText(text string) string {
	return o.FormatTextWithin("", text, "")
}

// FormatTextWithin formats a text that continues an earlier one of the same speaker and goes on in a later one: a
// number that reaches from one to another is redacted in all.
func (o Options) FormatTextWithin(before, text, after string) string {
	if !o.Changes() {
		return text
	}
	words := strings.Fields(text)
	if o.Redact {
		earlier := strings.Fields(before)
		marks := o.findMarks(slices.Concat(earlier, words, strings.Fields(after)))
		words = texts(arabic.MaskWords(words, marks[len(earlier):][:len(words)]))
	}
	return strings.Join(texts(o.write(words)), " ")
}

// findMarks marks the words to redact.
func (o Options) findMarks(words []string) []bool {
	marks := arabic.FindIdentifiers(words)
	for _, name := range o.Names {
		arabic.MarkPhrase(words, name, marks)
	}
	return marks
}

// write writes words in the form.
func (o Options) write(words []string) []arabic.OutputPiece {
	if o.Form != Written {
		return unchanged(words)
	}
	form := arabic.WrittenForm{Country: o.Country, ArabicIndic: o.Numerals == ArabicIndic}
	return form.WriteWords(words)
}

func unchanged(words []string) []arabic.OutputPiece {
	pieces := make([]arabic.OutputPiece, len(words))
	for i, word := range words {
		pieces[i] = arabic.OutputPiece{Text: word, First: i, Last: i}
	}
	return pieces
}

// FormatSegment formats a segment that no other one continues.
func (o Options) FormatSegment(s engine.Segment) engine.Segment {
	return o.FormatSegments([]engine.Segment{s})[0]
}

// formatAfter formats a segment that continues an earlier text of the same speaker, as it was recognized: the rest of
// a number that began there is redacted too.
func (o Options) formatAfter(before string, s engine.Segment) engine.Segment {
	if o.Redact {
		both := []engine.Segment{{Text: before}, s}
		o.redactSegments(both)
		s, o.Redact = both[1], false
		s.Readings = Options{Redact: true}.formatReadings(s.Readings)
	}
	return o.FormatSegment(s)
}

// FormatSegments formats segments of one speaker that follow each other. A number that goes on in the next segment is
// redacted in both; in written form it is in the first one, whose last word then ends in the next one. A segment of
// which nothing is left has no text.
func (o Options) FormatSegments(segments []engine.Segment) []engine.Segment {
	out := append([]engine.Segment{}, segments...)
	if o.Redact {
		o.redactSegments(out)
	}
	if o.Form == Written {
		o.writeSegments(out)
	}
	for i := range out {
		out[i].Readings = o.formatReadings(out[i].Readings)
	}
	return out
}

// maxPause is the longest pause in seconds in a number, between its groups.
const maxPause = 2

// writeSegments writes segments in place, those with short pauses between them together.
func (o Options) writeSegments(segments []engine.Segment) {
	for i, j := 0, 0; i < len(segments); i = j {
		for j = i + 1; j < len(segments) && isAligned(segments[j-1]) && isAligned(segments[j]) &&
			segments[j].Start-segments[j-1].End <= maxPause; j++ {
		}
		if j == i+1 {
			segments[i] = ReplaceWords(segments[i], o.write)
			continue
		}
		replaceAcross(segments[i:j], o.write)
	}
}

// FormatResult formats a whole transcript.
func (o Options) FormatResult(r *engine.Result) *engine.Result {
	if !o.Changes() {
		return r
	}
	out := *r
	out.Segments = nil
	var said []string
	for _, s := range o.FormatSegments(r.Segments) {
		if s.Text != "" {
			said, out.Segments = append(said, s.Text), append(out.Segments, s)
		}
	}
	out.Text = strings.Join(said, " ")
	return &out
}

// longestNumber is how many words of the turns before a number that goes on may have.
const longestNumber = 20

// KeepHeard adds a turn to the text of the turns before, as they were recognized, as far back as a number reaches.
func KeepHeard(before, turn string) string {
	words := append(strings.Fields(before), strings.Fields(turn)...)
	return strings.Join(words[max(0, len(words)-longestNumber):], " ")
}

// FormatEvent formats an event of live recognition, after the text of the turns before ([KeepHeard]). With
// [Options.Changes], a Partial has neither text nor words, since a number may go on.
func (o Options) FormatEvent(before string, e engine.StreamEvent) engine.StreamEvent {
	switch {
	case !o.Changes():
	case e.Type == engine.Final:
		s := o.formatAfter(before, engine.Segment{Text: e.Text, Words: e.Words, Readings: e.Readings})
		e.Text, e.Words, e.Readings = s.Text, s.Words, s.Readings
	default:
		e.Text, e.Words = "", nil
	}
	return e
}

func (o Options) formatReadings(readings []engine.GrammarReading) []engine.GrammarReading {
	if len(readings) == 0 || !o.Changes() {
		return readings
	}
	out := make([]engine.GrammarReading, len(readings))
	for i, r := range readings {
		r.Text = o.FormatText(r.Text)
		out[i] = r
	}
	return out
}

// redactSegments redacts in place, across the segments' ends.
func (o Options) redactSegments(segments []engine.Segment) {
	var all []string
	for _, s := range segments {
		all = append(all, strings.Fields(s.Text)...)
	}
	marks := o.findMarks(all)
	for i, s := range segments {
		own := marks[:len(strings.Fields(s.Text))]
		marks = marks[len(own):]
		segments[i] = replaceMarked(s, own)
	}
}

// replaceMarked masks marked words of a segment's text. Where words and tokens are not those of the text, every word
// that is spelled like a marked one is masked, and the tokens are dropped.
func replaceMarked(s engine.Segment, marks []bool) engine.Segment {
	if !slices.Contains(marks, true) {
		return s
	}
	if countTokens(s.Words) != len(s.Tokens) || len(s.Words) != len(marks) {
		s.Tokens = nil
	}
	if len(s.Words) != len(marks) {
		s.Words = maskAlike(s.Words, strings.Fields(s.Text), marks)
	}
	s.Readings = maskNumbers(s.Readings)
	return ReplaceWords(s, func(words []string) []arabic.OutputPiece { return arabic.MaskWords(words, marks) })
}

// maskNumbers masks the numbers in readings of a segment with a redacted number, however few digits they are.
func maskNumbers(readings []engine.GrammarReading) []engine.GrammarReading {
	out := slices.Clone(readings)
	for i, r := range out {
		words := strings.Fields(r.Text)
		marks := arabic.FindIdentifiers(words)
		for j := range words {
			marks[j] = marks[j] || arabic.EndsInNumber(words[j:j+1])
		}
		out[i].Text = strings.Join(texts(arabic.MaskWords(words, marks)), " ")
	}
	return out
}

// maskAlike masks the words that are spelled like a marked word of the text.
func maskAlike(words []engine.Word, text []string, marks []bool) []engine.Word {
	marked := map[string]bool{}
	for i, word := range text {
		if marks[i] {
			marked[arabic.FoldSpelling(word)] = true
		}
	}
	aligned, alike := make([]string, len(words)), make([]bool, len(words))
	for i, w := range words {
		aligned[i], alike[i] = w.Text, marked[arabic.FoldSpelling(w.Text)]
	}
	return mergeWords(words, arabic.MaskWords(aligned, alike))
}
