package stt_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"munadi/engine"
	"munadi/engine/audio"
)

// sseEvent is one server-sent event as a client sees it.
type sseEvent struct {
	name string
	data map[string]any
}

// nextEvent reads one event, comments skipped; nil at the end of the stream.
func nextEvent(t *testing.T, r *bufio.Reader) *sseEvent {
	t.Helper()
	e := &sseEvent{}
	for {
		line, err := r.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" {
			return nil
		}
		mustSucceed(t, err)
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" && e.data != nil:
			return e
		case strings.HasPrefix(line, "data: "):
			mustSucceed(t, json.Unmarshal([]byte(line[6:]), &e.data))
		case strings.HasPrefix(line, "event: "):
			e.name = line[7:]
		}
	}
}

func (b *sttFixture) listenEvents(t *testing.T, f formFields) (*http.Response, *bufio.Reader) {
	t.Helper()
	ts := httptest.NewServer(b.echo)
	t.Cleanup(ts.Close)
	r := newRequest(t, ts.URL+transcriptions, f)
	r.RequestURI = ""
	res, err := ts.Client().Do(r)
	mustSucceed(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	return res, bufio.NewReader(res.Body)
}

// TestStream: each piece arrives while the next is still being decoded, and the joined deltas are the final text.
func TestStream(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]formFields{
		"field":       {"file": "sound", "stream": "true"},
		"header":      {"file": "sound", "ACCEPT": "text/event-stream"},
		"both":        {"file": "sound", "stream": "True", "ACCEPT": "application/json, text/event-stream;q=0.5", "response_format": "text"},
		"header wins": {"file": "sound", "stream": "false", "ACCEPT": "text/event-stream"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newSTTFixture(t)
			goOn := make(chan struct{})
			b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
				mustSucceed(t, o.OnSegment(newSegment(0, "أهلا")))
				<-goOn
				mustSucceed(t, o.OnSegment(newSegment(1, "")))
				mustSucceed(t, o.OnSegment(newSegment(2, "وسهلا")))
				return &engine.Result{Duration: 3.2}, nil
			}
			res, r := b.listenEvents(t, f)
			if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("X-Session-Mode") != "default" {
				t.Errorf("%d %v", res.StatusCode, res.Header)
			}
			joined := ""
			first := nextEvent(t, r)
			close(goOn)
			for e := first; ; e = nextEvent(t, r) {
				if e == nil {
					t.Fatal("the stream ended without its done event")
				}
				if e.data["type"] != "transcript.text.delta" {
					u := e.data["usage"].(map[string]any)
					if e.data["type"] != "transcript.text.done" || e.data["text"] != joined || u["seconds"] != 4.0 || u["type"] != "duration" {
						t.Errorf("after %q came %v", joined, e.data)
					}
					break
				}
				joined += e.data["delta"].(string)
			}
			if joined != "أهلا وسهلا" || nextEvent(t, r) != nil {
				t.Errorf("got %q, and the stream must end there", joined)
			}
		})
	}
}

func TestNoStreamUnlessAsked(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	for _, accept := range []string{"*/*", "application/json", "text/event-stream;q=0", "text/*, text/event-stream; q=0.000"} {
		w := b.postForm(t, transcriptions, formFields{"file": "sound", "ACCEPT": accept})
		if got := w.Header().Get("Content-Type"); got != "application/json" {
			t.Errorf("Accept: %s: %s", accept, got)
		}
	}
}

// TestStreamFails: before the first byte a failure is a status, after it an event that OpenAI's clients raise.
func TestStreamFails(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	broken := &audio.DecodeError{Code: audio.CodeDecode, Message: "the WAV recording breaks off"}
	says := false
	b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		if says {
			mustSucceed(t, o.OnSegment(newSegment(0, "أهلا")))
		}
		return nil, broken
	}
	if w := b.postForm(t, transcriptions, formFields{"file": "sound", "stream": "1"}); w.Code != 422 || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("before the first byte: %d %s", w.Code, w.Body)
	}
	says = true
	_, r := b.listenEvents(t, formFields{"file": "sound", "stream": "1"})
	nextEvent(t, r)
	e := nextEvent(t, r)
	content, _ := e.data["error"].(map[string]any)
	if e.name != "error" || e.data["type"] != "error" || content["code"] != "audio_decode_error" || content["message"] != broken.Message {
		t.Errorf("got %s %v", e.name, e.data)
	}
	if nextEvent(t, r) != nil {
		t.Error("something follows the error")
	}
}

// TestClientGoes: the work of a disconnected client is cancelled at once, streaming or not.
func TestClientGoes(t *testing.T) {
	t.Parallel()
	for _, stream := range []string{"true", "false"} {
		t.Run(stream, func(t *testing.T) {
			t.Parallel()
			b := newSTTFixture(t)
			begun, ended := make(chan struct{}), make(chan struct{})
			b.hears.transcribe = func(ctx context.Context, _ engine.SampleSource, _ engine.TranscribeOptions) (*engine.Result, error) {
				close(begun)
				<-ctx.Done()
				close(ended)
				return nil, ctx.Err()
			}
			ts := httptest.NewServer(b.echo)
			defer ts.Close()
			ctx, leave := context.WithCancel(t.Context())
			r := newRequest(t, ts.URL+transcriptions, formFields{"file": strings.Repeat("sound", 100_000), "stream": stream}).WithContext(ctx)
			r.RequestURI = ""
			go func() {
				<-begun
				leave()
			}()
			if res, err := ts.Client().Do(r); err == nil {
				_ = res.Body.Close()
				t.Error("an answer to a client that left")
			}
			select {
			case <-ended:
			case <-time.After(2 * time.Minute):
				t.Error("the work goes on")
			}
		})
	}
}

// TestHeartbeat: a stream that hears nothing for long shows that it lives.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.SetHeartbeat(time.Millisecond)
	enough := make(chan struct{})
	b.hears.transcribe = func(context.Context, engine.SampleSource, engine.TranscribeOptions) (*engine.Result, error) {
		<-enough
		return &engine.Result{}, nil
	}
	_, r := b.listenEvents(t, formFields{"file": "sound", "stream": "true"})
	for range 3 {
		line, err := r.ReadString('\n')
		mustSucceed(t, err)
		if !strings.HasPrefix(line, ":") && line != "\n" {
			t.Errorf("got %q", line)
		}
	}
	close(enough)
	if e := nextEvent(t, r); e == nil || e.data["type"] != "transcript.text.done" {
		t.Errorf("got %v", e)
	}
}

// A stream with verbose_json gets the words' times in its last event; others do not.
func TestStreamSaysWhereOnRequest(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]bool{"json": false, "verbose_json": true} {
		b := newSTTFixture(t)
		b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
			mustSucceed(t, o.OnSegment(newSegment(0, "أهلا")))
			return &engine.Result{Duration: 3.2}, nil
		}
		_, r := b.listenEvents(t, formFields{"file": "sound", "stream": "true", "response_format": format})
		nextEvent(t, r)
		done := nextEvent(t, r).data
		segments, ok := done["segments"].([]any)
		if ok != want || (want && (len(segments) != 1 || done["duration"] != 3.2)) {
			t.Errorf("%s: %v", format, done)
		}
	}
}
