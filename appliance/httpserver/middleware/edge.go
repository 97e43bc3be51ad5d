// Package middleware is what every request passes on its way in and out: its id, its line in the log, the net under a
// panic, and the body of its failure.
//
// It knows HTTP and FastAPI's bodies ({"detail": …}); it knows no route, no key and no audio. A face of the listener
// with another envelope (/api/v1) says its failures itself, by path: see [ErrorFace].
//
// Choices where the contract is silent: a panic after the first byte of an answer cuts the connection, because an
// answer that only looks whole is worse; a client that went away is logged with nginx's status 499; an upload that is
// refused early is still read for some seconds, so that a client that writes before it reads sees the answer. A body
// may take any time as long as it moves: one that stands still for a minute, or comes with less than 500 bytes a
// second, is given up (408), and so is a client that does not take its answer.
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

// StatusClientGone is what the log and the metrics call a request whose client went away before its answer.
const StatusClientGone = 499

// NoRoom is what clients are told while the disk takes nothing; what is wrong with it is for the operator.
const NoRoom = "Nothing can be stored at the moment: the service's disk is full or read-only"

// retryNoRoom is when they should try again.
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

// ProblemDetail is the body of every failure.
type ProblemDetail struct {
	Detail any `json:"detail"`
}

// HandleError writes err's answer, unless one is on its way already or nobody is there to read it.
func HandleError(err error, c echo.Context) { ErrorHandler()(err, c) }

// ErrorFace is a part of the listener whose failures have a body of their own.
type ErrorFace struct {
	Root string // it and all paths below it
	Type string // media type of the bodies; empty: JSON
	// Explain says an error's status and body. Headers it sets itself. A [*HTTPProblem] of the edge comes as an
	// [*echo.HTTPError] of the same status and sentence.
	Explain func(c echo.Context, err error) (status int, body []byte)
}

func (f ErrorFace) ownsPath(path string) bool {
	rest, found := strings.CutPrefix(path, f.Root)
	return found && (rest == "" || rest[0] == '/')
}

// ErrorHandler is HandleError, but for faces, which speak for themselves.
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

// asProblem is err in words that a face knows.
func asProblem(err error, p *HTTPProblem) error {
	var own *HTTPProblem
	if errors.As(err, &own) {
		return &echo.HTTPError{Code: p.Status, Message: p.Detail, Internal: p.Err}
	}
	return err
}

// ProblemOf is what the client of a request with context ctx sees of err.
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
		return &HTTPProblem{Status: http.StatusRequestTimeout, Detail: "The request came in too slowly"}
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &p):
		return p // the request was cancelled for a reason that its client is told
	case errors.Is(err, multipartform.ErrBroken), errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return &HTTPProblem{Status: StatusClientGone}
	case errors.As(err, &he):
		return &HTTPProblem{Status: he.Code, Detail: http.StatusText(he.Code)}
	case store.IsNoRoom(err):
		return &HTTPProblem{Status: http.StatusServiceUnavailable, Detail: NoRoom, RetryAfter: retryNoRoom}
	}
	return &HTTPProblem{Status: http.StatusInternalServerError, Detail: http.StatusText(http.StatusInternalServerError)}
}

func (p *HTTPProblem) responseBody() (int, []byte) {
	body, err := json.Marshal(ProblemDetail{p.Detail})
	if err != nil {
		return http.StatusInternalServerError, []byte(`{"detail":"Internal Server Error"}`)
	}
	return p.Status, body
}

// abortConnection ends a request whose client went away. Were it still there, as one that only closed its sending side is, it
// must not take silence for success.
func abortConnection(c echo.Context) {
	w := c.Response()
	w.Header().Set(echo.HeaderConnection, "close")
	w.Writer.WriteHeader(http.StatusBadRequest)
	w.Status = StatusClientGone
}

// writeResponse writes the body. What still comes in of a refused upload is read and thrown away behind it; the answer has a
// length, so that its client need not wait for that. The connection serves no further request then: where a body that
// broke off ends, and the next request begins, is a matter of opinion.
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
		_ = control.EnableFullDuplex() // HTTP/1: write first, then go on reading; HTTP/2 always may
	}
	if err := c.Blob(status, kind, body); err != nil {
		return // the client is gone
	}
	if rest && !isBodyBroken(c) {
		drainBody(control, r)
	}
}
