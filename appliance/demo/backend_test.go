package demo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/demo"
	"munadi/ui/component"
)

const goodKey = "mnd_test_0123456789abcdef"

// receivedUpload is a request to the fake service.
type receivedUpload struct {
	path, name string
	body       []byte
	fields     map[string]string
	session    string
}

// fakeBackend is a fake STT service with one transcript, which it streams in pieces.
type fakeBackend struct {
	*httptest.Server
	// gate, if set, releases one piece of a stream for each value received.
	gate chan struct{}
	// answer, if set, replaces every transcription.
	answer func(w http.ResponseWriter, r *http.Request)

	mu      sync.Mutex
	uploads []receivedUpload
}

func newBackend(t *testing.T) *fakeBackend {
	t.Helper()
	b := &fakeBackend{}
	e := echo.New()
	err := demo.MountDemo(e, demo.Dependencies{Version: "0.1.0-test", Model: component.ModelCard{Name: "svc-stt"}, MaxBytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	e.POST("/compat/v1/audio/transcriptions", b.serveTranscription)
	e.GET("/compat/v1/models", func(c echo.Context) error {
		if c.Request().Header.Get("Authorization") != "Bearer "+goodKey {
			return c.JSON(http.StatusUnauthorized, map[string]string{"detail": "Invalid API key"})
		}
		return c.JSON(http.StatusOK, map[string]any{"object": "list", "data": []any{}})
	})
	e.POST("/debug/decode", b.decodeDebug)
	b.Server = httptest.NewServer(e)
	t.Cleanup(func() {
		b.CloseClientConnections()
		b.Close()
	})
	return b
}

// addressUnder returns the server's address under another host name, which the browser resolves to it.
func (b *fakeBackend) addressUnder(t *testing.T, host string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(b.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + net.JoinHostPort(host, port)
}

func (b *fakeBackend) receivedUploads() []receivedUpload {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]receivedUpload(nil), b.uploads...)
}

func (b *fakeBackend) keepUpload(c echo.Context) error {
	file, err := c.FormFile("file")
	if err != nil {
		return err
	}
	f, err := file.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	body, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	u := receivedUpload{path: c.Path(), name: file.Filename, body: body, fields: map[string]string{}}
	u.session = c.Request().Header.Get("x-session-id")
	for name, values := range c.Request().MultipartForm.Value {
		u.fields[name] = values[0]
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.uploads = append(b.uploads, u)
	return nil
}

func answerUnauthorized(c echo.Context) bool {
	return c.Request().Header.Get("Authorization") != "Bearer "+goodKey
}

func (b *fakeBackend) serveTranscription(c echo.Context) error {
	c.Response().Header().Set("X-Request-Id", "3e1c1f0e-1f2a-4a57-9a41-0d2f5c1f7b11")
	if b.answer != nil {
		b.answer(c.Response(), c.Request())
		return nil
	}
	if answerUnauthorized(c) {
		return c.JSON(http.StatusUnauthorized, map[string]string{"detail": "Invalid API key"})
	}
	if err := b.keepUpload(c); err != nil {
		return err
	}
	mode := c.Request().Header.Get("x-session-mode")
	c.Response().Header().Set("x-session-mode", mode)
	if c.FormValue("stream") == "true" {
		return b.streamTranscription(c)
	}
	return c.JSON(http.StatusOK, fakeTranscript())
}

func (b *fakeBackend) streamTranscription(c echo.Context) error {
	h := c.Response()
	h.Header().Set("Content-Type", "text/event-stream")
	send := func(v any) {
		data, err := json.Marshal(v)
		if err != nil {
			return
		}
		fmt.Fprintf(h, "data: %s\n\n", data)
		h.Flush()
	}
	h.WriteHeader(http.StatusOK)
	h.Flush()
	for i, s := range fakeTranscript().Segments {
		if b.gate != nil {
			select {
			case <-b.gate:
			case <-c.Request().Context().Done():
				return nil
			}
		}
		delta := s.Text
		if i > 0 {
			delta = " " + delta
		}
		send(map[string]any{"type": "transcript.text.delta", "delta": delta})
	}
	done := map[string]any{
		"type": "transcript.text.done", "text": fakeTranscript().Text,
		"usage":    map[string]any{"type": "duration", "seconds": fakeTranscript().Duration},
		"duration": fakeTranscript().Duration, "segments": fakeTranscript().Segments, "words": fakeTranscript().Words,
	}
	if c.FormValue("channels") == "separate" {
		done["segments"] = []any{
			map[string]any{"id": 0, "start": 0, "end": 2, "text": "a b", "channel": 0},
			map[string]any{"id": 1, "start": 1, "end": 3, "text": "c d", "channel": 1},
		}
		done["words"] = []any{
			map[string]any{"word": "a", "start": 0, "end": 1, "channel": 0},
			map[string]any{"word": "c", "start": 1, "end": 1.5, "channel": 1},
			map[string]any{"word": "b", "start": 1.4, "end": 1.8, "channel": 0},
			map[string]any{"word": "d", "start": 2, "end": 3, "channel": 1},
		}
	}
	send(done)
	return nil
}

func (b *fakeBackend) decodeDebug(c echo.Context) error {
	if answerUnauthorized(c) {
		return c.JSON(http.StatusUnauthorized, map[string]string{"detail": "Invalid API key"})
	}
	if err := b.keepUpload(c); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, debugReadings())
}

// answerFailure answers with a status and a JSON body.
func answerFailure(status int, body string, headers ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.Copy(w, bytes.NewBufferString(body))
	}
}
