package stt

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/stt/edge"
	"munadi/appliance/stt/form"
	"munadi/appliance/stt/realtime"
)

// The events of a streamed transcription, as OpenAI names them.

type deltaEvent struct {
	Type     string             `json:"type"`
	Delta    string             `json:"delta"`
	Logprobs []realtime.Logprob `json:"logprobs,omitzero"` // on request
}

type doneEvent struct {
	Type     string             `json:"type"`
	Text     string             `json:"text"`
	Usage    usage              `json:"usage"`
	Logprobs []realtime.Logprob `json:"logprobs,omitzero"` // on request
	*placesBody
}

// placesBody is where the words are. OpenAI's event has no such fields; a stream that asks for verbose_json gets them,
// so that nobody has to send the same sound twice.
type placesBody struct {
	Duration float64       `json:"duration"`
	Segments []segmentBody `json:"segments"`
	Words    []wordBody    `json:"words"`
}

// errorEvent has the fields in which OpenAI's clients look for a failure, and the detail that a status would carry.
type errorEvent struct {
	Type   string       `json:"type"`
	Error  errorContent `json:"error"`
	Detail any          `json:"detail"`
}

type errorContent struct {
	Type    string  `json:"type"`
	Code    string  `json:"code"`
	Message string  `json:"message"`
	Param   *string `json:"param"`
}

// stream answers with one event a piece, and the whole text at the end.
func (s *Service) stream(ctx context.Context, c echo.Context, w work) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := newEvents(c.Response(), cancel)
	quiet := events.keepAlive(ctx, s.beat)
	w.piece = func(p piece) error { return events.send(deltaEvent{"transcript.text.delta", p.delta, p.logprobs}) }
	t, err := s.transcribe(ctx, w)
	quiet()
	defer events.release()
	if err != nil {
		return s.endBadly(c, events, s.explain(failure(ctx, err), s.decoder(), w.longest))
	}
	s.endTurn(c, w.turn, t)
	v := t.verbose()
	done := doneEvent{Type: "transcript.text.done", Text: v.Text, Usage: v.usage()}
	if w.order.Logprobs {
		done.Logprobs = v.logprobs()
	}
	if w.order.Format == formatVerbose {
		done.placesBody = &placesBody{v.Duration, v.Segments, v.Words}
	}
	return events.send(done)
}

// endBadly: before the first byte a failure is an ordinary answer, after it an event.
func (s *Service) endBadly(c echo.Context, events *events, err error) error {
	if !events.begun() {
		return err
	}
	p := edge.ProblemOf(err, c.Request().Context())
	edge.Note(c, "stream_error", err)
	if p.Status == edge.StatusClientGone {
		return nil
	}
	return events.fail(errorEvent{Type: "error", Error: contentOf(p), Detail: p.Detail})
}

func contentOf(p *edge.Problem) errorContent {
	content := errorContent{Type: "server_error", Code: http.StatusText(p.Status)}
	if p.Status < http.StatusInternalServerError {
		content.Type = "invalid_request_error"
	}
	switch d := p.Detail.(type) {
	case form.Invalid:
		param := "file"
		content.Code, content.Message, content.Param = d[0].Type, d[0].Msg, &param
	case string:
		content.Message = d
	}
	return content
}
