// Package voicepack opens the bundled voice: recorded clips by name and by text.
//
// The format is described by package assets/prompts. Audio is decoded on demand and not cached.
package voicepack

import (
	"fmt"
	"strconv"
	"strings"

	"munadi/engine/arabic"
	"munadi/engine/audio"
)

// Rate is the clips' sample rate in Hz, WideRate that of their wideband sound.
const (
	Rate     = 8000
	WideRate = 2 * Rate
)

// VoiceClip is one recording.
type VoiceClip struct {
	Name   string
	Text   string // vocalized
	Plain  string // without vowel marks
	Folded string // normalized as by package arabic

	first, size int // byte range of the audio
	wide        int // first byte of the wideband audio, as long; -1: none
}

// IsOfGroup reports whether the clip belongs to one of the groups: the part of its name before the first point.
func (c VoiceClip) IsOfGroup(groups ...string) bool {
	group, _, _ := strings.Cut(c.Name, ".")
	for _, g := range groups {
		if g == group {
			return true
		}
	}
	return false
}

// Variant returns the voice variant of a simulated person's or machine's clip: "high", "low", or empty for normal.
func (c VoiceClip) Variant() string {
	for _, v := range []string{"high", "low"} {
		if strings.HasSuffix(c.Name, "."+v) {
			return v
		}
	}
	return ""
}

// IsSpoken reports whether the assistant says the clip, alone or as a building block: it is neither a machine's nor in
// another voice. These clips have wideband audio.
func (c VoiceClip) IsSpoken() bool { return !c.IsOfGroup("machine") && c.Variant() == "" }

// VoicePack is an immutable set of clips.
type VoicePack struct {
	sound  string
	wide   string
	clips  []VoiceClip
	byName map[string]int
}

// OpenPack parses an index in the format of texts.tsv over the audio that it describes; wide is the wideband audio of
// the clips that are spoken, and may be empty.
func OpenPack(index, sound, wide string) (*VoicePack, error) {
	b := &VoicePack{sound: sound, wide: wide, byName: map[string]int{}}
	number, wideBytes := 0, 0
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
		if c.wide = -1; wide != "" && c.IsSpoken() {
			c.wide = wideBytes
			wideBytes += c.size
		}
		b.byName[c.Name] = len(b.clips)
		b.clips = append(b.clips, c)
	}
	if wideBytes != len(wide) {
		return nil, fmt.Errorf("bundled voice: %d bytes of wideband audio, want %d", len(wide), wideBytes)
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

// Clips returns all clips, in the index's order.
func (b *VoicePack) Clips() []VoiceClip { return b.clips }

// Clip returns the clip with a name; false if there is none.
func (b *VoicePack) Clip(name string) (VoiceClip, bool) {
	i, found := b.byName[name]
	if !found {
		return VoiceClip{}, false
	}
	return b.clips[i], true
}

// PCM returns a clip's audio at [Rate].
func (b *VoicePack) PCM(c VoiceClip) []int16 {
	out := make([]int16, c.size)
	for i := range out {
		out[i] = audio.DecodeMuLaw(b.sound[c.first+i])
	}
	return out
}

// Wide returns a clip's audio at [WideRate]; nil for a clip without it.
func (b *VoicePack) Wide(c VoiceClip) []int16 {
	if c.wide < 0 {
		return nil
	}
	return audio.NewG722Decoder().DecodeBytes(make([]int16, 0, 2*c.size), []byte(b.wide[c.wide:c.wide+c.size]))
}
