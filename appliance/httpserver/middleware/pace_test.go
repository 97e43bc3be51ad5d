package middleware_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
)

// slowClient is a client's connection that sends one byte, and accepts one piece of a response, per interval.
type slowClient struct {
	http.ResponseWriter
	brings, takes time.Duration
	left          int // bytes of the body
	read, write   time.Time
}

func (l *slowClient) SetReadDeadline(t time.Time) error  { l.read = t; return nil }
func (l *slowClient) SetWriteDeadline(t time.Time) error { l.write = t; return nil }
func (*slowClient) FlushError() error                    { return nil }
func (*slowClient) Close() error                         { return nil }

// waitDeadline waits for the deadline.
func waitDeadline(d time.Duration, deadline time.Time) error {
	if left := time.Until(deadline); !deadline.IsZero() && left < d {
		time.Sleep(left)
		return os.ErrDeadlineExceeded
	}
	time.Sleep(d)
	return nil
}

func (l *slowClient) Read(p []byte) (int, error) {
	if l.left == 0 {
		return 0, io.EOF
	}
	if err := waitDeadline(l.brings, l.read); err != nil {
		return 0, err
	}
	l.left--
	p[0] = 'x'
	return 1, nil
}

func (l *slowClient) Write(p []byte) (int, error) {
	if err := waitDeadline(l.takes, l.write); err != nil {
		return 0, err
	}
	return l.ResponseWriter.Write(p)
}

// serveHandler runs a handler on the connection.
func (l *slowClient) serveHandler(h echo.HandlerFunc) *httptest.ResponseRecorder {
	e := echo.New()
	e.HTTPErrorHandler = middleware.ErrorHandler()
	e.Use(middleware.PaceClients)
	e.POST("/", h)
	w := httptest.NewRecorder()
	l.ResponseWriter = w
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Body = l
	e.ServeHTTP(l, r)
	return w
}

func readAll(c echo.Context) error {
	b, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, strings.Repeat("y", len(b)))
}

func TestSlowBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		every  time.Duration
		bytes  int
		status int
		at     time.Duration // when it is over
	}{
		{"moves", time.Millisecond, 200_000, 200, 200 * time.Second},
		{"slow, but short", 50 * time.Second, 1, 200, 50 * time.Second},
		{"stands still", 61 * time.Second, 10, 408, time.Minute},
		{"trickles", time.Second, 1000, 408, time.Minute + 120*time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began, l := time.Now(), &slowClient{brings: c.every, left: c.bytes}
				w := l.serveHandler(readAll)
				if w.Code != c.status || c.status == 200 && w.Body.Len() != c.bytes {
					t.Errorf("%d with %d bytes", w.Code, w.Body.Len())
				}
				if took := time.Since(began); took < c.at || took > c.at+time.Second {
					t.Errorf("after %v, want %v", took, c.at)
				}
				if c.status == 200 && !l.read.IsZero() {
					t.Error("the deadline outlasts the body")
				}
			})
		})
	}
}

// TestSlowReaders checks that a response of 1 MiB is written in pieces, each of which may take a minute.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	answer := bytes.Repeat([]byte{'z'}, 1<<20)
	for takes, whole := range map[time.Duration]bool{50 * time.Second: true, 61 * time.Second: false} {
		synctest.Test(t, func(t *testing.T) {
			l := &slowClient{takes: takes}
			var failed error
			w := l.serveHandler(func(c echo.Context) error {
				_, failed = c.Response().Write(answer)
				return nil
			})
			if (failed == nil) != whole || whole != bytes.Equal(w.Body.Bytes(), answer) {
				t.Errorf("%v a piece: %v after %d bytes", takes, failed, w.Body.Len())
			}
			if !whole && !errors.Is(failed, os.ErrDeadlineExceeded) {
				t.Error(failed)
			}
			if l.write.IsZero() {
				t.Error("what net/http sends afterwards has no deadline")
			}
		})
	}
}

// TestOwnWriteDeadline checks that a handler's own deadline is not changed.
func TestOwnWriteDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &slowClient{takes: 2 * time.Second}
		l.serveHandler(func(c echo.Context) error {
			control := http.NewResponseController(c.Response())
			_ = control.SetWriteDeadline(time.Now().Add(time.Second))
			if _, err := c.Response().Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error(err)
			}
			_ = control.SetWriteDeadline(time.Time{})
			_, err := c.Response().Write([]byte("x"))
			return err
		})
		if time.Until(l.write) < 50*time.Second {
			t.Errorf("the deadline is %v ahead", time.Until(l.write))
		}
	})
}

// TestRestOfARefusedBody checks that an unread body is drained for a short time, so that the connection does not hang
// after its response.
func TestRestOfARefusedBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &slowClient{left: 10}
		l.serveHandler(func(c echo.Context) error {
			if err := c.NoContent(http.StatusNoContent); err != nil {
				return err
			}
			if c.Request().Body != l {
				t.Error("net/http does not find its own body")
			}
			return nil
		})
		if ahead := time.Until(l.read); ahead <= 0 || ahead > 10*time.Second {
			t.Errorf("the deadline is %v ahead", ahead)
		}
	})
}
