package voice

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Phonemes that are no sounds.
const (
	begins = "^" // before the first phoneme of a sentence
	ends   = "$" // after the last
	pad    = "_" // between two
)

// EncodePhonemes returns the ids of a sentence's phonemes for [NeuralVoice.Synthesize]: decomposed (NFD), one id for
// each character or cluster, padded as in training. Characters without an id are left out; missing lists each once.
func (c Config) EncodePhonemes(phonemes string) (ids []int64, missing []string) {
	if c.Characters != nil {
		return c.encodeCharacters(phonemes)
	}
	ids = append(slices.Clone(c.IDs[begins]), c.IDs[pad]...)
	sounds := 0
	for _, one := range c.mergeClusters(strings.Split(norm.NFD.String(phonemes), "")) {
		own, known := c.IDs[one]
		if !known {
			if !slices.Contains(missing, one) {
				missing = append(missing, one)
			}
			continue
		}
		if !strings.Contains(silentPhonemes, one) {
			sounds++
		}
		ids = append(append(ids, own...), c.IDs[pad]...)
	}
	if sounds == 0 {
		return nil, missing
	}
	return append(ids, c.IDs[ends]...), missing
}

// silentPhonemes alone make no speech.
const silentPhonemes = " .,:;!?'\"()-ˈˌ"

// mergeClusters joins adjacent phonemes that are one, the longest cluster first.
func (c Config) mergeClusters(phonemes []string) []string {
	if len(c.Clusters) == 0 {
		return phonemes
	}
	var out []string
	for at := 0; at < len(phonemes); {
		n := 1
		for _, cluster := range c.Clusters {
			if len(cluster) > n && at+len(cluster) <= len(phonemes) && slices.Equal(cluster, phonemes[at:at+len(cluster)]) {
				n = len(cluster)
			}
		}
		out = append(out, strings.Join(phonemes[at:at+n], ""))
		at += n
	}
	return out
}
