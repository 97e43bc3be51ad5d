package stt

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
	"munadi/appliance/textform"
	"munadi/engine"
	"munadi/engine/grammar"
	"munadi/store/restaurant"
)

// transcriptionForm is the form of transcriptions and jobs: the contract's fields, and others that OpenAI clients
// send. Unknown fields are accepted and ignored.
type transcriptionForm struct {
	face        apiFace
	wantsEvents bool // by the header Accept

	SessionID   string `header:"x-session-id" minlen:"1" maxlen:"128" pattern:"^[A-Za-z0-9._:-]+$"`
	SessionMode string `header:"x-session-mode" literal:"restaurant|default"`

	File           *multipartform.UploadedFile `form:"file" required:"true"`
	Model          string                      `form:"model" default:"svc-stt" literal:"svc-stt"`
	Stream         bool                        `form:"stream" default:"false"`
	ResponseFormat string                      `form:"response_format" default:"json" literal:"json|text|verbose_json"`
	Language       string                      `form:"language" default:"ar" literal:"ar"`
	Prompt         string                      `form:"prompt" maxlen:"16384"`
	Temperature    float64                     `form:"temperature" default:"0" ge:"0" le:"1"` // no effect
	Granularities  []string                    `form:"timestamp_granularities[]" literal:"word|segment"`
	Include        []string                    `form:"include[]" literal:"logprobs"`
	Channels       string                      `form:"channels" default:"mix" literal:"mix|left|right|separate"`
	CallbackURL    string                      `form:"callback_url" maxlen:"2048"` // for jobs only
	TextForm       string                      `form:"text_form" default:"spoken" literal:"spoken|written"`
	Numerals       string                      `form:"numerals" default:"latn" literal:"latn|arab"` // of the written form
	Redact         bool                        `form:"redact" default:"false"`
}

// transcriptionOrder holds the options of a transcription, without its file; a job stores it as JSON.
type transcriptionOrder struct {
	Format    string                 `json:"response_format"`
	Phrases   []string               `json:"phrases,omitempty"`
	Grammar   string                 `json:"grammar,omitempty"` // SRGS ABNF, or the name of a built-in grammar
	SessionID string                 `json:"session_id,omitempty"`
	Mode      restaurant.SessionMode `json:"mode"`
	Logprobs  bool                   `json:"logprobs,omitempty"`
	Channels  string                 `json:"channels,omitempty"`
	Language  string                 `json:"language,omitempty"` // empty: ar
	textform.Options

	face  apiFace // of the request; a job's is always compatFace
	words bool    // words with their times were asked for
}

func (f *transcriptionForm) newOrder(m restaurant.SessionMode) transcriptionOrder {
	o := transcriptionOrder{
		Format: f.ResponseFormat, SessionID: f.SessionID, Mode: m, Logprobs: len(f.Include) > 0, Channels: f.Channels,
		Language: f.Language,
		face:     f.face, words: f.face == compatFace || slices.Contains(f.Granularities, "word"),
	}
	if f.ResponseFormat == formatDiarized {
		o.Channels = separate
	}
	if f.TextForm == string(textform.Written) {
		o.Options = textform.Options{Form: textform.Written, Numerals: textform.Numerals(f.Numerals)}
	}
	o.Redact = f.Redact
	if grammar.IsGrammar(f.Prompt) {
		o.Grammar = f.Prompt
	} else {
		o.Phrases = engine.SplitPhrases(f.Prompt)
	}
	return o
}

// Check implements [multipartform.Checker]: a grammar in the prompt must be valid, and the rules of the face are kept.
func (f *transcriptionForm) Check() []multipartform.FieldViolation {
	bad := f.checkFace()
	if !grammar.IsGrammar(f.Prompt) {
		return bad
	}
	if _, err := grammar.ReadAnswer(f.Prompt); err != nil {
		bad = append(bad, multipartform.FieldViolation{
			Type: "value_error", Loc: []any{"body", "prompt"}, Input: f.Prompt, Msg: "Value error, " + err.Error(),
			Ctx: map[string]any{"error": map[string]any{}},
		})
	}
	return bad
}

// parseGrammar returns the parsed grammar of the order; nil: unconstrained.
func (o transcriptionOrder) parseGrammar() (*grammar.RuleGrammar, error) {
	if o.Grammar == "" {
		return nil, nil
	}
	return grammar.ReadAnswer(o.Grammar)
}

// wantsEvents reports whether Accept names text/event-stream; */* does not count.
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

// isZeroQuality reports whether a quality value is zero.
func isZeroQuality(q string) bool { return q != "" && strings.Trim(q, "0.") == "" }

// readForm decodes the form into dst. Slow uploads are limited by the HTTP middleware.
func (s *TranscriptionService) readForm(c echo.Context, d multipartform.FormDecoder, dst any) error {
	if fault := apimodel.EncodingFault(c.Request()); fault != "" {
		return &middleware.HTTPProblem{Status: http.StatusUnsupportedMediaType, Detail: fault}
	}
	if err := d.DecodeForm(c.Request(), dst); err != nil {
		return s.explainError(err, d, 0)
	}
	return nil
}
