// Package voicepack opens the bundled voice: clips of speech by name and by text.
//
// It knows the form in which they are shipped (package assets/prompts describes it), and neither who says a clip nor
// when. A clip's sound is decoded where it is asked for; nothing is kept.
package voicepack

import (
	"fmt"
	"strconv"
	"strings"

	"munadi/engine/arabic"
	"munadi/engine/audio"
)

// Rate is the clips' sample rate in Hz.
const Rate = 8000

// VoiceClip is one recording.
type VoiceClip struct {
	Name   string
	Text   string // with vowel marks
	Plain  string // without
	Folded string // as package text folds it

	first, size int // bytes of the sound
}

// IsOfGroup tells whether the clip belongs to one of the groups: what a name has before its first point.
func (c VoiceClip) IsOfGroup(groups ...string) bool {
	group, _, _ := strings.Cut(c.Name, ".")
	for _, g := range groups {
		if g == group {
			return true
		}
	}
	return false
}

// Variant is the voice that a called person's or machine's clip has: "high", "low", or nothing for the usual one.
func (c VoiceClip) Variant() string {
	for _, v := range []string{"high", "low"} {
		if strings.HasSuffix(c.Name, "."+v) {
			return v
		}
	}
	return ""
}

// VoicePack is a set of clips. It never changes.
type VoicePack struct {
	sound  string
	clips  []VoiceClip
	byName map[string]int
}

// OpenPack reads an index in the form of texts.tsv over the sound that it describes.
func OpenPack(index, sound string) (*VoicePack, error) {
	b := &VoicePack{sound: sound, byName: map[string]int{}}
	number := 0
	for line := range strings.Lines(index) {
		number++
		c, err := parseClip(strings.TrimRight(line, "\n"))
		if err == nil && c.first+c.size > len(sound) {
			err = fmt.Errorf("it ends at byte %d of %d", c.first+c.size, len(sound))
		}
		if _, twice := b.byName[c.Name]; err == nil && twice {
			err = fmt.Errorf("the name %q was there before", c.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("bundled voice, line %d: %w", number, err)
		}
		b.byName[c.Name] = len(b.clips)
		b.clips = append(b.clips, c)
	}
	return b, nil
}

func parseClip(line string) (VoiceClip, error) {
	fields := strings.Split(line, "\t")
	if len(fields) != 5 {
		return VoiceClip{}, fmt.Errorf("%d fields, want 5", len(fields))
	}
	first, err := strconv.ParseUint(fields[1], 10, 31)
	if err != nil {
		return VoiceClip{}, fmt.Errorf("first byte: %w", err)
	}
	size, err := strconv.ParseUint(fields[2], 10, 31)
	if err != nil {
		return VoiceClip{}, fmt.Errorf("number of bytes: %w", err)
	}
	return VoiceClip{
		Name: fields[0], Text: fields[3], Plain: fields[4], Folded: arabic.FoldSpelling(fields[3]),
		first: int(first), size: int(size),
	}, nil
}

// Clips are all clips, in the index's order.
func (b *VoicePack) Clips() []VoiceClip { return b.clips }

// Clip finds a clip by its name.
func (b *VoicePack) Clip(name string) (VoiceClip, bool) {
	i, found := b.byName[name]
	if !found {
		return VoiceClip{}, false
	}
	return b.clips[i], true
}

// PCM is a clip's sound at [Rate].
func (b *VoicePack) PCM(c VoiceClip) []int16 {
	out := make([]int16, c.size)
	for i := range out {
		out[i] = audio.DecodeMuLaw(b.sound[c.first+i])
	}
	return out
}
