package realtime

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/appliance/textform"
)

func (s *sessionSettings) setFormat(f formatUpdate, param string) *protocolError {
	kind := f.Type.V
	if kind == "" {
		kind = kindPCM
	}
	if !slices.Contains([]string{kindPCM, kindPCMU, kindPCMA}, kind) {
		return newInvalidValue(param+".type", kind, kindPCM, kindPCMU, kindPCMA)
	}
	s.encoding = audioEncoding{kind, defaultRate(kind)}
	if f.Rate.isGiven() {
		return s.setRate(f.Rate.V, param+".rate")
	}
	return nil
}

func defaultRate(kind string) int {
	if kind == kindPCM {
		return defaultEncoding().Rate
	}
	return 8000
}

// setRate accepts a sample rate in Hz, as a number or a string of digits.
func (s *sessionSettings) setRate(raw json.RawMessage, param string) *protocolError {
	accepted := []string{"8000"} // of G.711
	if s.encoding.Kind == kindPCM {
		accepted = []string{"24000", "16000"}
	}
	text := strings.Trim(string(raw), `"`)
	rate, err := strconv.Atoi(text)
	if err != nil || !slices.Contains(accepted, text) {
		return newInvalidValue(param, text, accepted...)
	}
	s.encoding.Rate = rate
	return nil
}

// setNoise stores noise reduction, which has no effect here, to echo it.
func (s *sessionSettings) setNoise(n optionalField[noiseUpdate], param string) *protocolError {
	if !n.isGiven() {
		if n.Null {
			s.noise = nil
		}
		return nil
	}
	var next noiseBody
	if s.noise != nil {
		next = *s.noise
	}
	if n.V.Type.isGiven() {
		next.Type = n.V.Type.V
		if kinds := []string{"near_field", "far_field"}; !slices.Contains(kinds, next.Type) {
			return newInvalidValue(param+".type", next.Type, kinds...)
		}
	}
	if n.V.Strength.isGiven() {
		next.Strength = &n.V.Strength.V
	}
	s.noise = &next
	return nil
}

func (s *sessionSettings) setTranscription(t transcriptionUpdate, param string) *protocolError {
	for _, l := range append(t.Languages.V, t.Language.V) {
		if l == "" {
			continue
		}
		if !slices.Contains(s.languages, l) && (s.hasLanguage == nil || !s.hasLanguage(l)) {
			return newInvalidValue(param+".language", l, s.languages...)
		}
		s.language = l
	}
	if t.Prompt.Set {
		s.prompt = t.Prompt.V
	}
	if t.Keywords.Set {
		s.keywords = t.Keywords.V
	}
	if utf8.RuneCountInString(s.prompt+strings.Join(s.keywords, "\n")) > maxPrompt {
		return &protocolError{
			Code: "string_above_max_length", Param: param + ".prompt",
			Message: fmt.Sprintf("The prompt is longer than %d characters.", maxPrompt),
		}
	}
	if f := s.setTextForm(t, param); f != nil {
		return f
	}
	return s.setLatency(t.Latency, param+".latency_ms")
}

// setTextForm sets the form of texts; null means the default.
func (s *sessionSettings) setTextForm(t transcriptionUpdate, param string) *protocolError {
	form, numerals := textform.Form(t.TextForm.V), textform.Numerals(t.Numerals.V)
	if t.TextForm.isGiven() && form != textform.Spoken && form != textform.Written {
		return newInvalidValue(param+".text_form", t.TextForm.V, string(textform.Spoken), string(textform.Written))
	}
	if t.Numerals.isGiven() && numerals != textform.Latin && numerals != textform.ArabicIndic {
		return newInvalidValue(param+".numerals", t.Numerals.V, string(textform.Latin), string(textform.ArabicIndic))
	}
	if t.TextForm.Set {
		s.text.Form = form
	}
	if t.Numerals.Set {
		s.text.Numerals = numerals
	}
	if t.Redact.Set {
		s.text.Redact = t.Redact.V
	}
	return nil
}

// setLatency sets the latency of texts in milliseconds; null and 0 mean the service's default.
func (s *sessionSettings) setLatency(f optionalField[int], param string) *protocolError {
	if !f.Set {
		return nil
	}
	if f.V < 0 || f.V > maxLatency {
		return newOutOfRange(param, float64(f.V), 0, maxLatency)
	}
	s.latency = time.Duration(f.V) * time.Millisecond
	return nil
}

// setDetection changes the given fields; a new kind starts with defaults.
func (s *sessionSettings) setDetection(d optionalField[detectionUpdate], param string) *protocolError {
	if d.Null {
		s.turns = nil
		return nil
	}
	next := defaultDetection()
	if s.turns != nil && (!d.V.Type.isGiven() || d.V.Type.V == s.turns.Kind) {
		*next = *s.turns
	}
	if d.V.Type.isGiven() {
		next.Kind = d.V.Type.V
	}
	if next.Kind != serverVAD && next.Kind != semanticVAD {
		return newInvalidValue(param+".type", next.Kind, serverVAD, semanticVAD)
	}
	if next.Kind == semanticVAD && next.Eagerness == "" {
		next.Eagerness = "auto"
	}
	if d.V.Eagerness.isGiven() {
		next.Eagerness = d.V.Eagerness.V
		if levels := []string{"low", "medium", "high", "auto"}; !slices.Contains(levels, next.Eagerness) {
			return newInvalidValue(param+".eagerness", next.Eagerness, levels...)
		}
	}
	if d.V.Threshold.isGiven() {
		if next.Threshold = d.V.Threshold.V; next.Threshold < 0 || next.Threshold > 1 {
			return newOutOfRange(param+".threshold", next.Threshold, 0, 1)
		}
	}
	if f := setWithin(d.V.PrefixMS, &next.PrefixMS, param+".prefix_padding_ms"); f != nil {
		return f
	}
	if f := setWithin(d.V.SilenceMS, &next.SilenceMS, param+".silence_duration_ms"); f != nil {
		return f
	}
	s.turns = next
	return nil
}

func setWithin(f optionalField[int], to *int, param string) *protocolError {
	if !f.isGiven() {
		return nil
	}
	if f.V < 0 || f.V > maxPadding {
		return newOutOfRange(param, float64(f.V), 0, maxPadding)
	}
	*to = f.V
	return nil
}
