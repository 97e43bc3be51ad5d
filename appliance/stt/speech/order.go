package speech

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
	"munadi/appliance/tts"
	"munadi/engine/arabic"
	"munadi/engine/audio"
	"munadi/store/strictjson"
)

var (
	// speechModels are OpenAI's names of speech models; the voice alone chooses who speaks.
	speechModels = []string{"tts-1", "tts-1-hd", "gpt-4o-mini-tts"}
	// openAIVoices are OpenAI's names of voices: each is the default voice.
	openAIVoices = []string{
		"alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer", "verse",
	}
)

// fieldNames are the names of [speechBody].
var fieldNames = []string{"model", "input", "voice", "response_format", "speed", "instructions", "stream_format"}

// speechBody is the body of a request. Other names are ignored, as clients send what newer versions of the API know.
type speechBody struct {
	Model          string    `json:"model"`
	Input          string    `json:"input"`
	Voice          voiceName `json:"voice"`
	ResponseFormat string    `json:"response_format"`
	Speed          *float64  `json:"speed"`
	Instructions   *string   `json:"instructions"`
	StreamFormat   string    `json:"stream_format"`
}

// voiceName is a name, or an object with it as id.
type voiceName string

// BindForm implements [strictjson.FormBinder].
func (v *voiceName) BindForm(b *strictjson.ValueBinder, path string, from any) {
	if object, ok := from.(map[string]any); ok {
		from = object["id"]
	}
	name, ok := from.(string)
	if !ok {
		b.AddViolation(path, "must be the name of a voice, or an object with it as id")
	}
	*v = voiceName(name)
}

// speechOrder is a valid request.
type speechOrder struct {
	text   string
	voice  tts.NamedVoice
	format audio.FileFormat
	speed  float64
}

// isStreamed reports whether the response begins before all of the text is spoken.
func (o speechOrder) isStreamed() bool {
	return o.format != audio.FormatWAV && o.format != audio.FormatFLAC && o.voice.Source != tts.Recorded
}

// readOrder reads and checks the body of a request; the error has all violations.
func (s *SpeechService) readOrder(c echo.Context) (speechOrder, error) {
	parsed, err := readObject(c.Request())
	if err != nil {
		return speechOrder{}, err
	}
	known := map[string]any{}
	for _, name := range fieldNames {
		if value, there := parsed[name]; there && value != nil {
			known[name] = value
		}
	}
	var body speechBody
	var bad multipartform.ValidationError
	for _, v := range strictjson.BindValue(known, &body) {
		bad = append(bad, newViolation(v.Field, "Input "+v.Message))
	}
	order := speechOrder{
		text: strings.TrimSpace(body.Input), voice: s.findVoice(string(body.Voice)),
		format: audio.FileFormat(body.ResponseFormat), speed: 1,
	}
	if body.Speed != nil {
		order.speed = *body.Speed
	}
	formats := audio.EncodableFormats(c.Request().Context(), s.Encoding())
	if order.format == "" {
		order.format = formats[0]
	}
	for _, v := range s.checkOrder(body, order, formats) {
		if !slices.ContainsFunc(bad, func(b multipartform.FieldViolation) bool { return b.Loc[1] == v.Loc[1] }) {
			bad = append(bad, v)
		}
	}
	if len(bad) == 0 {
		return order, nil
	}
	place := func(v multipartform.FieldViolation) int { return slices.Index(fieldNames, v.Loc[1].(string)) }
	slices.SortStableFunc(bad, func(a, b multipartform.FieldViolation) int { return cmp.Compare(place(a), place(b)) })
	return order, bad
}

// readObject reads the JSON object of a request, whatever its Content-Type says.
func readObject(r *http.Request) (map[string]any, error) {
	if fault := apimodel.EncodingFault(r); fault != "" {
		return nil, &middleware.HTTPProblem{Status: http.StatusUnsupportedMediaType, Detail: fault}
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", multipartform.ErrBroken, err)
	}
	if len(data) > maxBody {
		return nil, &middleware.HTTPProblem{
			Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("The body is larger than %d KiB", maxBody>>10),
		}
	}
	parsed, err := strictjson.ParseObject(data)
	if syntax, ok := errors.AsType[*strictjson.SyntaxError](err); ok {
		return nil, multipartform.ValidationError{{Type: "json_invalid", Loc: []any{"body"}, Msg: syntax.Message}}
	}
	return parsed, err
}

// checkOrder returns the violations of a request whose types are right.
func (s *SpeechService) checkOrder(
	body speechBody, order speechOrder, formats []audio.FileFormat,
) (bad multipartform.ValidationError) {
	models := slices.Concat(speechModels, s.ownModels())
	if body.Model == "" {
		bad = append(bad, newMissing("model"))
	} else if !slices.Contains(models, body.Model) {
		bad = append(bad, newChoice("model", body.Model, models))
	}
	switch length := utf8.RuneCountInString(body.Input); {
	case length == 0:
		bad = append(bad, newMissing("input"))
	case length > maxInput:
		bad = append(bad, newViolation("input", fmt.Sprintf(
			"Text should have 1 to %d characters, it has %d", maxInput, length)))
	case arabic.FoldSpelling(body.Input) == "":
		bad = append(bad, newViolation("input", "Text should have words: there is nothing to speak"))
	}
	if body.Voice == "" {
		bad = append(bad, newMissing("voice"))
	} else if order.voice.ID == "" {
		bad = append(bad, newChoice("voice", string(body.Voice), s.voiceNames()))
	}
	if !slices.Contains(formats, order.format) {
		names := make([]string, len(formats))
		for i, f := range formats {
			names[i] = string(f)
		}
		bad = append(bad, newChoice("response_format", body.ResponseFormat, names))
	}
	if !(order.speed >= 0.25 && order.speed <= 4) {
		bad = append(bad, newViolation("speed", "Input should be a number from 0.25 to 4"))
	}
	if body.StreamFormat != "" && body.StreamFormat != "audio" {
		bad = append(bad, newChoice("stream_format", body.StreamFormat, []string{"audio"}))
	}
	return bad
}

// ownModels returns the name of the speech endpoint's model, unless it is one of OpenAI's, and the neural voices.
func (s *SpeechService) ownModels() (names []string) {
	if own := s.Speaker().EndpointModel(); own != "" && !slices.Contains(speechModels, own) {
		names = append(names, own)
	}
	for _, v := range s.Speaker().ListVoices() {
		if v.Source == tts.Neural {
			names = append(names, v.ID)
		}
	}
	return names
}

// findVoice returns the voice of a name; none without its ID.
func (s *SpeechService) findVoice(name string) tts.NamedVoice {
	voices := s.Speaker().ListVoices()
	if slices.Contains(openAIVoices, name) {
		return voices[0]
	}
	for _, v := range voices {
		if v.ID == name {
			return v
		}
	}
	return tts.NamedVoice{}
}

func (s *SpeechService) voiceNames() []string {
	var names []string
	for _, v := range s.Speaker().ListVoices() {
		names = append(names, v.ID)
	}
	return append(names, openAIVoices...)
}

func newMissing(field string) multipartform.FieldViolation {
	return multipartform.FieldViolation{Type: "missing", Loc: []any{"body", field}, Msg: "Field required"}
}

func newViolation(field, message string) multipartform.FieldViolation {
	return multipartform.FieldViolation{Type: "value_error", Loc: []any{"body", field}, Msg: message}
}

func newChoice(field, value string, choices []string) multipartform.FieldViolation {
	return multipartform.NewChoiceViolation([]any{"body", field}, value, choices)
}
