package stt

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store"
	"munadi/store/excerpt"
)

// retryLater is the default Retry-After.
const retryLater = 10 * time.Second

func newUnavailable(why string) *middleware.HTTPProblem {
	return &middleware.HTTPProblem{Status: http.StatusServiceUnavailable, Detail: why, RetryAfter: retryLater}
}

func newDraining() *middleware.HTTPProblem { return newUnavailable("The service is shutting down") }

// explainError maps errors of lower layers to HTTP errors. Unknown errors are returned unchanged: a 500.
func (s *TranscriptionService) explainError(err error, limits multipartform.FormDecoder, longest time.Duration) error {
	var (
		bad  *audio.DecodeError
		busy *engine.ErrBusy
	)
	switch {
	case errors.Is(err, multipartform.ErrTooLarge):
		return tooLarge(limits.MaxFile)
	case errors.As(err, &bad) && bad.Code == audio.CodeTooLong:
		return tooLong(bad, longest)
	case errors.As(err, &bad) && bad.Code == audio.CodeChannel:
		return multipartform.ValidationError{{Type: string(bad.Code), Loc: []any{"body", "channels"}, Msg: bad.Message}}
	case errors.As(err, &bad):
		return &middleware.HTTPProblem{
			Status: http.StatusUnprocessableEntity, Detail: audioFault(string(bad.Code), bad.Message), Err: bad.Cause,
		}
	case errors.As(err, &busy):
		return &middleware.HTTPProblem{
			Status: http.StatusTooManyRequests, Detail: "The queue is full; try again later",
			RetryAfter: max(busy.RetryAfter, time.Second),
		}
	case errors.Is(err, engine.ErrClosed):
		return newDraining()
	case store.CodeOf(err) == store.CodeNotFound:
		return &middleware.HTTPProblem{Status: http.StatusNotFound, Detail: "Not Found"}
	}
	return err
}

func tooLarge(limit int64) *middleware.HTTPProblem {
	return &middleware.HTTPProblem{
		Status: http.StatusRequestEntityTooLarge,
		Detail: fmt.Sprintf("The file is larger than this endpoint accepts (%s)", formatSize(limit)),
	}
}

// formatSize formats bytes in the largest unit with a whole number.
func formatSize(bytes int64) string {
	switch {
	case bytes%(1<<20) == 0:
		return fmt.Sprint(bytes>>20, " MiB")
	case bytes%(1<<10) == 0:
		return fmt.Sprint(bytes>>10, " KiB")
	}
	return fmt.Sprint(bytes, " bytes")
}

// formatLength formats a duration in the largest unit with a whole number, seconds with their fraction.
func formatLength(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return fmt.Sprintf("%g hours", d.Hours())
	case d%time.Minute == 0:
		return fmt.Sprintf("%g minutes", d.Minutes())
	}
	return fmt.Sprintf("%g seconds", d.Seconds())
}

func tooLong(err *audio.DecodeError, longest time.Duration) *middleware.HTTPProblem {
	return &middleware.HTTPProblem{
		Status: http.StatusRequestEntityTooLarge, Err: err.Cause,
		Detail: fmt.Sprintf("The recording is longer than this endpoint accepts (%s)", formatLength(longest)),
	}
}

// audioFault returns the 422 of a file that cannot be decoded.
func audioFault(kind, message string) multipartform.ValidationError {
	return multipartform.ValidationError{{Type: kind, Loc: []any{"body", "file"}, Msg: message}}
}

// errorContent is OpenAI's error object.
type errorContent struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"` // the first invalid field
	Code    string  `json:"code"`
}

const (
	typeInvalid = "invalid_request_error"
	typeServer  = "server_error"
)

// errorKinds are OpenAI's types and codes by status; other statuses have those of their class.
var errorKinds = map[int]struct{ kind, code string }{
	http.StatusUnauthorized:          {typeInvalid, "invalid_api_key"},
	http.StatusForbidden:             {typeInvalid, "insufficient_permissions"},
	http.StatusNotFound:              {typeInvalid, "not_found"},
	http.StatusMethodNotAllowed:      {typeInvalid, "method_not_allowed"},
	http.StatusRequestEntityTooLarge: {typeInvalid, "request_too_large"},
	http.StatusUnsupportedMediaType:  {typeInvalid, "unsupported_media_type"},
	http.StatusTooManyRequests:       {"requests", "rate_limit_exceeded"},
	http.StatusServiceUnavailable:    {typeServer, "service_unavailable"},
}

