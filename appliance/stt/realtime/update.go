package realtime

import (
	"bytes"
	"encoding/json"
)

// optionalField is a JSON value that may be absent (unchanged) or null (default or none).
type optionalField[T any] struct {
	Set, Null bool
	V         T
}

// UnmarshalJSON implements [json.Unmarshaler].
func (f *optionalField[T]) UnmarshalJSON(raw []byte) error {
	f.Set = true
	if bytes.Equal(raw, []byte("null")) {
		f.Null = true
		return nil
	}
	return json.Unmarshal(raw, &f.V)
}

// isGiven reports whether there is a value.
func (f optionalField[T]) isGiven() bool { return f.Set && !f.Null }

// Session updates by the client; other fields are accepted and ignored.

type betaUpdate struct {
	Format        optionalField[json.RawMessage]     `json:"input_audio_format"`
	Rate          optionalField[json.RawMessage]     `json:"input_audio_sample_rate"`
	Transcription optionalField[transcriptionUpdate] `json:"input_audio_transcription"`
	Noise         optionalField[noiseUpdate]         `json:"input_audio_noise_reduction"`
	Turns         optionalField[detectionUpdate]     `json:"turn_detection"`
	Include       optionalField[[]string]            `json:"include"`
}

type currentUpdate struct {
	Type  optionalField[string] `json:"type"`
	Audio optionalField[struct {
		Input optionalField[struct {
			Format        optionalField[formatUpdate]        `json:"format"`
			Transcription optionalField[transcriptionUpdate] `json:"transcription"`
			Noise         optionalField[noiseUpdate]         `json:"noise_reduction"`
			Turns         optionalField[detectionUpdate]     `json:"turn_detection"`
		}] `json:"input"`
	}] `json:"audio"`
	Include optionalField[[]string] `json:"include"`
}

type formatUpdate struct {
	Type optionalField[string]          `json:"type"`
	Rate optionalField[json.RawMessage] `json:"rate"`
}

type transcriptionUpdate struct {
	Model     optionalField[string]   `json:"model"`
	Language  optionalField[string]   `json:"language"`
	Languages optionalField[[]string] `json:"languages"`
	Prompt    optionalField[string]   `json:"prompt"`
	Keywords  optionalField[[]string] `json:"keywords"`
	Latency   optionalField[int]      `json:"latency_ms"` // extension
	// Extensions.
	TextForm optionalField[string] `json:"text_form"`
	Numerals optionalField[string] `json:"numerals"`
	Redact   optionalField[bool]   `json:"redact"`
}

type noiseUpdate struct {
	Type     optionalField[string]  `json:"type"`
	Strength optionalField[float64] `json:"strength"`
}

type detectionUpdate struct {
	Type      optionalField[string]  `json:"type"`
	Threshold optionalField[float64] `json:"threshold"`
	PrefixMS  optionalField[int]     `json:"prefix_padding_ms"`
	SilenceMS optionalField[int]     `json:"silence_duration_ms"`
	Eagerness optionalField[string]  `json:"eagerness"`
}

const (
	maxPrompt  = 16384 // characters, as in the transcription form
	maxPadding = 10000 // ms, of silence and prefix padding
	maxLatency = 10000 // ms
)

// updateBeta returns s changed by the session of a transcription_session.update.
func (s sessionSettings) updateBeta(raw json.RawMessage) (sessionSettings, *protocolError) {
	var u betaUpdate
	if f := decodeParam(raw, &u, "session"); f != nil {
		return s, f
	}
	if f := s.setBetaFormat(u); f != nil {
		return s, f
	}
	if f := s.setNoise(u.Noise, "session.input_audio_noise_reduction"); f != nil {
		return s, f
	}
	f := s.applyUpdate("session.input_audio_transcription", "session.turn_detection", u.Transcription, u.Turns, u.Include)
	return s, f
}

// setBetaFormat accepts a name, or the object of the current version.
func (s *sessionSettings) setBetaFormat(u betaUpdate) *protocolError {
	const param = "session.input_audio_format"
	if u.Format.isGiven() {
		var name string
		if json.Unmarshal(u.Format.V, &name) != nil {
			var f formatUpdate
			if fault := decodeParam(u.Format.V, &f, param); fault != nil {
				return fault
			}
			return s.setFormat(f, param)
		}
		kind, known := betaKinds[name]
		if !known {
			return newInvalidValue(param, name, "pcm16", "g711_ulaw", "g711_alaw")
		}
		s.encoding = audioEncoding{kind, defaultRate(kind)}
	}
	if u.Rate.isGiven() {
		return s.setRate(u.Rate.V, "session.input_audio_sample_rate")
	}
	return nil
}

// updateCurrent returns s changed by the session of a session.update. That event is older than the current version, so
// beta fields keep their meaning.
func (s sessionSettings) updateCurrent(raw json.RawMessage) (sessionSettings, *protocolError) {
	next, f := s.updateBeta(raw)
	if f != nil {
		return s, f
	}
	return next.updateNested(raw)
}

func (s sessionSettings) updateNested(raw json.RawMessage) (sessionSettings, *protocolError) {
	var u currentUpdate
	if f := decodeParam(raw, &u, "session"); f != nil {
		return s, f
	}
	if u.Type.V != "" && u.Type.V != "transcription" {
		return s, newInvalidValue("session.type", u.Type.V, "transcription")
	}
	in := u.Audio.V.Input.V
	if in.Format.isGiven() {
		if f := s.setFormat(in.Format.V, "session.audio.input.format"); f != nil {
			return s, f
		}
	}
	if f := s.setNoise(in.Noise, "session.audio.input.noise_reduction"); f != nil {
		return s, f
	}
	f := s.applyUpdate("session.audio.input.transcription", "session.audio.input.turn_detection",
		in.Transcription, in.Turns, u.Include)
	return s, f
}

// applyUpdate applies the fields common to both versions; spoken and turns are the parameter names for errors.
func (s *sessionSettings) applyUpdate(
	spoken, turns string,
	t optionalField[transcriptionUpdate],
	d optionalField[detectionUpdate],
	in optionalField[[]string],
) *protocolError {
	if t.isGiven() {
		if f := s.setTranscription(t.V, spoken); f != nil {
			return f
		}
	}
	if d.Set {
		if f := s.setDetection(d, turns); f != nil {
			return f
		}
	}
	if in.Set {
		for _, what := range in.V {
			if what != includeLogprobs && what != includePartial {
				return newInvalidValue("session.include", what, includeLogprobs)
			}
		}
		s.include = in.V
	}
	return nil
}
