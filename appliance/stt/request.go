package stt

import (
	"mime"
	"net/http"
	"strings"

	"munadi/appliance/httpserver/multipartform"
	"munadi/engine"
	"munadi/engine/grammar"
	"munadi/store/restaurant"
)

// transcriptionForm is the request of transcriptions and jobs: the service description's fields, and those that
// OpenAI's clients send besides. Fields that it does not name are accepted and mean nothing here.
type transcriptionForm struct {
	SessionID   string `header:"x-session-id" minlen:"1" maxlen:"128" pattern:"^[A-Za-z0-9._:-]+$"`
	SessionMode string `header:"x-session-mode" literal:"restaurant|default"`

	File           *multipartform.UploadedFile `form:"file" required:"true"`
	Model          string                      `form:"model" default:"svc-stt" literal:"svc-stt"`
	Stream         bool                        `form:"stream" default:"false"`
	ResponseFormat string                      `form:"response_format" default:"json" literal:"json|text|verbose_json"`
	Language       string                      `form:"language" default:"ar" literal:"ar"`
	Prompt         string                      `form:"prompt" maxlen:"16384"`
	Temperature    float64                     `form:"temperature" default:"0" ge:"0" le:"1"` // changes nothing
	Granularities  []string                    `form:"timestamp_granularities[]" literal:"word|segment"`
	Include        []string                    `form:"include[]" literal:"logprobs"`
	Channels       string                      `form:"channels" default:"mix" literal:"mix|left|right|separate"`
	CallbackURL    string                      `form:"callback_url" maxlen:"2048"` // of jobs; a request is answered itself
}

// transcriptionOrder is what a transcription asks for, without its file; a job keeps it as JSON.
type transcriptionOrder struct {
	Format    string                 `json:"response_format"`
	Phrases   []string               `json:"phrases,omitempty"`
	Grammar   string                 `json:"grammar,omitempty"` // SRGS ABNF, or the name of a builtin one
	SessionID string                 `json:"session_id,omitempty"`
	Mode      restaurant.SessionMode `json:"mode"`
	Logprobs  bool                   `json:"logprobs,omitempty"`
	Channels  string                 `json:"channels,omitempty"`
}

func (f *transcriptionForm) newOrder(m restaurant.SessionMode) transcriptionOrder {
	o := transcriptionOrder{
		Format: f.ResponseFormat, SessionID: f.SessionID, Mode: m, Logprobs: len(f.Include) > 0, Channels: f.Channels,
	}
	if grammar.IsGrammar(f.Prompt) {
		o.Grammar = f.Prompt
	} else {
		o.Phrases = engine.SplitPhrases(f.Prompt)
	}
	return o
}

// Check implements [multipartform.Checker]: a prompt that is a grammar must be one.
func (f *transcriptionForm) Check() []multipartform.FieldViolation {
	if !grammar.IsGrammar(f.Prompt) {
		return nil
	}
	if _, err := grammar.Read(f.Prompt); err != nil {
		return []multipartform.FieldViolation{{
			Type: "value_error", Loc: []any{"body", "prompt"}, Input: f.Prompt, Msg: "Value error, " + err.Error(),
			Ctx: map[string]any{"error": map[string]any{}},
		}}
	}
	return nil
}

// answers is the grammar that the order names; nil: anything may be said.
func (o transcriptionOrder) answers() (*grammar.RuleGrammar, error) {
	if o.Grammar == "" {
		return nil, nil
	}
	return grammar.Read(o.Grammar)
}

// wantsEvents tells whether a client accepts a stream of events by name; */* does not count.
func wantsEvents(r *http.Request) bool {
	for _, line := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			kind, params, err := mime.ParseMediaType(part)
			if err == nil && kind == "text/event-stream" && !isZeroQuality(params["q"]) {
				return true
			}
		}
	}
	return false
}

// isZeroQuality is a quality of zero, however many digits it has.
func isZeroQuality(q string) bool { return q != "" && strings.Trim(q, "0.") == "" }
