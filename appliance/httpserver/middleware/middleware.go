package middleware

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/excerpt"
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

// requestIDOf returns the request id of c.
func requestIDOf(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }

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

// Bounds of the text in an access log line that a client chooses, in characters.
const (
	maxMethodLogged = 32
	maxPathLogged   = 256
	maxNoteLogged   = 512
)

// AddLogAttribute adds an attribute to the request's line in the access log; text and errors are truncated to
// maxNoteLogged characters. Never pass a secret: log whose key it is, not the key.
func AddLogAttribute(c echo.Context, key string, value any) {
	switch v := value.(type) {
	case string:
		value = excerpt.TruncateText(v, maxNoteLogged)
	case error:
		value = excerpt.TruncateText(v.Error(), maxNoteLogged)
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
				slog.String("request_id", requestIDOf(c)),
				slog.String("method", excerpt.TruncateText(r.Method, maxMethodLogged)),
				slog.String("path", excerpt.TruncateText(apimodel.MaskPath(r.URL.Path), maxPathLogged)),
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
				log.Error("connection cut", "request_id", requestIDOf(c), "error", err)
				panic(http.ErrAbortHandler) //nolint:forbidigo // the standard way to cut a connection
			}
			return err
		}
	}
}

// HeadAsGet answers HEAD on every route with GET and without HEAD (RFC 9110 §9.3.2): the GET handler runs, and net/http
// drops the body. The request's context ends once the headers are written, so that an SSE stream does not continue
// without a reader. The Allow header of an answer names HEAD beside GET. It must be the innermost middleware.
func HeadAsGet(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if c.Get(echo.ContextKeyHeaderAllow) != nil { // OPTIONS, or a 405
			c.Response().Before(func() { allowHead(c.Response().Header()) })
		}
		if r.Method != http.MethodHead || isRouted(c, http.MethodHead) {
			return next(c)
		}
		path := echo.GetPath(r)
		c.Echo().Router().Find(http.MethodGet, path, c)
		if !isRouted(c, http.MethodGet) {
			c.Echo().Router().Find(http.MethodHead, path, c)
			return next(c)
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		get := r.WithContext(ctx)
		get.Method = http.MethodGet
		c.Response().Before(cancel)
		c.SetRequest(get)
		defer c.SetRequest(r) // for the log
		return c.Handler()(c)
	}
}

// allowHead adds HEAD to an Allow header with GET.
func allowHead(h http.Header) {
	methods := strings.Split(h.Get(echo.HeaderAllow), ", ")
	if at := slices.Index(methods, http.MethodGet); at >= 0 && !slices.Contains(methods, http.MethodHead) {
		h.Set(echo.HeaderAllow, strings.Join(slices.Insert(methods, at+1, http.MethodHead), ", "))
	}
}

// isRouted reports whether the matched route is registered for that method, and is not the not-found route.
func isRouted(c echo.Context, method string) bool {
	return slices.ContainsFunc(c.Echo().Routes(), func(r *echo.Route) bool {
		return r.Method == method && r.Path == c.Path()
	})
}

// lingerTime is how long the rest of a refused upload is read (nginx's lingering_close, lingering_timeout).
const lingerTime = 5 * time.Second

// drainBody reads the rest of the body after the answer has been sent (lingering close). Closing a socket with unread
// bytes makes TCP reset the connection, and the reset can overtake the answer.
func drainBody(control *http.ResponseController, r *http.Request) {
	if control.Flush() != nil || control.SetReadDeadline(time.Now().Add(lingerTime)) != nil {
		return
	}
	_, _ = io.Copy(io.Discard, r.Body) // ends with the connection
}

// SetSecurityHeaders sets the security headers of every answer (Content-Security-Policy, X-Content-Type-Options:
// nosniff, Referrer-Policy, Cache-Control: no-store …): no guessed type, no script, no frame, no referrer, no cached
// copy. An API or page that needs others overwrites them.
func SetSecurityHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	policy := strings.Join([]string{
		"default-src 'none'", "media-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'none'",
		"frame-ancestors 'none'",
	}, "; ")
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set(echo.HeaderContentSecurityPolicy, policy)
		h.Set(echo.HeaderXContentTypeOptions, "nosniff")
		h.Set(echo.HeaderReferrerPolicy, "no-referrer")
		h.Set(echo.HeaderCacheControl, "no-store")
		return next(c)
	}
}
