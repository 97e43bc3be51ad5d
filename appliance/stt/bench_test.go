package stt_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/monitor/health"
	"munadi/appliance/monitor/metrics"
	"munadi/appliance/recognizer"
	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store/account"
	"munadi/store/badger"
)

// sttFixture is the service with a real store, a recognizer with scripted results, and keys that equal their names.
type sttFixture struct {
	*stt.TranscriptionService
	echo   *echo.Echo
	hears  *scriptedRecognizer
	health *health.HealthState
	store  *badger.BadgerStore
	deps   stt.Dependencies
}

func newSTTFixture(t *testing.T, change ...func(*stt.Dependencies)) *sttFixture {
	t.Helper()
	db, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	mustSucceed(t, err)
	t.Cleanup(func() { mustSucceed(t, db.Close()) })
	for _, id := range []string{"org1", "org2"} {
		mustSucceed(t, db.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id, CreatedAt: time.Now()}, "test"))
	}
	b := &sttFixture{hears: &scriptedRecognizer{}, health: &health.HealthState{}, store: db}
	b.health.SetReady()
	b.deps = stt.Dependencies{
		Recognizer: b.hears, Open: openFake, Auth: namedKeys{}, Store: db, Health: b.health, Metrics: metrics.NewMetrics(),
		Log: slog.New(slog.DiscardHandler), Now: time.Now, Limits: stt.DefaultLimits(), Spool: t.TempDir(), Jobs: t.TempDir(),
	}
	b.deps.Limits.Bytes, b.deps.Limits.JobBytes = 1<<20, 2<<20
	for _, f := range change {
		f(&b.deps)
	}
	b.TranscriptionService, err = stt.NewService(b.deps)
	mustSucceed(t, err)
	b.echo = newTestServer(b.TranscriptionService, b.deps)
	return b
}

func newTestServer(s *stt.TranscriptionService, d stt.Dependencies) *echo.Echo {
	e := echo.New()
	e.HTTPErrorHandler = middleware.ErrorHandler(middleware.ErrorFace{Root: stt.OpenAIRoot, Explain: stt.ExplainOpenAI})
	e.Use(middleware.RequestID, middleware.AccessLog(d.Log, d.Metrics), middleware.RecoverPanics(d.Log))
	s.MountRoutes(e)
	return e
}

// namedKeys are "Bearer <name>"; the name says what they may.
type namedKeys struct{}

func (namedKeys) VerifyHeader(_ context.Context, value string) (auth.Principal, error) {
	switch value {
	case "Bearer one":
		return auth.Principal{OrgID: "org1", KeyID: "k1", Scopes: []account.KeyScope{account.ScopeSTT}}, nil
	case "Bearer two":
		return auth.Principal{OrgID: "org2", KeyID: "k2", Scopes: []account.KeyScope{account.ScopeSTT}}, nil
	case "Bearer calls":
		return auth.Principal{OrgID: "org1", KeyID: "k3", Scopes: []account.KeyScope{account.ScopeCalls}}, nil
	case "Bearer broken":
		return auth.Principal{}, fmt.Errorf("the store is gone")
	}
	return auth.Principal{}, &auth.KeyRefusal{Reason: auth.ReasonUnknown}
}

// openFake knows three kinds of recording by their first word; whatever else is a second of silence for each byte.
func openFake(_ context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice) (recognizer.OpenedSound, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	word, _, _ := strings.Cut(string(data), " ")
	switch word {
	case "junk":
		return nil, &audio.DecodeError{Code: audio.CodeDecode, Message: "this is text, not audio; accepted are WAV"}
	case "mono":
		if channel == audio.RightChannel {
			return nil, &audio.DecodeError{Code: audio.CodeChannel, Message: "the recording has one channel"}
		}
	case "":
		return nil, &audio.DecodeError{Code: audio.CodeEmpty, Message: "the file is empty"}
	case "long":
		return nil, &audio.DecodeError{Code: audio.CodeTooLong, Message: fmt.Sprint("longer than ", longest)}
	}
	return &fakeSound{left: len(data), channel: channel}, nil
}

type fakeSound struct {
	left    int
	channel audio.ChannelChoice
}

