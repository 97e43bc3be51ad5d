package speech

import (
	"context"
	"strings"
	"unicode"

	"munadi/appliance/speech/bundle"
	"munadi/appliance/speech/loudness"
	"munadi/engine/text"
)

// The pauses between building blocks, in samples.
const (
	betweenWords     = Rate * 30 / 1000
	betweenSentences = Rate * 250 / 1000
)

// and is the block of the one word that is written together with the next.
const and = "word.and"

// bundled speaks with the clips of the usual voice.
type bundled struct {
	bundle  *bundle.Bundle
	byWords map[string]bundle.Clip // by folded text; prompts before blocks before what called people say
	words   map[string]string      // single words of clips with their vowel marks, by folded text
	longest int                    // words of a clip
}

func newBundled(b *bundle.Bundle) bundled {
	d := bundled{bundle: b, byWords: map[string]bundle.Clip{}, words: map[string]string{}}
	for _, people := range []bool{false, true} {
		for _, c := range b.Clips() {
			if c.Of("machine") || c.Of("callee") != people || c.Variant() != "" {
				continue
			}
			if _, there := d.byWords[c.Folded]; !there {
				d.byWords[c.Folded] = c
				d.longest = max(d.longest, len(strings.Fields(c.Folded)))
				d.learn(c)
			}
		}
	}
	return d
}

// learn takes in a clip's words: the marks that the first clip has count.
func (d bundled) learn(c bundle.Clip) {
	for _, w := range strings.Fields(c.Text) {
		if folded := text.Fold(w); d.words[folded] == "" {
			d.words[folded] = w
		}
	}
}

// exact is the recording of exactly this text, nil if there is none.
func (d bundled) exact(folded string) []int16 {
	c, found := d.byWords[folded]
	if !found {
		return nil
	}
	return d.bundle.PCM(c)
}

// join speaks a text with blocks.
func (d bundled) join(_ context.Context, r Request) ([]int16, error) {
	var out []int16
	for _, sentence := range sentences(r.Text) {
		pieces := d.cover(countable(strings.Fields(text.Fold(sentence))))
		if pieces == nil {
			return nil, ErrNoVoice
		}
		if len(out) > 0 {
			out = append(out, make([]int16, betweenSentences)...)
		}
		for i, c := range pieces {
			if i > 0 && pieces[i-1].Name != and {
				out = append(out, make([]int16, betweenWords)...)
			}
			out = append(out, faded(d.bundle.PCM(c))...)
		}
	}
	if out == nil {
		return nil, ErrNoVoice
	}
	// Levelled pieces make a whole that is a little quieter.
	return integers(loudness.Level(floats(out), Rate)), nil
}

// sentences splits a text where one pauses; a point inside a number is none of those places.
func sentences(s string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".،,؛;:!؟?…\n", r) }) {
		if strings.IndexFunc(part, unicode.IsLetter) >= 0 || strings.IndexFunc(part, unicode.IsDigit) >= 0 {
			out = append(out, part)
		}
	}
	return out
}

// cover finds the fewest clips that are the words in their order; of as few, the one with the longest first. It
// returns nil where a word is in no clip.
func (d bundled) cover(words []string) []bundle.Clip {
	type step struct {
		pieces int // to the end; 0: none leads there
		clips  []bundle.Clip
		next   int
	}
	best := make([]step, len(words)+1)
	for at := len(words) - 1; at >= 0; at-- {
		for to := min(len(words), at+d.longest); to > at; to-- {
			clips := d.clips(words[at:to])
			if clips == nil || to < len(words) && best[to].pieces == 0 {
				continue
			}
			if n := len(clips) + best[to].pieces; best[at].pieces == 0 || n < best[at].pieces {
				best[at] = step{n, clips, to}
			}
		}
	}
	var out []bundle.Clip
	for at := 0; at < len(words) && best[at].pieces > 0; at = best[at].next {
		out = append(out, best[at].clips...)
	}
	return out
}

// clips are the clip of some words, or of و and the rest where the first begins with it.
func (d bundled) clips(words []string) []bundle.Clip {
	joined := strings.Join(words, " ")
	if c, found := d.byWords[joined]; found {
		return []bundle.Clip{c}
	}
	rest, found := strings.CutPrefix(joined, "و")
	if !found {
		return nil
	}
	c, known := d.byWords[rest]
	conjunction, there := d.bundle.Clip(and)
	if !known || !there {
		return nil
	}
	return []bundle.Clip{conjunction, c}
}
