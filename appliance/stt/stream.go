package stt

import (
	"context"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/stt/realtime"
)

// Events of a streamed transcription, as OpenAI names them.

type deltaEvent struct {
	Type     string                 `json:"type"`
	Delta    string                 `json:"delta"`
	Logprobs []realtime.WordLogprob `json:"logprobs,omitzero"` // on request
}

type doneEvent struct {
	Type     string                 `json:"type"`
	Text     string                 `json:"text"`
	Usage    usageBody              `json:"usage"`
	Logprobs []realtime.WordLogprob `json:"logprobs,omitzero"` // on request
	*timestampsBody
}

// timestampsBody is the timestamps extension: OpenAI's event has no such fields; a stream that asks for verbose_json
// gets them.
type timestampsBody struct {
	Duration float64       `json:"duration"`
	Segments []segmentBody `json:"segments"`
	Words    []wordBody    `json:"words"`
}

// errorEvent has the fields in which OpenAI clients look for an error, and for [compatFace] the detail of the
// equivalent HTTP error.
type errorEvent struct {
	Type   string       `json:"type"`
	Error  errorContent `json:"error"`
	Detail any          `json:"detail,omitempty"`
}

// streamTranscript streams one event per piece of text, and the whole text at the end.
func (s *TranscriptionService) streamTranscript(ctx context.Context, c echo.Context, w transcriptionWork) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := newEvents(c.Response(), cancel)
	quiet := events.keepAlive(ctx, s.beat)
	w.piece = func(p textPiece) error {
		return events.sendEvent(deltaEvent{"transcript.text.delta", p.delta, p.logprobs})
	}
	t, err := s.transcribeWork(ctx, w)
	quiet()
	defer events.clearDeadline()
	if err != nil {
		return s.reportFailure(c, w.order.face, events, s.explainError(decodingError(ctx, err), s.formDecoder(), w.longest))
	}
	s.endTurn(c, w.turn, t)
	v := t.verboseBody()
	done := doneEvent{Type: "transcript.text.done", Text: v.Text, Usage: v.durationUsage()}
	if w.order.Logprobs {
		done.Logprobs = v.wordLogprobs()
	}
	if w.order.Format == formatVerbose { // of compatFace alone
		done.timestampsBody = &timestampsBody{v.Duration, v.Segments, v.Words}
	}
	return events.sendEvent(done)
}

// reportFailure reports a failure: as an HTTP error before the first byte, after it as an event.
func (s *TranscriptionService) reportFailure(c echo.Context, face apiFace, events *eventWriter, err error) error {
	if !events.hasBegun() {
		return err
	}
	p := middleware.ProblemOf(err, c.Request().Context())
	middleware.AddLogAttribute(c, "stream_error", err)
	if p.Status == middleware.StatusClientGone {
		return nil
	}
	_, content := openAIError(p)
	event := errorEvent{Type: "error", Error: content}
	if face == compatFace {
		event.Detail = p.Detail
	}
	return events.sendFailure(event)
}
