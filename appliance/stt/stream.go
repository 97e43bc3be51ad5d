package stt

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

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
	Duration decimal       `json:"duration"`
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

const (
	heartbeat    = 15 * time.Second // interval of SSE comments in an idle stream
	writeTimeout = 10 * time.Second // write timeout: the client is gone
)

// eventWriter writes server-sent events (WHATWG HTML §9.2), each flushed at once with its own write deadline. The
// response begins with the first event. The first failed write cancels the request's work.
type eventWriter struct {
	w       *echo.Response
	control *http.ResponseController
	cancel  context.CancelFunc

	mu   sync.Mutex
	last time.Time // time of the last write
}

func newEvents(w *echo.Response, cancel context.CancelFunc) *eventWriter {
	return &eventWriter{w: w, control: http.NewResponseController(w), cancel: cancel, last: time.Now()}
}

// sendEvent writes one event whose data is v as JSON on one line.
func (e *eventWriter) sendEvent(v any) error { return e.writeEvent("", v) }

// sendFailure writes an error event.
func (e *eventWriter) sendFailure(v any) error { return e.writeEvent("event: error\n", v) }

func (e *eventWriter) writeEvent(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return e.writeParts([]byte(name), []byte("data: "), data, []byte("\n\n"))
}

func (e *eventWriter) writeParts(parts ...[]byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.beginStream()
	_ = e.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // a writer without deadlines never blocks
	_, err := e.w.Write(bytes.Join(parts, nil))
	if err == nil {
		err = e.control.Flush()
	}
	if err != nil {
		e.cancel()
	}
	e.last = time.Now()
	return err
}

func (e *eventWriter) beginStream() {
	if e.w.Committed {
		return
	}
	h := e.w.Header()
	h.Set(echo.HeaderContentType, "text/event-stream")
	h.Set(echo.HeaderCacheControl, "no-cache")
	h.Set("X-Accel-Buffering", "no") // disables nginx's response buffering
	e.w.WriteHeader(http.StatusOK)
}

func (e *eventWriter) hasBegun() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.w.Committed
}

// clearDeadline removes the write deadline of the connection.
func (e *eventWriter) clearDeadline() { _ = e.control.SetWriteDeadline(time.Time{}) }

// keepAlive writes a comment after every idle interval of every, until stop is called; stop waits for a write in
// progress.
func (e *eventWriter) keepAlive(ctx context.Context, every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if e.silentFor() >= every && e.writeParts([]byte(": still decoding\n\n")) != nil {
					return
				}
			}
		}
	})
	return func() { cancel(); done.Wait() }
}

func (e *eventWriter) silentFor() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return time.Since(e.last)
}
