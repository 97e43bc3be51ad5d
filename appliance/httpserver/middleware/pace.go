package middleware

import (
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// Timeouts against slow clients (slowloris). An upload over a bad mobile line takes hours and still makes progress; a
// client that sends a byte now and then only holds a connection.
const (
	stillTime = time.Minute // longest stall of a body or an answer
	leastRate = 500         // minimum bytes a second of a body after the first minute, on average; Apache's MinRate
	pieceSize = 32 << 10    // bytes of an answer that must be written within stillTime
	restTime  = 5 * time.Second
)

// PaceClients times out clients that send their body, or read their answer, too slowly (408, or a closed connection).
// A write deadline that a handler sets itself takes precedence until it resets it to zero.
func PaceClients(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, res := c.Request(), c.Response()
		w := &pacedWriter{ResponseWriter: res.Writer, control: http.NewResponseController(res.Writer)}
		if r.Body != nil && r.Body != http.NoBody {
			w.body = &pacedBody{ReadCloser: r.Body, request: r, control: w.control}
			r.Body = w.body
			c.Set(bodyKey, w.body)
		}
		res.Writer = w
		defer w.finishDeadline()
		return next(c)
	}
}

const bodyKey = "munadi.edge.body"

// hasUnreadBody reports whether the request's body has not been read to its end.
func hasUnreadBody(c echo.Context) bool {
	if b, known := c.Get(bodyKey).(*pacedBody); known {
		return !b.ended
	}
	return c.Request().ContentLength != 0 && c.Request().Method != http.MethodGet
}

// isBodyBroken reports whether reading the request's body has failed, so that no more can be read of it.
func isBodyBroken(c echo.Context) bool {
	b, known := c.Get(bodyKey).(*pacedBody)
	return known && b.failed
}

// pacedBody is a request body with a deadline for each read.
type pacedBody struct {
	io.ReadCloser
	request *http.Request
	control *http.ResponseController
	began   time.Time // first read
	got     int64     // bytes
	ended   bool
	failed  bool
}

// Read implements [io.Reader]. The read deadline is removed at the end of the body: net/http then watches the idle
// connection for a disconnect, and would take an expired deadline for one.
func (b *pacedBody) Read(p []byte) (int, error) {
	now := time.Now()
	if b.began.IsZero() {
		b.began = now
	}
	late := b.began.Add(stillTime + time.Duration(b.got)*time.Second/leastRate)
	if still := now.Add(stillTime); still.Before(late) {
		late = still
	}
	_ = b.control.SetReadDeadline(late) // a writer without deadlines (a test's) never blocks
	n, err := b.ReadCloser.Read(p)
	b.got += int64(n)
	if err != nil {
		b.ended, b.failed = err == io.EOF, err != io.EOF
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// restoreBody puts the request's original body back when the answer begins: net/http recognizes its own type, and
// drains the rest of it within restTime.
func (b *pacedBody) restoreBody() {
	b.request.Body = b.ReadCloser
	if !b.ended {
		_ = b.control.SetReadDeadline(time.Now().Add(restTime))
	}
}

// pacedWriter is a response writer with a deadline for each write.
type pacedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	body    *pacedBody // set until the answer begins
	own     bool       // the handler has set a deadline itself, which takes precedence
}

// Unwrap returns the wrapped writer, for [http.ResponseController].
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (w *pacedWriter) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.startDeadline()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *pacedWriter) startDeadline() {
	if w.body != nil {
		w.body.restoreBody()
		w.body = nil
	}
}

// Write implements [io.Writer].
func (w *pacedWriter) Write(p []byte) (written int, err error) {
	w.startDeadline()
	for err == nil {
		piece := p[written:min(len(p), written+pieceSize)]
		w.extendDeadline()
		var n int
		n, err = w.ResponseWriter.Write(piece)
		if written += n; written == len(p) {
			break
		}
	}
	return written, err
}

// FlushError flushes under a new deadline, for [http.ResponseController].
func (w *pacedWriter) FlushError() error {
	w.startDeadline()
	w.extendDeadline()
	return w.control.Flush()
}

// SetWriteDeadline sets the handler's own write deadline, for [http.ResponseController]; zero restores the pacing.
func (w *pacedWriter) SetWriteDeadline(t time.Time) error {
	w.own = !t.IsZero()
	return w.control.SetWriteDeadline(t)
}

func (w *pacedWriter) extendDeadline() {
	if !w.own {
		_ = w.control.SetWriteDeadline(time.Now().Add(stillTime)) // a writer without deadlines never blocks
	}
}

// finishDeadline sets a deadline for net/http's work after the handler: flushing the answer, and draining the body.
func (w *pacedWriter) finishDeadline() {
	w.startDeadline()
	w.extendDeadline()
}
