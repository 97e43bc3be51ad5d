package realtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// field is a value that may be absent, which keeps what was, or null, which is the usual or nothing.
type field[T any] struct {
	Set, Null bool
	V         T
}

// UnmarshalJSON implements [json.Unmarshaler].
func (f *field[T]) UnmarshalJSON(raw []byte) error {
	f.Set = true
	if bytes.Equal(raw, []byte("null")) {
		f.Null = true
		return nil
	}
	return json.Unmarshal(raw, &f.V)
}

// given says that there is a value.
func (f field[T]) given() bool { return f.Set && !f.Null }

// The session as a client writes it; what is not named here is accepted and means nothing.

type betaUpdate struct {
	Format        field[json.RawMessage]     `json:"input_audio_format"`
	Rate          field[json.RawMessage]     `json:"input_audio_sample_rate"`
	Transcription field[transcriptionUpdate] `json:"input_audio_transcription"`
	Noise         field[noiseUpdate]         `json:"input_audio_noise_reduction"`
	Turns         field[detectionUpdate]     `json:"turn_detection"`
	Include       field[[]string]            `json:"include"`
}

type presentUpdate struct {
	Type  field[string] `json:"type"`
	Audio field[struct {
		Input field[struct {
			Format        field[formatUpdate]        `json:"format"`
			Transcription field[transcriptionUpdate] `json:"transcription"`
			Noise         field[noiseUpdate]         `json:"noise_reduction"`
			Turns         field[detectionUpdate]     `json:"turn_detection"`
		}] `json:"input"`
	}] `json:"audio"`
	Include field[[]string] `json:"include"`
}

type formatUpdate struct {
	Type field[string]          `json:"type"`
	Rate field[json.RawMessage] `json:"rate"`
}

type transcriptionUpdate struct {
	Model     field[string]   `json:"model"`
	Language  field[string]   `json:"language"`
	Languages field[[]string] `json:"languages"`
	Prompt    field[string]   `json:"prompt"`
	Keywords  field[[]string] `json:"keywords"`
}

type noiseUpdate struct {
	Type     field[string]  `json:"type"`
	Strength field[float64] `json:"strength"`
}

type detectionUpdate struct {
	Type      field[string]  `json:"type"`
	Threshold field[float64] `json:"threshold"`
	PrefixMS  field[int]     `json:"prefix_padding_ms"`
	SilenceMS field[int]     `json:"silence_duration_ms"`
	Eagerness field[string]  `json:"eagerness"`
}

const (
	maxPrompt  = 16384 // characters, as the transcription form has it
	maxPadding = 10000 // ms, of silence and prefix
)

// updateBeta is s as the session of transcription_session.update changes it.
func (s settings) updateBeta(raw json.RawMessage) (settings, *fault) {
	var u betaUpdate
	if f := decode(raw, &u, "session"); f != nil {
		return s, f
	}
	if f := s.setBetaFormat(u); f != nil {
		return s, f
	}
	if f := s.setNoise(u.Noise, "session.input_audio_noise_reduction"); f != nil {
		return s, f
	}
	f := s.set("session.input_audio_transcription", "session.turn_detection", u.Transcription, u.Turns, u.Include)
	return s, f
}

// setBetaFormat takes a name, or the object of the present spelling.
func (s *settings) setBetaFormat(u betaUpdate) *fault {
	const param = "session.input_audio_format"
	if u.Format.given() {
		var name string
		if json.Unmarshal(u.Format.V, &name) != nil {
			var f formatUpdate
			if fault := decode(u.Format.V, &f, param); fault != nil {
				return fault
			}
			return s.setFormat(f, param)
		}
		kind, known := betaKinds[name]
		if !known {
			return invalid(param, name, "pcm16", "g711_ulaw", "g711_alaw")
		}
		s.encoding = encoding{kind, usualRate(kind)}
	}
	if u.Rate.given() {
		return s.setRate(u.Rate.V, "session.input_audio_sample_rate")
	}
	return nil
}

// updatePresent is s as the session of session.update changes it. That event is older than the present spelling, so
// what is written as it was then means what it meant.
func (s settings) updatePresent(raw json.RawMessage) (settings, *fault) {
	next, f := s.updateBeta(raw)
	if f != nil {
		return s, f
	}
	return next.updateNested(raw)
}

func (s settings) updateNested(raw json.RawMessage) (settings, *fault) {
	var u presentUpdate
	if f := decode(raw, &u, "session"); f != nil {
		return s, f
	}
	if u.Type.V != "" && u.Type.V != "transcription" {
		return s, invalid("session.type", u.Type.V, "transcription")
	}
	in := u.Audio.V.Input.V
	if in.Format.given() {
		if f := s.setFormat(in.Format.V, "session.audio.input.format"); f != nil {
			return s, f
		}
	}
	if f := s.setNoise(in.Noise, "session.audio.input.noise_reduction"); f != nil {
		return s, f
	}
	f := s.set("session.audio.input.transcription", "session.audio.input.turn_detection",
		in.Transcription, in.Turns, u.Include)
	return s, f
}

