package stt_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/stt"
	"munadi/engine"
)

const transcriptions = "/compat/v1/audio/transcriptions"

// TestScenarios: what a client sends, the status it gets, what its body must and must not hold.
func TestScenarios(t *testing.T) {
	t.Parallel()
	ok := func(f formFields) formFields { f["file"] = "sound"; return f }
	cases := []struct {
		name   string
		f      formFields
		status int
		body   string // the whole of it, or with … a part
		header string
	}{
		{"json", ok(formFields{}), 200, `{"text":"مرحبا بكم","usage":{"type":"duration","seconds":4}}`, "X-Session-Mode: default"},
		{"json by name", ok(formFields{"response_format": "json", "model": "svc-stt", "language": "ar", "stream": "false"}), 200, `{"text":"مرحبا بكم",…`, "Content-Type: application/json"},
		{"empty values are null", ok(formFields{"response_format": "", "model": "", "stream": "", "temperature": "", "prompt": ""}), 200, `{"text":"مرحبا بكم",…`, ""},
		{"what OpenAI's clients send", ok(formFields{"timestamp_granularities[]": "word", "temperature": "0", "prompt": "x", "include[]": "logprobs", "chunking_strategy": "auto"}), 200, `{"text":"مرحبا بكم",…`, ""},
		{"text", ok(formFields{"response_format": "text"}), 200, "مرحبا بكم", "Content-Type: text/plain; charset=utf-8"},
		{"no key", ok(formFields{"AUTHORIZATION": ""}), 401, `{"detail":"Missing or invalid API key"}`, "Www-Authenticate: Bearer"},
		{"unknown key, invalid form", formFields{"AUTHORIZATION": "Bearer three"}, 401, `{"detail":"Missing or invalid API key"}`, "Www-Authenticate: Bearer"},
		{"wrong scope, invalid form", formFields{"AUTHORIZATION": "Bearer calls"}, 403, `{"detail":"This API key lacks the scope stt"}`, ""},
		{"store failure is not the key's fault", ok(formFields{"AUTHORIZATION": "Bearer broken"}), 500, `{"detail":"Internal Server Error"}`, ""},
		{"too large, invalid form", formFields{"file": strings.Repeat("a", 1<<20+1), "model": "x"}, 413, `{"detail":"The file is larger than this endpoint accepts (1 MiB)"}`, ""},
		{"far too large", formFields{"file": strings.Repeat("a", 3<<20)}, 413, `{"detail":"The file is larger…`, ""},
		{"largest", formFields{"file": strings.Repeat("a", 1<<20)}, 200, `{"text":"مرحبا بكم",…`, ""},
		{"too long", formFields{"file": "long"}, 413, `{"detail":"The recording is longer than this endpoint accepts (4 hours)"}`, ""},
		{"no file", formFields{}, 422, `{"detail":[{"type":"missing","loc":["body","file"],"msg":"Field required","input":null}]}`, ""},
		{"text for a file", formFields{"FILE": "", "model": "svc-stt"}, 422, `…"missing"…`, ""},
		{"no audio", formFields{"file": "junk "}, 422, `{"detail":[{"type":"audio_decode_error","loc":["body","file"],"msg":"this is text, not audio; accepted are WAV","input":null}]}`, "X-Session-Mode: default"},
		{"empty", formFields{"file": ""}, 422, `{"detail":[{"type":"audio_empty","loc":["body","file"],"msg":"the file is empty","input":null}]}`, ""},
		{"everything wrong", formFields{
			"model": "whisper-1", "language": "en", "response_format": "srt", "stream": "maybe", "temperature": "1.5",
			"timestamp_granularities[]": "char", "X-SESSION-ID": "a b", "X-SESSION-MODE": "loud",
		}, 422, everythingWrong, ""},
		{"session id too long", ok(formFields{"X-SESSION-ID": strings.Repeat("a", 129)}), 422, `…"string_too_long","loc":["header","x-session-id"],…"max_length":128…`, ""},
		{"session id empty", ok(formFields{"X-SESSION-ID": ""}), 422, `…"string_too_short"…`, ""},
		{"longest session id", ok(formFields{"X-SESSION-ID": strings.Repeat("a", 128)}), 200, `{"text":"مرحبا بكم",…`, ""},
		{"restaurant for once", ok(formFields{"X-SESSION-MODE": "restaurant"}), 200, `{"text":"مرحبا بكم",…`, "X-Session-Mode: restaurant"},
	}
	b := newSTTFixture(t)
	b.hears.says = []string{"مرحبا", "", "بكم"}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := b.postForm(t, transcriptions, c.f)
			if w.Code != c.status || !matchesText(w.Body.String(), c.body) {
				t.Errorf("got %d %s\nwant %d %s", w.Code, w.Body, c.status, c.body)
			}
			if k, v, _ := strings.Cut(c.header, ": "); w.Header().Get(k) != v {
				t.Errorf("%s: %q, want %q", k, w.Header().Get(k), v)
			}
			noUploads(t, b.deps.Spool)
		})
	}
}

