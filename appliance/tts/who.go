package tts

import (
	"context"

	"munadi/engine/arabic"
)

// OwnRecording is the source of a text that the organization has recorded itself, in [VoiceFinder]'s answers.
const OwnRecording VoiceSource = "own"

// VoiceFinder says which voice of a chain speaks a text.
type VoiceFinder interface {
	// FindVoice returns the voice that speaks a text as long as none fails, without synthesizing it; empty if none does.
	FindVoice(ctx context.Context, r SpeechRequest) VoiceSource
}

// FindVoice implements [VoiceFinder]. Neural voices, endpoint and eSpeak NG speak any text.
func (c *VoiceChain) FindVoice(ctx context.Context, r SpeechRequest) VoiceSource {
	r = c.lookUp(r)
	folded := arabic.FoldSpelling(r.Text)
	if folded == "" || len(r.Text) > longestText {
		return ""
	}
	if r.allowsSource(Recorded) {
		if own, err := r.recorded.findRecording(folded); err == nil && own != nil {
			return OwnRecording
		}
		if _, recorded := c.bundled.byWords[folded]; recorded {
			return Recorded
		}
	}
	for _, l := range c.links {
		if !r.allowsSource(l.source) || l.source == Neural && r.neural == "" {
			continue
		}
		if l.source != Blocks {
			return l.source
		}
		if _, err := l.speak(ctx, r); err == nil {
			return Blocks
		}
	}
	return ""
}

// FindVoice implements [VoiceFinder].
func (v *SwappableChain) FindVoice(ctx context.Context, r SpeechRequest) VoiceSource {
	return v.current.Load().FindVoice(ctx, r)
}

// withNamedSource returns the request with the source that its voice names as its only one: recorded, neural, endpoint
// or espeak-ng. Any other name is a neural voice or one of the endpoint.
func (r SpeechRequest) withNamedSource() SpeechRequest {
	switch named := VoiceSource(r.Voice); named {
	case Recorded, Neural, Endpoint, ESpeak:
		if r.Voice = ""; r.Source == "" {
			r.Source = named
		}
	}
	return r
}