// violationCodes are OpenAI's codes of Pydantic's types of violations; other types are codes themselves.
var violationCodes = map[string]string{
	"missing": "missing_required_parameter", "literal_error": "invalid_value", "enum": "invalid_value",
	"value_error": "invalid_value",
}

// unknownChoices are fields whose unknown value has a status and a code of its own.
var unknownChoices = map[string]struct {
	status        int
	code, message string // message: of the value, and of what is available
}{
	"model":    {http.StatusNotFound, "model_not_found", "The model '%s' does not exist here. Available: %s"},
	"language": {http.StatusBadRequest, "unsupported_language", "The model does not have the language '%s'. It has: %s"},
}

// ExplainOpenAI returns the status and body of an error below [OpenAIRoot]: {"error":{…}}, a violation as 400.
func ExplainOpenAI(c echo.Context, err error) (status int, body []byte) {
	status, content := openAIError(openAIProblem(c, err))
	body, err = json.Marshal(map[string]errorContent{"error": content})
	if err != nil {
		return http.StatusInternalServerError, []byte(`{"error":{"message":"Internal Server Error","type":"server_error",` +
			`"param":null,"code":"server_error"}}`)
	}
	return status, body
}

const maxEchoed = 100 // characters of a client's text that a message repeats

// openAIProblem converts an error as [middleware.ErrorFace] gives it; a path or method without a route is named.
func openAIProblem(c echo.Context, err error) *middleware.HTTPProblem {
	var known *echo.HTTPError
	switch {
	case errors.Is(err, echo.ErrNotFound), errors.Is(err, echo.ErrMethodNotAllowed):
		known, _ = errors.AsType[*echo.HTTPError](err)
		asked := excerpt.TruncateText(c.Request().Method+" "+c.Request().URL.Path, maxEchoed)
		return &middleware.HTTPProblem{
			Status: known.Code, Detail: "Unknown request URL: " + asked + ". /docs lists what is there",
		}
	case errors.As(err, &known):
		return &middleware.HTTPProblem{Status: known.Code, Detail: known.Message}
	}
	return middleware.ProblemOf(err, c.Request().Context())
}

// openAIError returns OpenAI's status and error object of a problem; the message has all violations.
func openAIError(p *middleware.HTTPProblem) (status int, content errorContent) {
	bad, isInvalid := p.Detail.(multipartform.ValidationError)
	if !isInvalid {
		content = errorContent{Type: typeServer, Code: typeServer, Message: fmt.Sprint(p.Detail)}
		if p.Status < http.StatusInternalServerError {
			content.Type, content.Code = typeInvalid, "invalid_request"
		}
		if known, found := errorKinds[p.Status]; found {
			content.Type, content.Code = known.kind, known.code
		}
		return p.Status, content
	}
	first := max(0, slices.IndexFunc(bad, isUnknownModel))
	messages := make([]string, len(bad))
	for i, v := range bad {
		messages[i] = violationMessage(v)
	}
	content = errorContent{Type: typeInvalid, Code: bad[first].Type, Message: strings.Join(messages, "; ")}
	if code, found := violationCodes[content.Code]; found {
		content.Code = code
	}
	if field := fieldOf(bad[first]); field != "" {
		content.Param = &field
	}
	if unknown, found := unknownChoices[fieldOf(bad[first])]; found && bad[first].Type == "literal_error" {
		content.Code = unknown.code
		return unknown.status, content
	}
	return http.StatusBadRequest, content
}

// isUnknownModel reports whether a violation is a model's name: it decides the status, also beside others.
func isUnknownModel(v multipartform.FieldViolation) bool {
	return v.Type == "literal_error" && fieldOf(v) == "model"
}

// fieldOf returns the field of a violation; empty if it concerns the whole body.
func fieldOf(v multipartform.FieldViolation) string {
	if len(v.Loc) < 2 {
		return ""
	}
	return fmt.Sprint(v.Loc[1])
}

func violationMessage(v multipartform.FieldViolation) string {
	field := fieldOf(v)
	if unknown, found := unknownChoices[field]; found && v.Type == "literal_error" {
		return fmt.Sprintf(unknown.message, excerpt.TruncateText(fmt.Sprint(v.Input), maxEchoed), v.Ctx["expected"])
	}
	if field == "" || field == "file" && v.Type != "missing" || v.Type == codeNotDiarizable {
		return v.Msg
	}
	return field + ": " + v.Msg
}
