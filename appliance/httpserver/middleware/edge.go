// Package middleware is the HTTP middleware that every request passes: request id, access log, panic recovery, error
// handling, slow-client timeouts, security headers and HEAD.
//
// It handles HTTP and FastAPI's error bodies ({"detail": …}), independent of routes, keys and audio. An API with
// another error envelope (/api/v1) writes its own failures, chosen by path: see [ErrorFace].
//
// Choices that the contract leaves open: a panic after the first byte of an answer closes the connection, because an
// answer that only looks complete is worse; a client that disconnected is logged with nginx's status 499; an upload
// that is refused early is still read for some seconds, so that a client that writes before it reads sees the answer.
// A body may take any time as long as it makes progress: one that stalls for a minute, or arrives with less than 500
// bytes a second, is given up (408), and a client that stalls while reading its answer is disconnected.
package middleware

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/multipartform"
	"munadi/store"
)

// StatusClientGone is nginx's status 499, client closed request: in the log and the metrics, a request whose client
// disconnected before its answer.
const StatusClientGone = 499

// NoRoom is the detail of the 503 that clients get while the disk is full or read-only (ENOSPC, EROFS); the cause is
// in the operator's log only.
const NoRoom = "Nothing can be stored at the moment: the service's disk is full or read-only"

// retryNoRoom is the Retry-After of such an answer.
const retryNoRoom = time.Minute

// HTTPProblem is a failure as the client sees it. Err is the cause, for the log only.
type HTTPProblem struct {
	Status     int
	Detail     any           // a sentence, or a list of violations
	RetryAfter time.Duration // 0 = no such header
	Challenge  string        // WWW-Authenticate; empty = no such header
	Err        error
}

func (p *HTTPProblem) Error() string {
	if p.Err != nil {
		return fmt.Sprintf("%d %v: %v", p.Status, p.Detail, p.Err)
	}
	return fmt.Sprintf("%d %v", p.Status, p.Detail)
}

// Unwrap returns the cause.
func (p *HTTPProblem) Unwrap() error { return p.Err }

// problemDetail is the body of every failure.
type problemDetail struct {
	Detail any `json:"detail"`
}

// ErrorFace is an API of the listener with its own format of error responses.
type ErrorFace struct {
	Root string // it and all paths below it
	Type string // media type of the bodies; empty: JSON
	// Explain returns an error's status and body; it may set headers itself. An [*HTTPProblem] of this package
	// arrives as an [*echo.HTTPError] of the same status and sentence.
	Explain func(c echo.Context, err error) (status int, body []byte)
}

func (f ErrorFace) ownsPath(path string) bool {
	rest, found := strings.CutPrefix(path, f.Root)
	return found && (rest == "" || rest[0] == '/')
}

// ErrorHandler returns an error handler that writes {"detail": …}, except below the paths of faces, which write their
// own bodies.
func ErrorHandler(faces ...ErrorFace) echo.HTTPErrorHandler {
	return func(err error, c echo.Context) {
		if c.Response().Committed {
			return
		}
		p := ProblemOf(err, c.Request().Context())
		if p.Status == StatusClientGone {
			abortConnection(c)
			return
		}
		h := c.Response().Header()
		if p.Challenge != "" {
			h.Set(echo.HeaderWWWAuthenticate, p.Challenge)
		}
		if p.RetryAfter > 0 {
			h.Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
		}
		for _, face := range faces {
			if face.ownsPath(c.Request().URL.Path) {
				status, body := face.Explain(c, asProblem(err, p))
				writeResponse(c, status, cmp.Or(face.Type, echo.MIMEApplicationJSON), body)
				return
			}
		}
		status, body := p.responseBody()
		writeResponse(c, status, echo.MIMEApplicationJSON, body)
	}
}

// asProblem converts err into an [*echo.HTTPError], which a face can read.
func asProblem(err error, p *HTTPProblem) error {
	if _, ok := errors.AsType[*HTTPProblem](err); ok {
		return &echo.HTTPError{Code: p.Status, Message: p.Detail, Internal: p.Err}
	}
	return err
}

// ProblemOf converts err into the failure that the client of a request with context ctx sees.
func ProblemOf(err error, ctx context.Context) *HTTPProblem { //nolint:revive // the error is the subject here
	var (
		p   *HTTPProblem
		bad multipartform.ValidationError
		he  *echo.HTTPError
	)
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &bad):
		return &HTTPProblem{Status: http.StatusUnprocessableEntity, Detail: bad}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &HTTPProblem{Status: http.StatusRequestTimeout, Detail: "The request body arrived too slowly"}
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &p):
		return p // the request was cancelled for a reason that is reported to its client
	case errors.Is(err, multipartform.ErrBroken), errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return &HTTPProblem{Status: StatusClientGone}
	case errors.As(err, &he):
		return &HTTPProblem{Status: he.Code, Detail: http.StatusText(he.Code)}
	case store.IsNoRoom(err):
		return &HTTPProblem{Status: http.StatusServiceUnavailable, Detail: NoRoom, RetryAfter: retryNoRoom}
	}
	if store.CodeOf(err) == store.CodeUnavailable {
		return &HTTPProblem{
			Status: http.StatusServiceUnavailable, Detail: "The database does not answer", RetryAfter: retryNoRoom,
		}
	}
	return &HTTPProblem{Status: http.StatusInternalServerError, Detail: http.StatusText(http.StatusInternalServerError)}
}

func (p *HTTPProblem) responseBody() (int, []byte) {
	body, err := json.Marshal(problemDetail{p.Detail})
	if err != nil {
		return http.StatusInternalServerError, []byte(`{"detail":"Internal Server Error"}`)
	}
	return p.Status, body
}

// abortConnection ends a request whose client has disconnected (499 in the log). It answers 400, because a client
// that closed only its sending side is still reading and must not take an empty answer for success.
func abortConnection(c echo.Context) {
	w := c.Response()
	w.Header().Set(echo.HeaderConnection, "close")
	w.Writer.WriteHeader(http.StatusBadRequest)
	w.Status = StatusClientGone
}

// writeResponse writes the body with its length, then drains what still arrives of a refused upload (lingering
// close); because of the Content-Length the client need not wait for that. The connection is then closed, not kept
// alive: after a broken body it is not certain where the next request begins (request smuggling).
func writeResponse(c echo.Context, status int, kind string, body []byte) {
	w, r := c.Response(), c.Request()
	rest := hasUnreadBody(c)
	if rest && r.ProtoMajor == 1 {
		w.Header().Set(echo.HeaderConnection, "close")
	}
	w.Header().Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		w.Header().Set(echo.HeaderContentType, kind)
		w.WriteHeader(status)
		return
	}
	control := http.NewResponseController(w)
	if rest {
		_ = control.EnableFullDuplex() // HTTP/1: allows reading after writing; HTTP/2 always does
	}
	if err := c.Blob(status, kind, body); err != nil {
		return // the client is gone
	}
	if rest && !isBodyBroken(c) {
		drainBody(control, r)
	}
}
