// Package tts turns a prompt's text into sound, by the first of a chain that can: a recording of that very prompt
// (the operator's own, then the bundled one), an OpenAI-compatible speech endpoint if one is set, espeak-ng if it is
// installed (a robotic test voice), and in the end the bundled building blocks joined together.
//
// It knows texts and samples; neither scenarios nor lines. What it makes is levelled and never clips.
//
// Choices where the contract is silent:
//
//   - Texts are the same that package text folds to the same: a scenario is written without vowel marks.
//   - An operator's recordings of an organization lie in a folder of its id: NAME.wav (.flac, .mp3), its text in
//     NAME.txt or in a line "NAME, tab, text" of texts.tsv; a recording under the name of a bundled prompt stands in
//     for that without a text. Changes count at once.
//   - A link that breaks is reported and passed over; what was then spoken by a later one isn't kept, so that the
//     better voice comes back. An endpoint that failed rests before it is asked again: a call waits for it once.
//   - Blocks are chosen by the longest match over the fewest pieces. What they don't cover whole isn't spoken at all.
package tts

import (
	"context"
	"errors"
)

// ErrNoVoice says that nothing in the chain can speak a text.
var ErrNoVoice = errors.New("nothing here can speak this text")

// ErrVoiceFailed says, beside [ErrNoVoice], that a voice which might have spoken the text failed or rests: it may be
// spoken later.
var ErrVoiceFailed = errors.New("a voice that might have spoken it failed")

// SpeechRequest is a text to be spoken.
type SpeechRequest struct {
	OrgID string // whose own recordings count
	Text  string // plain or vocalised Arabic, or another language; numbers, dates and times as words
	Voice string // a hint for the endpoint; may be empty
}

// SpokenSound is a spoken text.
type SpokenSound struct {
	PCM    []int16 // 8 kHz mono; shared, not to be written to
	Source VoiceSource
}

// VoiceSource says which part of the chain spoke.
type VoiceSource string

// The sources, in the chain's order.
const (
	Recorded VoiceSource = "recorded"
	Endpoint VoiceSource = "endpoint"
	ESpeak   VoiceSource = "espeak-ng"
	Blocks   VoiceSource = "blocks"
)

// IsRobotic says that people should be told that it is a test voice.
func (s VoiceSource) IsRobotic() bool { return s == ESpeak }

// TextSpeaker renders texts; it is safe for concurrent use and keeps what it rendered.
type TextSpeaker interface {
	// Speak renders a text. ErrNoVoice when nothing can.
	Speak(ctx context.Context, r SpeechRequest) (SpokenSound, error)
}
