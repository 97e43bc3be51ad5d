package stt

import (
	"mime"
	"net/http"
	"strings"

	"munadi/appliance/httpserver/multipartform"
	"munadi/engine"
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
	SessionID string                 `json:"session_id,omitempty"`
	Mode      restaurant.SessionMode `json:"mode"`
	Logprobs  bool                   `json:"logprobs,omitempty"`
	Channels  string                 `json:"channels,omitempty"`
}

func (f *transcriptionForm) newOrder(m restaurant.SessionMode) transcriptionOrder {
	return transcriptionOrder{
		Format: f.ResponseFormat, Phrases: engine.SplitPhrases(f.Prompt), SessionID: f.SessionID, Mode: m,
		Logprobs: len(f.Include) > 0, Channels: f.Channels,
	}
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
