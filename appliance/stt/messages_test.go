package stt_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"munadi/engine"
)

// TestBodiesThatAreNoForm: a compressed body is 415 and names what is accepted; any other body that is no form, a bare
// recording included, has no file.
func TestBodiesThatAreNoForm(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	for _, c := range []struct {
		kind, coding string
		status       int
		says         string
	}{
		{"audio/wav", "", 422, `"missing"`},
		{"audio/webm;codecs=opus", "", 422, `"missing"`},
		{"AUDIO/MPEG", "", 422, `"missing"`},
		{"multipart/form-data; boundary=b", "gzip", 415, "Content-Encoding gzip is not accepted: send the body as it is"},
		{"application/json", "br", 415, "Content-Encoding br"},
		{"multipart/form-data; boundary=b", "identity", 422, `"missing"`},
		{"application/json", "", 422, `"missing"`},
		{"application/octet-stream", "", 422, `"missing"`},
		{"", "", 422, `"missing"`},
	} {
		for _, path := range []string{transcriptions, jobs, "/debug/decode"} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader("RIFF1234WAVE"))
			r.Header.Set("Content-Type", c.kind)
			r.Header.Set("Authorization", "Bearer one")
			if c.coding != "" {
				r.Header.Set("Content-Encoding", c.coding)
			}
			if w := b.answerRequest(t, r); w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("%s, %q %q: %d %s", path, c.kind, c.coding, w.Code, w.Body)
			}
			r = httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader("RIFF1234WAVE"))
			r.Header.Set("Content-Type", "audio/wav")
			if w := b.answerRequest(t, r); w.Code != 401 {
				t.Errorf("%s without a key: %d", path, w.Code)
			}
		}
	}
}

// TestAbortRequests: a stop whose grace is over ends a stream with an error event, and another request with 503.
func TestAbortRequests(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	begun := make(chan struct{}, 2)
	b.hears.transcribe = func(ctx context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		mustSucceed(t, o.OnSegment(newSegment(0, "أهلا")))
		begun <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	_, r := b.listenEvents(t, formFields{"file": "sound", "stream": "true"})
	plain := make(chan *httptest.ResponseRecorder)
	go func() { plain <- b.postForm(t, transcriptions, formFields{"file": "sound"}) }()
	<-begun
	<-begun
	b.AbortRequests()
	nextEvent(t, r)
	e := nextEvent(t, r)
	content, _ := e.data["error"].(map[string]any)
	if e.name != "error" || e.data["type"] != "error" || content["message"] != "The service is shutting down" {
		t.Errorf("the stream ended with %s %v", e.name, e.data)
	}
	if w := <-plain; w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("the other request: %d %s", w.Code, w.Body)
	}
}

// TestLogprobs: on request they come in OpenAI's shape, in json and in the events of a stream; their joined tokens are
// the text.
func TestLogprobs(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.says = []string{"مرحبا بكم", "", "أهلا"}
	var body struct {
		Text     string
		Logprobs []struct {
			Token   string
			Bytes   []int
			Logprob float64
		}
	}
	w := b.postForm(t, transcriptions, formFields{"file": "sound", "include[]": "logprobs"})
	mustSucceed(t, json.Unmarshal(w.Body.Bytes(), &body))
	text := ""
	for _, l := range body.Logprobs {
		raw := make([]byte, len(l.Bytes))
		for i, v := range l.Bytes {
			raw[i] = byte(v)
		}
		if string(raw) != l.Token || l.Logprob > -0.105 || l.Logprob < -0.106 {
			t.Errorf("got %+v", l)
		}
		text += l.Token
	}
	if text != "مرحبا بكم أهلا" || body.Text != text {
		t.Errorf("joined %q of %s", text, w.Body)
	}
	_, r := b.listenEvents(t, formFields{"file": "sound", "include[]": "logprobs", "stream": "true"})
	for e := nextEvent(t, r); e != nil; e = nextEvent(t, r) {
		joined := ""
		for _, l := range e.data["logprobs"].([]any) {
			joined += l.(map[string]any)["token"].(string)
		}
		if joined != e.data["delta"] && joined != e.data["text"] {
			t.Errorf("joined %q of %v", joined, e.data)
		}
	}
	b.hears.says = nil
	if w := b.postForm(t, transcriptions, formFields{"file": "sound", "include[]": "logprobs"}); !strings.Contains(w.Body.String(), `"logprobs":[]`) {
		t.Errorf("silence: %s", w.Body)
	}
	if w := b.postForm(t, transcriptions, formFields{"file": "sound", "include[]": "thoughts"}); w.Code != 422 {
		t.Errorf("an unknown inclusion: %d %s", w.Code, w.Body)
	}
	if w := b.postForm(t, transcriptions, formFields{"file": "sound"}); strings.Contains(w.Body.String(), "logprobs") {
		t.Errorf("unasked: %s", w.Body)
	}
}
