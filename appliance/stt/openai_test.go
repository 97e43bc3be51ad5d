package stt_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/stt"
	"munadi/engine"
)

const openAITranscriptions = stt.OpenAIRoot + "/audio/transcriptions"

// withModels is an appliance with a model in use and another one.
func withModels(d *stt.Dependencies) {
	d.Models = func() (string, []string) { return "demo-4", []string{"large-1"} }
}

// TestOpenAIFace: what a client sends below /v1, the status it gets, what its body holds.
func TestOpenAIFace(t *testing.T) {
	t.Parallel()
	ok := func(f formFields) formFields {
		if f["file"] == "" {
			f["file"] = "sound"
		}
		if f["model"] == "" {
			f["model"] = "whisper-1"
		}
		return f
	}
	const invalid = `,"type":"invalid_request_error",`
	cases := []struct {
		name   string
		f      formFields
		status int
		body   string // the whole of it, or with … a part
	}{
		{"json", ok(formFields{}), 200, `{"text":"مرحبا بكم","usage":{"type":"duration","seconds":4}}`},
		{"an installed model", ok(formFields{"model": "large-1", "language": "ar"}), 200, `{"text":"مرحبا بكم",…`},
		{"what OpenAI's clients send", ok(formFields{
			"model": "gpt-4o-transcribe-diarize", "chunking_strategy": "auto", "known_speaker_names[]": "agent", "temperature": "0",
			"include[]": "logprobs", "prompt": "x",
		}), 200, `{"text":"مرحبا بكم",…"logprobs":[{"token":"مرحبا",…`},
		{"text", ok(formFields{"response_format": "text"}), 200, "مرحبا بكم"},
		{"srt", ok(formFields{"response_format": "srt"}), 200, "1\n00:00:00,000 --> 00:00:01,000\nمرحبا…"},
		{"vtt", ok(formFields{"response_format": "vtt"}), 200, "WEBVTT\n\n00:00:00.000 --> …"},
		{"no words unless asked", ok(formFields{"response_format": "verbose_json", "timestamp_granularities[]": "segment"}), 200, `…}],"usage":{"type":"duration","seconds":4}}`},
		{"words", ok(formFields{"response_format": "verbose_json", "timestamp_granularities[]": "word"}), 200, `…,"words":[{"word":"مرحبا",…`},
		{"no model", formFields{"file": "sound"}, 400, `{"error":{"message":"model: Field required"` + invalid + `"param":"model","code":"missing_required_parameter"}}`},
		{"unknown model", ok(formFields{"model": "whisper-9"}), 404, `{"error":{"message":"The model 'whisper-9' does not exist here. Available: 'svc-stt', 'whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe-diarize', 'demo-4' or 'large-1'"` + invalid + `"param":"model","code":"model_not_found"}}`},
		{"unknown language", ok(formFields{"language": "en"}), 400, `{"error":{"message":"The model does not have the language 'en'. It has: 'ar'"` + invalid + `"param":"language","code":"unsupported_language"}}`},
		{"all violations", ok(formFields{"response_format": "yaml", "temperature": "9", "text_form": "sung"}), 400, `{"error":{"message":"response_format: Input should be 'json', 'text', 'srt', 'vtt', 'verbose_json' or 'diarized_json'; temperature: …; text_form: …"` + invalid + `"param":"response_format","code":"invalid_value"}}`},
		{"a stream of subtitles", ok(formFields{"response_format": "vtt", "stream": "true"}), 400, `…"param":"response_format",…`},
		{"events of subtitles", ok(formFields{"response_format": "verbose_json", "ACCEPT": "text/event-stream"}), 400, `…"param":"response_format",…`},
		{"a stream", ok(formFields{"stream": "true", "response_format": "text"}), 200, `data: {"type":"transcript.text.delta","delta":"مرحبا"}…`},
		{"no file", formFields{"model": "whisper-1"}, 400, `{"error":{"message":"file: Field required"…"param":"file",…`},
		{"no audio", ok(formFields{"file": "junk "}), 400, `{"error":{"message":"this is text, not audio; accepted are WAV"` + invalid + `"param":"file","code":"audio_decode_error"}}`},
		{"too long", ok(formFields{"file": "long"}), 413, `…"param":null,"code":"request_too_large"}}`},
		{"too large", ok(formFields{"file": strings.Repeat("a", 1<<20+1)}), 413, `…"code":"request_too_large"}}`},
		{"no key", ok(formFields{"AUTHORIZATION": ""}), 401, `{"error":{"message":"Missing or invalid API key"` + invalid + `"param":null,"code":"invalid_api_key"}}`},
		{"wrong scope", ok(formFields{"AUTHORIZATION": "Bearer calls"}), 403, `{"error":{"message":"This API key lacks the scope stt"…`},
		{"store failure", ok(formFields{"AUTHORIZATION": "Bearer broken"}), 500, `{"error":{"message":"Internal Server Error","type":"server_error","param":null,"code":"server_error"}}`},
		{"diarized", ok(formFields{"response_format": "diarized_json"}), 200, `{"task":"transcribe","duration":2.5,"text":"مرحبا مرحبا بكم بكم","segments":[` +
			`{"type":"transcript.text.segment","id":"seg_0","start":0.0,"end":1.0,"text":"مرحبا","speaker":"A"},…"speaker":"B"}…`},
		{"diarized, one channel", ok(formFields{"response_format": "diarized_json", "file": "mono a"}), 400, `…"param":"response_format","code":"diarization_unavailable"}}`},
	}
	b := newSTTFixture(t, withModels)
	b.hears.says = []string{"مرحبا", "", "بكم"}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if strings.HasPrefix(c.name, "diarized") {
				b.hears.says = []string{"مرحبا", "بكم"}
			}
			w := b.postForm(t, openAITranscriptions, c.f)
			if w.Code != c.status || !matchesText(w.Body.String(), c.body) {
				t.Errorf("got %d %s\nwant %d %s", w.Code, w.Body, c.status, c.body)
			}
			if model := w.Header().Get("OpenAI-Model"); w.Code == 200 && model != "demo-4" {
				t.Errorf("model %q of a %d", model, w.Code)
			}
			noUploads(t, b.deps.Spool)
		})
	}
	if w := b.postForm(t, openAITranscriptions, ok(formFields{"response_format": "verbose_json"})); strings.Contains(w.Body.String(), `"words"`) {
		t.Errorf("words that nobody asked for: %s", w.Body)
	}
}