const everythingWrong = `{"detail":[` +
	`{"type":"string_pattern_mismatch","loc":["header","x-session-id"],"msg":"String should match pattern '^[A-Za-z0-9._:-]+$'","input":"a b","ctx":{"pattern":"^[A-Za-z0-9._:-]+$"}},` +
	`{"type":"literal_error","loc":["header","x-session-mode"],"msg":"Input should be 'restaurant' or 'default'","input":"loud","ctx":{"expected":"'restaurant' or 'default'"}},` +
	`{"type":"missing","loc":["body","file"],"msg":"Field required","input":null},` +
	`{"type":"literal_error","loc":["body","model"],"msg":"Input should be 'svc-stt'","input":"whisper-1","ctx":{"expected":"'svc-stt'"}},` +
	`{"type":"bool_parsing","loc":["body","stream"],"msg":"Input should be a valid boolean, unable to interpret input","input":"maybe"},` +
	`{"type":"literal_error","loc":["body","response_format"],"msg":"Input should be 'json', 'text' or 'verbose_json'","input":"srt","ctx":{"expected":"'json', 'text' or 'verbose_json'"}},` +
	`{"type":"literal_error","loc":["body","language"],"msg":"Input should be 'ar'","input":"en","ctx":{"expected":"'ar'"}},` +
	`{"type":"less_than_equal","loc":["body","temperature"],"msg":"Input should be less than or equal to 1","input":"1.5","ctx":{"le":1}},` +
	`{"type":"literal_error","loc":["body","timestamp_granularities[]",0],"msg":"Input should be 'word' or 'segment'","input":"char","ctx":{"expected":"'word' or 'segment'"}}` +
	`]}`

// matchesText compares with a text in which … is a wildcard.
func matchesText(got, want string) bool {
	parts := strings.Split(want, "…")
	got = strings.TrimSpace(got)
	if len(parts) == 1 {
		return got == want
	}
	if !strings.HasPrefix(got, parts[0]) || !strings.HasSuffix(got, parts[len(parts)-1]) {
		return false
	}
	for _, p := range parts {
		_, after, found := strings.Cut(got, p)
		if !found {
			return false
		}
		got = after
	}
	return true
}

func TestTextEndsWithANewline(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	if got := b.postForm(t, transcriptions, formFields{"file": "sound", "response_format": "text"}).Body.String(); got != "\n" {
		t.Errorf("silence is %q", got)
	}
}

func TestVerbose(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.says = []string{"مرحبا بكم"}
	got := b.postForm(t, transcriptions, formFields{"file": "sound", "response_format": "verbose_json"}).Body.String()
	want := `{"task":"transcribe","language":"ar","duration":1.5,"text":"مرحبا بكم","segments":[{"id":0,"seek":0,"start":0.0,"end":1.0,` +
		`"text":"مرحبا بكم","tokens":[7,8],"temperature":1.0,"avg_logprob":-0.25,"compression_ratio":1.2,"no_speech_prob":0.1}],` +
		`"words":[{"word":"مرحبا","start":0.0,"end":0.5,"confidence":0.9},{"word":"بكم","start":0.5,"end":1.0,"confidence":0.9}]}`
	if diff := cmp.Diff(want, strings.TrimSpace(got)); diff != "" {
		t.Errorf("-want +got %s", diff)
	}
	b.hears.says = nil
	got = b.postForm(t, transcriptions, formFields{"file": "sound", "response_format": "verbose_json"}).Body.String()
	if !strings.Contains(got, `"segments":[],"words":[]`) {
		t.Errorf("silence: %s", got)
	}
}

// TestOptionsReachTheEngine: prompt and priority arrive as the engine wants them; temperature changes nothing.
func TestOptionsReachTheEngine(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	var got engine.TranscribeOptions
	b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		got = o
		return &engine.Result{}, nil
	}
	b.postForm(t, transcriptions, formFields{"file": "sound", "prompt": "شاورما، برجر\n\n سلطة خضراء ,", "temperature": "0.5"})
	want := []string{"شاورما", "برجر", "سلطة خضراء"}
	if !slices.Equal(got.Phrases, want) || got.Temperature != 0 || got.Priority != engine.Upload {
		t.Errorf("got %+v", got)
	}
}