func (s *fakeSound) Read(p []float32) (int, error) {
	n := min(len(p), s.left)
	s.left -= n
	if s.left == 0 {
		return n, io.EOF
	}
	return n, nil
}

func (*fakeSound) Close() error { return nil }

// Channel is the one that was asked for.
func (s *fakeSound) Channel() audio.ChannelChoice { return s.channel }

// scriptedRecognizer says the words it was given, one segment each, unless a test takes over.
type scriptedRecognizer struct {
	says       []string
	transcribe func(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error)
	debug      func(ctx context.Context, src engine.SampleSource, p engine.DebugParams) (*engine.DebugResult, error)
}

func (r *scriptedRecognizer) Transcribe(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
	if r.transcribe != nil {
		return r.transcribe(ctx, src, o)
	}
	return speakTexts(o, r.says...)
}

func (r *scriptedRecognizer) DebugDecode(ctx context.Context, src engine.SampleSource, p engine.DebugParams) (*engine.DebugResult, error) {
	return r.debug(ctx, src, p)
}

// speakTexts gives out one segment for each text, a second long each, and half a second of silence behind them.
func speakTexts(o engine.TranscribeOptions, texts ...string) (*engine.Result, error) {
	result := &engine.Result{Duration: float64(len(texts)) + 0.5}
	for i, text := range texts {
		seg := newSegment(i, text)
		if err := o.OnSegment(seg); err != nil {
			return nil, err
		}
		result.Segments = append(result.Segments, seg)
	}
	result.Text = strings.Join(texts, " ")
	return result, nil
}

func newSegment(i int, text string) engine.Segment {
	seg := engine.Segment{ID: i, Start: float64(i), End: float64(i + 1), Text: text, Tokens: []int{7, 8}, Temperature: 1, AvgLogprob: -0.25, CompressionRatio: 1.2, NoSpeechProb: 0.1}
	words := strings.Fields(text)
	for n, w := range words {
		step := 1 / float64(len(words))
		start := seg.Start + float64(n)*step
		seg.Words = append(seg.Words, engine.Word{Text: w, Start: start, End: start + step, Confidence: 0.9})
	}
	return seg
}

// formFields are a form's: "file" is sent as a file, a name in capitals as a header.
type formFields map[string]string

func newRequest(t *testing.T, target string, f formFields) *http.Request {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	headers := map[string]string{}
	for name, value := range f {
		switch {
		case name == "file":
			part, err := w.CreateFormFile("file", "a.wav")
			mustSucceed(t, err)
			_, err = part.Write([]byte(value))
			mustSucceed(t, err)
		case strings.ToUpper(name) == name:
			headers[name] = value
		default:
			mustSucceed(t, w.WriteField(name, value))
		}
	}
	mustSucceed(t, w.Close())
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, &b)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Authorization", "Bearer one")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	return r
}

// answerRequest answers a request, and holds the answer against the published document.
func (b *sttFixture) answerRequest(t *testing.T, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	b.echo.ServeHTTP(w, r)
	asPublished(t, r, w, pathPattern(r.URL.Path))
	return w
}

// pathPattern is the document's path for a path of a request.
func pathPattern(path string) string {
	if strings.HasPrefix(path, "/compat/v1/audio/jobs/") && strings.HasSuffix(path, "/result") {
		return "/compat/v1/audio/jobs/{id}/result"
	}
	if strings.HasPrefix(path, "/compat/v1/audio/jobs/") {
		return "/compat/v1/audio/jobs/{id}"
	}
	if strings.HasPrefix(path, "/compat/v1/models/") {
		return "/compat/v1/models/{model}"
	}
	return path
}

func (b *sttFixture) postForm(t *testing.T, target string, f formFields) *httptest.ResponseRecorder {
	t.Helper()
	return b.answerRequest(t, newRequest(t, target, f))
}

func (b *sttFixture) getPath(t *testing.T, target, key string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	r.Header.Set("Authorization", "Bearer "+key)
	return b.answerRequest(t, r)
}

// noUploads checks that nothing is left in a folder.
func noUploads(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	mustSucceed(t, err)
	if len(entries) > 0 {
		t.Errorf("%d files are left in %s", len(entries), dir)
	}
}

func mustSucceed(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
