// Package tts is text to speech for prompts, by a fallback chain of voices: a recording of exactly that prompt (the
// operator's own, then the bundled one), the selected neural voice, an OpenAI-compatible speech endpoint if configured,
// espeak-ng if installed (a robotic test voice), and finally concatenation of the bundled clips.
//
// It handles texts and samples, not scenarios or lines. Its audio is loudness-normalized and never clips.
//
// Choices that the contract leaves open:
//
//   - Texts are compared after normalization by package arabic: a scenario is written without vowel marks.
//   - An operator's recordings of an organization are in a folder named by its id: NAME.wav (.flac, .mp3), with its
//     text in NAME.txt or in a line "NAME, tab, text" of texts.tsv; a recording with the name of a bundled prompt
//     replaces it without a text. Changes take effect at once.
//   - Recordings made or chosen in the console are stored there, too, as line-HASH.wav and .txt, and have priority over
//     other files with the same text. They are decoded and trimmed of silence: no upload is stored unchanged.
//   - A failing voice is reported and skipped; the fallback's audio is not cached, so that the better voice comes back.
//     A failed endpoint is skipped for a while (backoff): a call waits for it only once.
//   - A neural voice that a call names speaks all of it, recordings included: one voice per call.
//   - Clips are chosen by longest match with the fewest pieces. A text that they do not cover completely is not spoken.
package tts

import (
	"context"
	"errors"
)

// ErrNoVoice means that no voice of the chain can speak a text.
var ErrNoVoice = errors.New("no voice can speak this text")

// ErrVoiceFailed says, beside [ErrNoVoice], that a voice which might have spoken the text failed or rests: it may be
// spoken later.
var ErrVoiceFailed = errors.New("a voice failed; the next one of the chain is used")

// SpeechRequest is a text to be synthesized.
type SpeechRequest struct {
	OrgID string // its own recordings are used
	Text  string // plain or vocalized Arabic, or another language; numbers, dates and times as words
	// Voice is recorded, endpoint or espeak-ng for that source alone, or the name of an installed neural voice for that
	// one alone; else the preferred voice of the endpoint. It may be empty.
	Voice string
	// Source is the only voice that may speak; empty: the first of the chain that can.
	Source VoiceSource
	// Transient speech is not cached, since its text will hardly be spoken again, and its synthesis ends with its context.
	Transient bool
	// Stream takes the sound in parts before Speak returns the whole, where the voice can; nil: only the whole is wanted.
	Stream *SpeechStream

	neural, stamp string         // the neural voice that may speak, and what identifies its files
	recorded      *recordedTexts // the organization's recordings; nil: not looked up yet, nor the neural voice
}

// allowsSource reports whether a voice may speak. The blocks are the bundled recordings' own.
func (r SpeechRequest) allowsSource(s VoiceSource) bool {
	return r.Source == "" || r.Source == s || r.Source == Recorded && s == Blocks
}

// SpokenSound is synthesized speech.
type SpokenSound struct {
	PCM    []int16 // at [Rate], mono; shared, read-only
	Wide   []int16 // the same at [WideRate], twice as long, with its band above 4 kHz; nil: none
	Source VoiceSource
}

// VoiceSource is the voice that spoke.
type VoiceSource string

// Sources, in the chain's order.
const (
	Recorded VoiceSource = "recorded"
	Neural   VoiceSource = "neural"
	Endpoint VoiceSource = "endpoint"
	ESpeak   VoiceSource = "espeak-ng"
	Blocks   VoiceSource = "blocks"
)

// TextSpeaker synthesizes texts (text to speech); it is safe for concurrent use and caches results.
type TextSpeaker interface {
	// Speak synthesizes a text. ErrNoVoice when no voice can.
	Speak(ctx context.Context, r SpeechRequest) (SpokenSound, error)
}
