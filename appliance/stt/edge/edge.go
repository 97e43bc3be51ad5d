// Package edge is what every request passes on its way in and out: its id, its line in the log, the net under a
// panic, and the body of its failure.
//
// It knows HTTP and FastAPI's bodies ({"detail": …}); it knows no route, no key and no audio. A face of the listener
// with another envelope (/api/v1) wraps HandleError by path.
//
// Choices where the contract is silent: a panic after the first byte of an answer cuts the connection, because an
// answer that only looks whole is worse; a client that went away is logged with nginx's status 499; an upload that is
// refused early is still read for some seconds, so that a client that writes before it reads sees the answer.
package edge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/stt/form"
)

// StatusClientGone is what the log and the metrics call a request whose client went away before its answer.
const StatusClientGone = 499

// Problem is a failure as the client sees it. Err is the cause, for the log only.
type Problem struct {
	Status     int
	Detail     any           // a sentence, or a list of violations
	RetryAfter time.Duration // 0 = no such header
	Challenge  string        // WWW-Authenticate; empty = no such header
	Err        error
}

func (p *Problem) Error() string {
	if p.Err != nil {
		return fmt.Sprintf("%d %v: %v", p.Status, p.Detail, p.Err)
	}
	return fmt.Sprintf("%d %v", p.Status, p.Detail)
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Detail is the body of every failure.
type Detail struct {
	Detail any `json:"detail"`
}

// HandleError writes err's answer, unless one is on its way already or nobody is there to read it.
func HandleError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	p := ProblemOf(err, c.Request().Context())
	if p.Status == StatusClientGone {
		c.Response().Status = StatusClientGone
		return
	}
	h := c.Response().Header()
	if p.Challenge != "" {
		h.Set(echo.HeaderWWWAuthenticate, p.Challenge)
	}
	if p.RetryAfter > 0 {
		h.Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
	}
	answer(c, p)
}

// ProblemOf is what the client of a request with context ctx sees of err.
func ProblemOf(err error, ctx context.Context) *Problem { //nolint:revive // the error is the subject here
	var (
		p   *Problem
		bad form.Invalid
		he  *echo.HTTPError
	)
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &bad):
		return &Problem{Status: http.StatusUnprocessableEntity, Detail: bad}
	case errors.Is(err, form.ErrBroken), errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return &Problem{Status: StatusClientGone}
	case errors.As(err, &he):
		return &Problem{Status: he.Code, Detail: http.StatusText(he.Code)}
	}
	return &Problem{Status: http.StatusInternalServerError, Detail: http.StatusText(http.StatusInternalServerError)}
}

// answer writes the body. What still comes in of a refused upload is read and thrown away behind it; the answer has a
// length, so that its client need not wait for that.
func answer(c echo.Context, p *Problem) {
	w, r := c.Response(), c.Request()
	if r.Method == http.MethodHead {
		w.WriteHeader(p.Status)
		return
	}
	body, err := json.Marshal(Detail{p.Detail})
	if err != nil {
		p.Status, body = http.StatusInternalServerError, []byte(`{"detail":"Internal Server Error"}`)
	}
	w.Header().Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	unread := r.ContentLength != 0 && r.Method != http.MethodGet
	control := http.NewResponseController(w)
	if unread {
		_ = control.EnableFullDuplex() // HTTP/1: write first, then go on reading; HTTP/2 always may
	}
	if err := c.JSONBlob(p.Status, body); err != nil {
		return // the client is gone
	}
	if unread {
		linger(control, r)
	}
}
