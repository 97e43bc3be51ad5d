package realtime

import (
	"slices"
	"strings"
	"time"

	"munadi/appliance/textform"
	"munadi/engine"
)

// Model of every session, and language of those that name none.
const (
	modelName = "svc-stt"
	language  = "ar"
)

// Values of include.
const (
	includeLogprobs = "item.input_audio_transcription.logprobs"
	includePartial  = "item.input_audio_transcription.partial" // extension
)

// sessionSettings are the settings that a client may change.
type sessionSettings struct {
	encoding audioEncoding
	prompt   string
	keywords []string
	latency  time.Duration  // of a streaming model; 0: the service's
	turns    *turnDetection // nil: the client commits
	noise    *noiseBody     // echoed only
	include  []string
	text     textform.Options

	language    string
	languages   []string                   // that may be named
	hasLanguage func(language string) bool // whether one may be named that they lack; nil: none
}

// turnDetection configures turn detection.
type turnDetection struct {
	Kind      string // server_vad or semantic_vad
	Threshold float64
	PrefixMS  int
	SilenceMS int
	Eagerness string // of semantic_vad
}

const (
	serverVAD   = "server_vad"
	semanticVAD = "semantic_vad"
)

// leastThreshold replaces 0, which the engine takes as the default.
const leastThreshold = 0.001

func defaultDetection() *turnDetection {
	return &turnDetection{Kind: serverVAD, Threshold: 0.5, PrefixMS: 300, SilenceMS: 500}
}

func defaultSettings() sessionSettings {
	return sessionSettings{
		encoding: defaultEncoding(), turns: defaultDetection(), language: language, languages: []string{language},
	}
}

func (s sessionSettings) includes(what string) bool { return slices.Contains(s.include, what) }

// biasPhrases returns the phrases for context biasing.
func (s sessionSettings) biasPhrases() []string {
	return append(engine.SplitPhrases(s.prompt), s.keywords...)
}

// silenceDuration returns the silence that ends a turn.
func (d *turnDetection) silenceDuration() time.Duration {
	ms := d.SilenceMS
	if d.Kind == semanticVAD {
		ms = map[string]int{"high": 400, "low": 1500}[d.Eagerness]
		if ms == 0 {
			ms = 800
		}
	}
	return time.Duration(ms) * time.Millisecond
}

// streamOptions converts the settings into the engine's options.
func (s sessionSettings) streamOptions(partial time.Duration) engine.StreamOptions {
	o := engine.StreamOptions{Phrases: s.biasPhrases(), Partial: partial, Latency: s.latency, Language: s.language}
	if s.turns != nil {
		o.Threshold, o.EndSilence = max(s.turns.Threshold, leastThreshold), max(s.turns.silenceDuration(), time.Millisecond)
	}
	return o
}

// Session objects in events.

type transcriptionBody struct {
	Model    string   `json:"model"`
	Language string   `json:"language"`
	Prompt   string   `json:"prompt"`
	Keywords []string `json:"keywords,omitempty"`
	Latency  int64    `json:"latency_ms,omitempty"` // extension
	// Extensions.
	TextForm textform.Form     `json:"text_form,omitempty"`
	Numerals textform.Numerals `json:"numerals,omitempty"`
	Redact   bool              `json:"redact,omitempty"`
}

type detectionBody struct {
	Type      string   `json:"type"`
	Threshold *float64 `json:"threshold,omitempty"`
	PrefixMS  *int     `json:"prefix_padding_ms,omitempty"`
	SilenceMS *int     `json:"silence_duration_ms,omitempty"`
	Eagerness string   `json:"eagerness,omitempty"`
}

type noiseBody struct {
	Type     string   `json:"type,omitempty"`
	Strength *float64 `json:"strength,omitempty"`
}

type formatBody struct {
	Type string `json:"type"`
	Rate int    `json:"rate,omitempty"`
}

type betaBody struct {
	ID            string            `json:"id"`
	Object        string            `json:"object"`
	Modalities    []string          `json:"modalities"`
	Format        any               `json:"input_audio_format"`
	Rate          int               `json:"input_audio_sample_rate,omitempty"`
	Transcription transcriptionBody `json:"input_audio_transcription"`
	Noise         *noiseBody        `json:"input_audio_noise_reduction"`
	Turns         *detectionBody    `json:"turn_detection"`
	Include       []string          `json:"include"`
}

type currentBody struct {
	Type    string    `json:"type"`
	ID      string    `json:"id"`
	Object  string    `json:"object"`
	Audio   audioBody `json:"audio"`
	Include []string  `json:"include"`
}

type audioBody struct {
	Input inputBody `json:"input"`
}

type inputBody struct {
	Format        formatBody        `json:"format"`
	Transcription transcriptionBody `json:"transcription"`
	Noise         *noiseBody        `json:"noise_reduction"`
	Turns         *detectionBody    `json:"turn_detection"`
}

const sessionObject = "realtime.transcription_session"

// sessionBody returns the session object in one of the two protocol versions.
func (s sessionSettings) sessionBody(id string, beta bool) any {
	spoken := transcriptionBody{
		Model: modelName, Language: s.language, Prompt: s.prompt, Keywords: s.keywords, Latency: s.latency.Milliseconds(),
		TextForm: s.text.Form, Numerals: s.text.Numerals, Redact: s.text.Redact,
	}
	if beta {
		b := betaBody{
			ID: id, Object: sessionObject, Modalities: []string{"text"}, Format: s.encoding.betaName(), Transcription: spoken,
			Noise: s.noise, Turns: s.turns.turnDetectionBody(), Include: s.include,
		}
		if s.encoding.Kind == kindPCM && s.encoding != defaultEncoding() {
			b.Rate = s.encoding.Rate
		}
		return b
	}
	format := formatBody{Type: s.encoding.Kind}
	if s.encoding.Kind == kindPCM {
		format.Rate = s.encoding.Rate
	}
	return currentBody{
		Type: "transcription", ID: id, Object: sessionObject, Include: s.include,
		Audio: audioBody{inputBody{format, spoken, s.noise, s.turns.turnDetectionBody()}},
	}
}

func (d *turnDetection) turnDetectionBody() *detectionBody {
	switch {
	case d == nil:
		return nil
	case d.Kind == semanticVAD:
		return &detectionBody{Type: d.Kind, Eagerness: d.Eagerness}
	}
	return &detectionBody{Type: d.Kind, Threshold: &d.Threshold, PrefixMS: &d.PrefixMS, SilenceMS: &d.SilenceMS}
}

// betaName returns the encoding's name in the beta version.
func (e audioEncoding) betaName() string {
	for name, kind := range betaKinds {
		if kind == e.Kind {
			return name
		}
	}
	return strings.TrimPrefix(e.Kind, "audio/")
}

var betaKinds = map[string]string{"pcm16": kindPCM, "g711_ulaw": kindPCMU, "g711_alaw": kindPCMA}
