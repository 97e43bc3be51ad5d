package middleware

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/recovery"
	"munadi/store"
)

// RequestID sets X-Request-Id on every answer: the client's own when that is a UUID, else a new one.
func RequestID(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := c.Request().Header.Get(echo.HeaderXRequestID)
		if len(id) != len(uuid.Nil.String()) || uuid.Validate(id) != nil {
			id = uuid.NewString()
		}
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		return next(c)
	}
}

// RequestIDOf returns the request id of c.
func RequestIDOf(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }

// CollectDamage lets the reads of a request collect the records that cannot be read, so that its answer says what is
// missing: see [store.DamageReportOf].
func CollectDamage(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, _ := store.CollectDamage(c.Request().Context())
		c.SetRequest(c.Request().WithContext(ctx))
		return next(c)
	}
}

// RequestObserver counts answered requests for the metrics; *metrics.Metrics is one.
type RequestObserver interface {
	CountRequest(method, route string, status int, took time.Duration)
}

// Bounds of the text in an access log line that a client chooses, in bytes.
const (
	maxMethodLogged = 32
	maxPathLogged   = 256
	maxNoteLogged   = 512
)

// clipText truncates text to at most n bytes of valid UTF-8 and marks the cut with an ellipsis.
func clipText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

// AddLogAttribute adds an attribute to the request's line in the access log; text and errors are truncated to
// maxNoteLogged bytes. Never pass a secret: log whose key it is, not the key.
func AddLogAttribute(c echo.Context, key string, value any) {
	switch v := value.(type) {
	case string:
		value = clipText(v, maxNoteLogged)
	case error:
		value = clipText(v.Error(), maxNoteLogged)
	}
	notes, _ := c.Get(notesKey).([]slog.Attr)
	c.Set(notesKey, append(notes, slog.Any(key, value)))
}

const notesKey = "munadi.log.notes"

// AccessLog writes one line for every request and counts it in the metrics. The query string is left out, since it
// may hold a token, a telephone number in the path is masked, and method and path are truncated. Errors are answered
// here, so that the line has the status that the client saw.
func AccessLog(log *slog.Logger, count RequestObserver) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			start := time.Now()
			err := next(c)
			if err != nil {
				c.Error(err)
			}
			took, w, r := time.Since(start), c.Response(), c.Request()
			count.CountRequest(r.Method, c.Path(), w.Status, took)
			notes, _ := c.Get(notesKey).([]slog.Attr)
			attrs := append([]slog.Attr{
				slog.String("request_id", RequestIDOf(c)),
				slog.String("method", clipText(r.Method, maxMethodLogged)),
				slog.String("path", clipText(apimodel.MaskPath(r.URL.Path), maxPathLogged)),
				slog.Int("status", w.Status),
				slog.Int64("bytes", w.Size),
				slog.Duration("took", took),
				slog.String("remote", r.RemoteAddr),
			}, notes...)
			level := slog.LevelInfo
			if w.Status >= http.StatusInternalServerError && err != nil && !isExpectedRefusal(err) {
				level = slog.LevelError
				attrs = append(attrs, slog.Any("error", err))
			}
			log.LogAttrs(context.WithoutCancel(r.Context()), level, "request", attrs...)
			return nil
		}
	}
}

// isExpectedRefusal reports whether an error is part of normal service (such as 503 during graceful shutdown) and not
// a fault to be logged as an error. An API's own errors answer for themselves by a method Meant.
func isExpectedRefusal(err error) bool {
	var (
		p   *HTTPProblem
		own interface{ Meant() bool }
	)
	if errors.As(err, &own) {
		return own.Meant()
	}
	return errors.As(err, &p) && p.Err == nil
}

// RecoverPanics turns a panic into a 500. A panic after the first byte of the answer closes the connection instead.
func RecoverPanics(log *slog.Logger) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			err := recovery.RecoverPanic(func() error { return next(c) })
			panicked, isPanic := errors.AsType[*recovery.PanicError](err)
			if isPanic && (panicked.Value == http.ErrAbortHandler || c.Response().Committed) { //nolint:errorlint // no error
				log.Error("connection cut", "request_id", RequestIDOf(c), "error", err)
				panic(http.ErrAbortHandler) //nolint:forbidigo // the standard way to cut a connection
			}
			return err
		}
	}
}
