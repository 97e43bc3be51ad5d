package stt

import (
	"context"
	"errors"
	"slices"

	"munadi/appliance/httpserver/multipartform"
	"munadi/engine/audio"
)

// apiFace is one of the two HTTP faces of the service, by its root path. Both bind the same form and run the same
// transcription. What differs is here, in encodeBody (bodies) and in [ExplainOpenAI] (errors).
type apiFace string

const (
	compatFace apiFace = "/compat/v1" // of the given service: errors as FastAPI's, one model
	openAIFace apiFace = OpenAIRoot
)

// OpenAIRoot is the root path of OpenAI's audio API.
const OpenAIRoot = "/v1"

// transcriptionAliases are OpenAI's names of transcription models; each means the model in use.
var transcriptionAliases = []string{
	"whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize",
}

// languages returns the languages that the refusal of another one lists.
func (s *TranscriptionService) languages() []string {
	if s.Languages != nil {
		if offered := s.Languages(); len(offered) > 0 {
			return offered
		}
	}
	return []string{"ar"}
}

// formRules returns what a face changes in the tags of [transcriptionForm].
func (s *TranscriptionService) formRules(face apiFace) map[string]multipartform.FieldRule {
	if face == compatFace {
		return nil
	}
	return map[string]multipartform.FieldRule{
		"model":           {Choices: s.modelNames(), Required: true},
		"language":        {Choices: s.languages(), Fits: s.HasLanguage},
		"response_format": {Choices: []string{formatJSON, formatText, formatSRT, formatVTT, formatVerbose, formatDiarized}},
	}
}

// modelNames returns the names of models that requests to [OpenAIRoot] may give: OpenAI's, and the installed models'.
func (s *TranscriptionService) modelNames() []string {
	names := append([]string{ModelID}, transcriptionAliases...)
	if s.Models == nil {
		return names
	}
	serving, installed := s.Models()
	for _, name := range append([]string{serving}, installed...) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// servingModel returns the name of the model in use, whatever a request calls it; empty: unknown.
func (s *TranscriptionService) servingModel() string {
	if s.Models == nil {
		return ""
	}
	serving, _ := s.Models()
	return serving
}

// checkFace returns the violations of the rules of a face that concern several fields.
func (f *transcriptionForm) checkFace() []multipartform.FieldViolation {
	plain := f.ResponseFormat == formatJSON || f.ResponseFormat == formatText || f.ResponseFormat == ""
	if f.face == compatFace || plain || !f.Stream && !f.wantsEvents {
		return nil
	}
	return []multipartform.FieldViolation{{
		Type: "value_error", Loc: []any{"body", "response_format"}, Input: f.ResponseFormat,
		Msg: "A stream (stream=true, or Accept: text/event-stream) has the response_format json or text",
	}}
}

// codeNotDiarizable is the violation of a recording whose speakers cannot be told apart.
const codeNotDiarizable = "diarization_unavailable"

// checkDiarizable refuses diarized_json of a recording with one channel: speakers are told apart by their channel.
func (s *TranscriptionService) checkDiarizable(ctx context.Context, f *transcriptionForm) error {
	if f.ResponseFormat != formatDiarized {
		return nil
	}
	err := s.probeSound(ctx, f, s.currentLimits().Duration, audio.RightChannel)
	var bad *audio.DecodeError
	if errors.As(err, &bad) && bad.Code == audio.CodeChannel {
		return multipartform.ValidationError{{
			Type: codeNotDiarizable, Loc: []any{"body", "response_format"}, Input: f.ResponseFormat,
			Msg: "diarized_json needs a recording with two channels, one for each speaker: this one has one channel, and " +
				"no diarizer is installed",
		}}
	}
	return err
}
