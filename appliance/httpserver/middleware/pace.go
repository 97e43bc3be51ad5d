package middleware

import (
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// How slow a client may be. An upload over the worst of mobile lines takes hours and still moves; a client that
// trickles a byte now and then only holds a connection.
const (
	stillTime = time.Minute // a body or an answer may stand still so long
	leastRate = 500         // bytes a second of a body, on average after the first minute; Apache's MinRate
	pieceSize = 32 << 10    // bytes of an answer that must go in stillTime
	restTime  = 5 * time.Second
)

// PaceClients cuts off clients that send their body, or take their answer, too slowly. A handler that sets a write deadline
// of its own has it in force until it sets none again.
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

// hasUnreadBody says that the request's body has not been read to its end.
func hasUnreadBody(c echo.Context) bool {
	if b, known := c.Get(bodyKey).(*pacedBody); known {
		return !b.ended
	}
	return c.Request().ContentLength != 0 && c.Request().Method != http.MethodGet
}

// isBodyBroken says that nothing more can be read of the request's body.
func isBodyBroken(c echo.Context) bool {
	b, known := c.Get(bodyKey).(*pacedBody)
	return known && b.failed
}

// pacedBody gives each read a deadline.
type pacedBody struct {
	io.ReadCloser
	request *http.Request
	control *http.ResponseController
	began   time.Time // first read
	got     int64     // bytes
	ended   bool
	failed  bool
}

// Read implements [io.Reader]. No deadline may outlast the body: net/http then watches the silent connection for a
// client that leaves, and would take an old deadline for one.
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

// restoreBody gives the request its own body back when the answer begins: net/http wants to know it, and reads what is left
// of it, for which it has a moment.
func (b *pacedBody) restoreBody() {
	b.request.Body = b.ReadCloser
	if !b.ended {
		_ = b.control.SetReadDeadline(time.Now().Add(restTime))
	}
}

// pacedWriter gives each write a deadline.
type pacedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	body    *pacedBody // until the answer begins
	own     bool       // the handler's deadline counts
}

// Unwrap is for [http.ResponseController].
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

// FlushError is for [http.ResponseController].
func (w *pacedWriter) FlushError() error {
	w.startDeadline()
	w.extendDeadline()
	return w.control.Flush()
}

// SetWriteDeadline is for [http.ResponseController].
func (w *pacedWriter) SetWriteDeadline(t time.Time) error {
	w.own = !t.IsZero()
	return w.control.SetWriteDeadline(t)
}

func (w *pacedWriter) extendDeadline() {
	if !w.own {
		_ = w.control.SetWriteDeadline(time.Now().Add(stillTime)) // a writer without deadlines never blocks
	}
}

// finishDeadline bounds what net/http does afterwards: it sends the answer's end, and reads the body's.
func (w *pacedWriter) finishDeadline() {
	w.startDeadline()
	w.extendDeadline()
}
