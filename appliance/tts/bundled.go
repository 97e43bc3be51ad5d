package tts

import (
	"context"
	"strings"
	"unicode"

	"munadi/appliance/tts/loudness"
	"munadi/appliance/tts/voicepack"
	"munadi/engine/arabic"
)

// The pauses between building blocks, in samples.
const (
	betweenWords     = Rate * 30 / 1000
	betweenSentences = Rate * 250 / 1000
)

// and is the block of the one word that is written together with the next.
const and = "word.and"

// packVoice speaks with the clips of the usual voice.
type packVoice struct {
	bundle  *voicepack.VoicePack
	byWords map[string]voicepack.VoiceClip // by folded text; prompts before blocks before what called people say
	words   map[string]string              // single words of clips with their vowel marks, by folded text
	longest int                            // words of a clip
}

func newBundled(b *voicepack.VoicePack) packVoice {
	d := packVoice{bundle: b, byWords: map[string]voicepack.VoiceClip{}, words: map[string]string{}}
	for _, people := range []bool{false, true} {
		for _, c := range b.Clips() {
			if c.IsOfGroup("machine") || c.IsOfGroup("callee") != people || c.Variant() != "" {
				continue
			}
			if _, there := d.byWords[c.Folded]; !there {
				d.byWords[c.Folded] = c
				d.longest = max(d.longest, len(strings.Fields(c.Folded)))
				d.learnMarks(c)
			}
		}
	}
	return d
}

// learnMarks takes in a clip's words: the marks that the first clip has count.
func (d packVoice) learnMarks(c voicepack.VoiceClip) {
	for _, w := range strings.Fields(c.Text) {
		if folded := arabic.FoldSpelling(w); d.words[folded] == "" {
			d.words[folded] = w
		}
	}
}

// findExact is the recording of exactly this text, nil if there is none.
func (d packVoice) findExact(folded string) []int16 {
	c, found := d.byWords[folded]
	if !found {
		return nil
	}
	return d.bundle.PCM(c)
}

// joinBlocks speaks a text with blocks.
func (d packVoice) joinBlocks(_ context.Context, r SpeechRequest) ([]int16, error) {
	var out []int16
	for _, sentence := range splitSentences(r.Text) {
		pieces := d.coverWords(countableWords(strings.Fields(arabic.FoldSpelling(sentence))))
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
			out = append(out, fadeEnds(d.bundle.PCM(c))...)
		}
	}
	if out == nil {
		return nil, ErrNoVoice
	}
	// Levelled pieces make a whole that is a little quieter.
	return toIntegers(loudness.NormalizeLoudness(toFloats(out), Rate)), nil
}

// splitSentences splits a text where one pauses; a point inside a number is none of those places.
func splitSentences(s string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".،,؛;:!؟?…\n", r) }) {
		if strings.IndexFunc(part, unicode.IsLetter) >= 0 || strings.IndexFunc(part, unicode.IsDigit) >= 0 {
			out = append(out, part)
		}
	}
	return out
}

// coverWords finds the fewest clips that are the words in their order; of as few, the one with the longest first. It
// returns nil where a word is in no clip.
func (d packVoice) coverWords(words []string) []voicepack.VoiceClip {
	type step struct {
		pieces int // to the end; 0: none leads there
		clips  []voicepack.VoiceClip
		next   int
	}
	best := make([]step, len(words)+1)
	for at := len(words) - 1; at >= 0; at-- {
		for to := min(len(words), at+d.longest); to > at; to-- {
			clips := d.findClips(words[at:to])
			if clips == nil || to < len(words) && best[to].pieces == 0 {
				continue
			}
			if n := len(clips) + best[to].pieces; best[at].pieces == 0 || n < best[at].pieces {
				best[at] = step{n, clips, to}
			}
		}
	}
	var out []voicepack.VoiceClip
	for at := 0; at < len(words) && best[at].pieces > 0; at = best[at].next {
		out = append(out, best[at].clips...)
	}
	return out
}

// findClips are the clip of some words, or of و and the rest where the first begins with it.
func (d packVoice) findClips(words []string) []voicepack.VoiceClip {
	joined := strings.Join(words, " ")
	if c, found := d.byWords[joined]; found {
		return []voicepack.VoiceClip{c}
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
	return []voicepack.VoiceClip{conjunction, c}
}