func (s *settings) setFormat(f formatUpdate, param string) *fault {
	kind := f.Type.V
	if kind == "" {
		kind = kindPCM
	}
	if !slices.Contains([]string{kindPCM, kindPCMU, kindPCMA}, kind) {
		return invalid(param+".type", kind, kindPCM, kindPCMU, kindPCMA)
	}
	s.encoding = encoding{kind, usualRate(kind)}
	if f.Rate.given() {
		return s.setRate(f.Rate.V, param+".rate")
	}
	return nil
}

func usualRate(kind string) int {
	if kind == kindPCM {
		return usualEncoding().Rate
	}
	return 8000
}

// setRate takes a sample rate in Hz, as a number or as its digits in a string.
func (s *settings) setRate(raw json.RawMessage, param string) *fault {
	accepted := []string{"8000"} // of G.711
	if s.encoding.Kind == kindPCM {
		accepted = []string{"24000", "16000"}
	}
	text := strings.Trim(string(raw), `"`)
	rate, err := strconv.Atoi(text)
	if err != nil || !slices.Contains(accepted, text) {
		return invalid(param, text, accepted...)
	}
	s.encoding.Rate = rate
	return nil
}

// set takes what both spellings share; spoken and turns are the names of these parameters.
func (s *settings) set(
	spoken, turns string, t field[transcriptionUpdate], d field[detectionUpdate], in field[[]string],
) *fault {
	if t.given() {
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
				return invalid("session.include", what, includeLogprobs)
			}
		}
		s.include = in.V
	}
	return nil
}

// setNoise notes a wish that means nothing here, so that the session tells it as the client left it.
func (s *settings) setNoise(n field[noiseUpdate], param string) *fault {
	if !n.given() {
		if n.Null {
			s.noise = nil
		}
		return nil
	}
	var next noiseBody
	if s.noise != nil {
		next = *s.noise
	}
	if n.V.Type.given() {
		next.Type = n.V.Type.V
		if kinds := []string{"near_field", "far_field"}; !slices.Contains(kinds, next.Type) {
			return invalid(param+".type", next.Type, kinds...)
		}
	}
	if n.V.Strength.given() {
		next.Strength = &n.V.Strength.V
	}
	s.noise = &next
	return nil
}

func (s *settings) setTranscription(t transcriptionUpdate, param string) *fault {
	for _, l := range append(t.Languages.V, t.Language.V) {
		if l != "" && l != language {
			return invalid(param+".language", l, language)
		}
	}
	if t.Prompt.Set {
		s.prompt = t.Prompt.V
	}
	if t.Keywords.Set {
		s.keywords = t.Keywords.V
	}
	if utf8.RuneCountInString(s.prompt+strings.Join(s.keywords, "\n")) > maxPrompt {
		return &fault{
			Code: "string_above_max_length", Param: param + ".prompt",
			Message: fmt.Sprintf("The prompt is longer than %d characters.", maxPrompt),
		}
	}
	return nil
}

// setDetection changes what is named; a new kind begins with the usual values.
func (s *settings) setDetection(d field[detectionUpdate], param string) *fault {
	if d.Null {
		s.turns = nil
		return nil
	}
	next := usualDetection()
	if s.turns != nil && (!d.V.Type.given() || d.V.Type.V == s.turns.Kind) {
		*next = *s.turns
	}
	if d.V.Type.given() {
		next.Kind = d.V.Type.V
	}
	if next.Kind != serverVAD && next.Kind != semanticVAD {
		return invalid(param+".type", next.Kind, serverVAD, semanticVAD)
	}
	if next.Kind == semanticVAD && next.Eagerness == "" {
		next.Eagerness = "auto"
	}
	if d.V.Eagerness.given() {
		next.Eagerness = d.V.Eagerness.V
		if levels := []string{"low", "medium", "high", "auto"}; !slices.Contains(levels, next.Eagerness) {
			return invalid(param+".eagerness", next.Eagerness, levels...)
		}
	}
	if d.V.Threshold.given() {
		if next.Threshold = d.V.Threshold.V; next.Threshold < 0 || next.Threshold > 1 {
			return beyond(param+".threshold", next.Threshold, 0, 1)
		}
	}
	if f := within(d.V.PrefixMS, &next.PrefixMS, param+".prefix_padding_ms"); f != nil {
		return f
	}
	if f := within(d.V.SilenceMS, &next.SilenceMS, param+".silence_duration_ms"); f != nil {
		return f
	}
	s.turns = next
	return nil
}

func within(f field[int], to *int, param string) *fault {
	if !f.given() {
		return nil
	}
	if f.V < 0 || f.V > maxPadding {
		return beyond(param, float64(f.V), 0, maxPadding)
	}
	*to = f.V
	return nil
}
