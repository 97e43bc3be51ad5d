package tts

import (
	"context"
	"strings"
	"unicode"

	"munadi/appliance/tts/loudness"
	"munadi/appliance/tts/voicepack"
	"munadi/engine/arabic"
	"munadi/engine/audio"
)

// Pauses between building blocks, in samples at [Rate].
const (
	betweenWords     = Rate * 30 / 1000
	betweenSentences = Rate * 250 / 1000
)

// and is the block of the conjunction و, which is written together with the next word.
const and = "word.and"

// packVoice is concatenative synthesis with the bundled clips of the normal voice.
type packVoice struct {
	bundle  *voicepack.VoicePack
	byWords map[string]voicepack.VoiceClip // by normalized text; prompts before blocks before people's phrases
	words   map[string]string              // vocalized single words of clips, by normalized text
	longest int                            // maximum words of a clip
}

func newBundled(b *voicepack.VoicePack) packVoice {
	d := packVoice{bundle: b, byWords: map[string]voicepack.VoiceClip{}, words: map[string]string{}}
	for _, people := range []bool{false, true} {
		for _, c := range b.Clips() {
			if !c.IsSpoken() || c.IsOfGroup("callee") != people {
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

// learnMarks records the vowel marks of a clip's words; the first clip with a word wins.
func (d packVoice) learnMarks(c voicepack.VoiceClip) {
	for _, w := range strings.Fields(c.Text) {
		if folded := arabic.FoldSpelling(w); d.words[folded] == "" {
			d.words[folded] = w
		}
	}
}

// findExact returns the recording of exactly this text, false without one.
func (d packVoice) findExact(folded string) (SpokenSound, bool) {
	c, found := d.byWords[folded]
	if !found {
		return SpokenSound{}, false
	}
	return SpokenSound{PCM: d.bundle.PCM(c), Wide: d.bundle.Wide(c), Source: Recorded}, true
}

// joinBlocks synthesizes a text from blocks.
func (d packVoice) joinBlocks(_ context.Context, r SpeechRequest) (SpokenSound, error) {
	var out, wide []int16
	pause := func(n int) { out, wide = append(out, make([]int16, n)...), append(wide, make([]int16, 2*n)...) }
	for _, sentence := range splitSentences(r.Text) {
		pieces := d.coverWords(countableWords(strings.Fields(arabic.FoldSpelling(sentence))))
		if pieces == nil {
			return SpokenSound{}, ErrNoVoice
		}
		if len(out) > 0 {
			pause(betweenSentences)
		}
		for i, c := range pieces {
			if i > 0 && pieces[i-1].Name != and {
				pause(betweenWords)
			}
			out = append(out, fadeEnds(d.bundle.PCM(c), Rate)...)
			wide = append(wide, fadeEnds(d.bundle.Wide(c), WideRate)...)
		}
	}
	if out == nil {
		return SpokenSound{}, ErrNoVoice
	}
	if len(wide) != 2*len(out) { // a voice without wideband audio
		wide = nil
	}
	// The joined clips are a little quieter than each alone: normalize again.
	return SpokenSound{PCM: matchLevels(out, Rate), Wide: matchLevels(wide, WideRate)}, nil
}

func matchLevels(pcm []int16, rate int) []int16 {
	return audio.AppendInt16(nil, loudness.NormalizeLoudness(audio.ToFloats(pcm), rate))
}

// splitSentences splits a text at pauses; not at a decimal point.
func splitSentences(s string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".،,؛;:!؟?…\n", r) }) {
		if strings.IndexFunc(part, unicode.IsLetter) >= 0 || strings.IndexFunc(part, unicode.IsDigit) >= 0 {
			out = append(out, part)
		}
	}
	return out
}

// coverWords covers the words with the fewest clips in order (dynamic programming); of equal covers, the one with the
// longest first clip. nil when a word is in no clip.
func (d packVoice) coverWords(words []string) []voicepack.VoiceClip {
	type step struct {
		pieces int // clips to the end; 0: no cover
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

// findClips returns the clip of some words, or those of و and the rest if the first word begins with it.
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
