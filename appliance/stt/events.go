package stt

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

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