// TestRefusals: what the layers below say, and what the client sees of it.
func TestRefusals(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		err    error
		status int
		detail string
		retry  string
	}{
		{"busy", &engine.ErrBusy{RetryAfter: 1200 * time.Millisecond}, 429, "The queue is full; try again later", "2"},
		{"busy, at a loss for a time", &engine.ErrBusy{}, 429, "The queue is full; try again later", "1"},
		{"closed", engine.ErrClosed, 503, "The service is shutting down", "10"},
		{"broken", errors.New("/secret/path is gone"), 500, "Internal Server Error", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newSTTFixture(t)
			b.hears.transcribe = func(context.Context, engine.SampleSource, engine.TranscribeOptions) (*engine.Result, error) {
				return nil, c.err
			}
			for _, stream := range []string{"false", "true"} {
				w := b.postForm(t, transcriptions, formFields{"file": "sound", "stream": stream})
				if w.Code != c.status || strings.TrimSpace(w.Body.String()) != fmt.Sprintf(`{"detail":%q}`, c.detail) {
					t.Errorf("stream=%s: got %d %s", stream, w.Code, w.Body)
				}
				if got := w.Header().Get("Retry-After"); got != c.retry {
					t.Errorf("Retry-After %q, want %q", got, c.retry)
				}
			}
		})
	}
}

func TestDrainingAndBroken(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.health.SetBroken("the model is gone")
	if w := b.postForm(t, transcriptions, formFields{}); w.Code != 503 || !strings.Contains(w.Body.String(), "the model is gone") {
		t.Errorf("broken: %d %s", w.Code, w.Body)
	}
	b.health.SetBroken("")
	b.health.SetDraining()
	for _, path := range []string{transcriptions, "/compat/v1/audio/jobs", "/debug/decode"} {
		if w := b.postForm(t, path, formFields{}); w.Code != 503 || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s while draining: %d %s", path, w.Code, w.Body)
		}
	}
	if w := b.getPath(t, "/compat/v1/models", "one"); w.Code != 200 {
		t.Errorf("models while draining: %d", w.Code)
	}
}

// TestRestaurant walks a session through the mode and over a restart.
func TestRestaurant(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	var biased, cued bool
	say := func(session, text string) (string, string) {
		b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
			biased, cued = slices.Contains(o.Phrases, "شاورما دجاج"), slices.Contains(o.Phrases, "وضع المطعم")
			return speakTexts(o, text)
		}
		w := b.postForm(t, transcriptions, formFields{"file": "sound", "response_format": "text", "X-SESSION-ID": session})
		return strings.TrimSpace(w.Body.String()), w.Header().Get("X-Session-Mode")
	}
	expect := func(session, text, want, mode string) {
		t.Helper()
		got, in := say(session, text)
		if got != want || in != mode || biased != (mode == "restaurant") || !cued {
			t.Errorf("heard %q: %q in %s (biased: %v, cued: %v), want %q in %s", text, got, in, biased, cued, want, mode)
		}
	}
	expect("t1", "اثنين برجر", "اثنين برجر", "default")
	expect("t1", "وضع المطعم", "وضع المطعم", "default")
	expect("t1", "اثنين برجر", "2 برجر", "restaurant")
	expect("t2", "اثنين برجر", "اثنين برجر", "default")
	again, err := stt.NewService(b.deps)
	mustSucceed(t, err)
	b.echo = newTestServer(again, b.deps)
	expect("t1", "اثنين برجر", "2 برجر", "restaurant")
	expect("t1", "انهاء وضع المطعم", "انهاء وضع المطعم", "restaurant")
	expect("t1", "اثنين برجر", "اثنين برجر", "default")
}

func TestModels(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	const model = `{"id":"svc-stt","object":"model","created":1795219200,"owned_by":"munadi"}`
	for _, c := range []struct {
		path, key string
		status    int
		want      string
	}{
		{"/compat/v1/models", "one", 200, `{"object":"list","data":[` + model + `]}`},
		{"/compat/v1/models/svc-stt", "one", 200, model},
		{"/compat/v1/models/whisper-1", "one", 404, `{"detail":"The only model is svc-stt"}`},
		{"/compat/v1/models", "none", 401, `{"detail":"Missing or invalid API key"}`},
		{"/compat/v1/models/svc-stt", "calls", 403, `{"detail":"This API key lacks the scope stt"}`},
	} {
		w := b.getPath(t, c.path, c.key)
		if w.Code != c.status || strings.TrimSpace(w.Body.String()) != c.want {
			t.Errorf("%s: got %d %s", c.path, w.Code, w.Body)
		}
	}
}

// TestBodyIsNotReadWithoutKey: a stranger's upload costs nothing.
func TestBodyIsNotReadWithoutKey(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	body := &spyingEngine{}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, transcriptions, body)
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	w := httptest.NewRecorder()
	seen := false
	w.Body = nil // answers are thrown away; what counts is the order
	body.onRead = func() { seen = w.Code != 401 }
	b.echo.ServeHTTP(w, r)
	if seen || w.Code != 401 {
		t.Errorf("the body was read before the answer %d", w.Code)
	}
}

type spyingEngine struct{ onRead func() }

func (s *spyingEngine) Read([]byte) (int, error) {
	s.onRead()
	return 0, errors.New("end")
}