// TestOpenAIModels: the models of each face, one by one too.
func TestOpenAIModels(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, withModels)
	for root, want := range map[string][]string{
		"/compat/v1":   {"svc-stt"},
		stt.OpenAIRoot: {"svc-stt", "whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize", "demo-4", "large-1"},
	} {
		var list struct{ Data []struct{ ID string } }
		mustSucceed(t, json.Unmarshal(b.getPath(t, root+"/models", "one").Body.Bytes(), &list))
		var got []string
		for _, m := range list.Data {
			got = append(got, m.ID)
			if w := b.getPath(t, root+"/models/"+m.ID, "one"); w.Code != 200 || !strings.Contains(w.Body.String(), `"id":"`+m.ID+`"`) {
				t.Errorf("%s: %d %s", m.ID, w.Code, w.Body)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s lists %q, want %q", root, got, want)
		}
	}
	if w := b.getPath(t, "/v1/models/tiny", "one"); w.Code != 404 || !strings.Contains(w.Body.String(), `"code":"model_not_found"`) {
		t.Errorf("an unknown model: %d %s", w.Code, w.Body)
	}
}

// TestOpenAIErrors: every refusal below /v1 has OpenAI's shape, unknown routes included; others keep theirs.
func TestOpenAIErrors(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) {
		d.Limit = func(keyID string) time.Duration { return map[string]time.Duration{"k2": time.Second}[keyID] }
	})
	for _, c := range []struct {
		route, key string
		status     int
		code       string
	}{
		{"POST /v1/audio/translations", "one", 404, "not_found"},
		{"POST /v1/audio/translations", "", 401, "invalid_api_key"},
		{"GET /v1/nothing/here", "", 404, "not_found"},
		{"GET /v1", "one", 404, "not_found"},
		{"DELETE /v1/models", "one", 405, "method_not_allowed"},
		{"GET /v1/models", "calls", 403, "insufficient_permissions"},
		{"GET /v1/models", "two", 429, "rate_limit_exceeded"},
		{"GET /v1/audio/voices", "two", 429, "rate_limit_exceeded"},
		{"POST /v1/audio/speech", "two", 429, "rate_limit_exceeded"},
		{"POST /v1/audio/transcriptions", "two", 429, "rate_limit_exceeded"},
		{"GET /v1/realtime", "two", 429, "rate_limit_exceeded"},
		{"GET /v1/realtime", "one", 426, "invalid_request"},
		{"GET /v1/realtime?intent=chat", "one", 400, "invalid_request"},
	} {
		method, path, _ := strings.Cut(c.route, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
		r.Header.Set("Authorization", "Bearer "+c.key)
		w := httptest.NewRecorder()
		b.echo.ServeHTTP(w, r)
		var body struct {
			Error map[string]any `json:"error"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != c.status || body.Error["code"] != c.code || len(body.Error) != 4 {
			t.Errorf("%s by %q: %d %s", c.route, c.key, w.Code, w.Body)
		}
		if message, _ := body.Error["message"].(string); len(message) < 10 {
			t.Errorf("%s: message %q", c.route, message)
		}
		if (w.Code == 429) != (w.Header().Get("Retry-After") != "") || (w.Code == 401) != (w.Header().Get("WWW-Authenticate") == "Bearer") {
			t.Errorf("%s: headers %v", c.route, w.Header())
		}
	}
	if w := b.getPath(t, "/v1x", "one"); !strings.HasPrefix(w.Body.String(), `{"detail":`) {
		t.Errorf("beside /v1: %s", w.Body)
	}
}

// TestOpenAIStreamFails: a stream that has begun ends with OpenAI's error alone.
func TestOpenAIStreamFails(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.transcribe = func(_ context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		mustSucceed(t, o.OnSegment(newSegment(0, "أهلا")))
		return nil, engine.ErrClosed
	}
	w := b.postForm(t, openAITranscriptions, formFields{"file": "sound", "model": "whisper-1", "stream": "true"})
	want := "event: error\ndata: " + `{"type":"error","error":{"message":"The service is shutting down","type":"server_error","param":null,"code":"service_unavailable"}}`
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestOpenAITextForms: the written form and redaction, where a number is one word, also in each part of a stream.
func TestOpenAITextForms(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.says = []string{"رقمي صفر خمسة صفر واحد اتنين", "تلاتة اربعة خمسة ستة سبعة شكرا"}
	for want, f := range map[string]formFields{
		"رقمي +966501234567 شكرا": {"text_form": "written"},
		"رقمي […] […] شكرا":       {"redact": "true"},
	} {
		f["file"], f["model"], f["response_format"], f["timestamp_granularities[]"] = "sound", "whisper-1", "verbose_json", "word"
		if got := verboseText(t, b.postForm(t, openAITranscriptions, f).Body.Bytes()); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
		f["response_format"], f["stream"] = "json", "true"
		if body := b.postForm(t, openAITranscriptions, f).Body.String(); strings.Contains(body, "خمسة") || !strings.Contains(body, `"text":"`+want+`"`) {
			t.Errorf("%v: %s", f, body)
		}
	}
}
