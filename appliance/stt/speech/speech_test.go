package speech_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/stt/speech"
	"munadi/appliance/tts"
	"munadi/engine/audio"
	"munadi/engine/heldout"
)

// TestMain lets this test binary run as the process that encodes MP3.
func TestMain(m *testing.M) {
	if !heldout.DecodeAudio() {
		os.Exit(m.Run())
	}
}

// clockSpeaker speaks a tenth of a second for each piece, and notes the pieces.
type clockSpeaker struct {
	speak func(ctx context.Context) error

	mu    sync.Mutex
	asked []tts.SpeechRequest

	log bytes.Buffer // of one request at a time
}

func (s *clockSpeaker) Speak(ctx context.Context, r tts.SpeechRequest) (tts.SpokenSound, error) {
	s.mu.Lock()
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	if s.speak != nil {
		if err := s.speak(ctx); err != nil {
			return tts.SpokenSound{}, err
		}
	}
	return tts.SpokenSound{PCM: make([]int16, tts.Rate/10), Wide: make([]int16, tts.WideRate/10)}, nil
}

func (*clockSpeaker) ListVoices() []tts.NamedVoice {
	return []tts.NamedVoice{
		{ID: "default", Name: "Default", Language: "ar"},
		{ID: "nice", Name: "Nice", Language: "ar", Source: tts.Endpoint, Voice: "nice"},
		{ID: "recorded", Name: "Recorded", Language: "ar", Source: tts.Recorded},
	}
}

func (*clockSpeaker) EndpointModel() string { return "voice-1" }

// newServer serves the routes for organizations that the key names.
func newServer(s *clockSpeaker) *echo.Echo {
	e := echo.New()
	e.HTTPErrorHandler = middleware.ErrorHandler()
	e.Use(middleware.RecoverPanics(slog.New(slog.DiscardHandler)))
	open := func(next echo.HandlerFunc) echo.HandlerFunc { return next }
	speech.NewService(speech.Dependencies{
		Speaker: func() speech.VoiceSpeaker { return s }, Encoding: func() audio.EncodeOptions { return audio.EncodeOptions{FFmpeg: "none"} },
		Principal: func(c echo.Context) auth.Principal {
			return auth.Principal{OrgID: c.Request().Header.Get("Authorization")}
		},
		Log: slog.New(slog.NewTextHandler(&s.log, nil)),
	}).MountRoutes(e, "/v1", open, open)
	return e
}

func askSpeech(ctx context.Context, e *echo.Echo, org, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/audio/speech", strings.NewReader(body))
	r.Header.Set("Authorization", org)
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

// TestRefusals: every violation is named, all of them at once.
func TestRefusals(t *testing.T) {
	t.Parallel()
	s := &clockSpeaker{}
	e := newServer(s)
	for _, c := range []struct {
		body   string
		status int
		fields string // of the violations, in order
	}{
		{`{}`, 422, "model input voice"},
		{`{"model":null,"input":"أهلا","voice":"alloy"}`, 422, "model"},
		{`{"model":"tts-9","input":"","voice":"bob","response_format":"aac","speed":4.5,"stream_format":"sse"}`, 422, "model input voice response_format speed stream_format"},
		{`{"model":1,"input":[],"voice":7,"response_format":{},"speed":"fast"}`, 422, "model input voice response_format speed"},
		{`{"model":"tts-1","input":"` + strings.Repeat("س", 4097) + `","voice":"alloy"}`, 422, "input"},
		{`{"model":"tts-1","input":"...!","voice":"alloy"}`, 422, "input"},
		{`{"model":"tts-1","input":"أهلا","voice":{"name":"x"}}`, 422, "voice"},
		{`{"model":"tts-1","input":"أهلا","voice":"alloy","speed":0.2}`, 422, "speed"},
		{`{"model":"tts-1","input":"أهلا","voice":"alloy","speed":1e999}`, 422, "speed"},
		{`{"model":"tts-1","input":"أهلا","voice":"alloy","response_format":"mp3"}`, 422, "response_format"}, // no ffmpeg
		{`["a"]`, 422, ""},
		{`{"model":"tts-1"`, 422, ""},
		{``, 422, ""},
		{`{"x":"` + strings.Repeat("a", 256<<10) + `"}`, 413, ""},
	} {
		w := askSpeech(t.Context(), e, "org1", c.body)
		var body struct{ Detail any }
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		var fields []string
		if all, ok := body.Detail.([]any); ok {
			for _, v := range all {
				if loc := v.(map[string]any)["loc"].([]any); len(loc) > 1 {
					fields = append(fields, loc[1].(string))
				}
			}
		}
		if w.Code != c.status || strings.Join(fields, " ") != c.fields {
			t.Errorf("%.80s: %d %s", c.body, w.Code, w.Body)
		}
	}
	if len(s.asked) > 0 {
		t.Errorf("refused texts were spoken: %v", s.asked)
	}
}

// TestFormats: each format's type, and the length of the sound at each speed.
func TestFormats(t *testing.T) {
	t.Parallel()
	e := newServer(&clockSpeaker{})
	for format, kind := range map[string]string{
		"": "audio/wav", "wav": "audio/wav", "pcm": "audio/pcm", "flac": "audio/flac", "opus": "audio/ogg",
	} {
		for _, speed := range []float64{0.25, 1, 1.5, 4} {
			w := askSpeech(t.Context(), e, "org1", fmt.Sprintf(
				`{"model":"voice-1","input":"أهلا وسهلا","voice":"nice","response_format":%q,"speed":%v,"instructions":"softly","user":"u"}`, format, speed))
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != kind {
				t.Fatalf("%q: %d %v %s", format, w.Code, w.Header(), w.Body)
			}
			seconds := float64(w.Body.Len()) / 2 / audio.EncodedRate
			if kind != "audio/pcm" {
				samples, err := audio.DecodeAll(t.Context(), bytes.NewReader(w.Body.Bytes()), audio.DecodeOptions{})
				if err != nil {
					t.Fatalf("%q: %v", format, err)
				}
				seconds = float64(len(samples)) / audio.Rate
			}
			if want := 0.1 / speed; seconds < want-0.001 || seconds > want+0.001 {
				t.Errorf("%q at %v: %v s, want %v", format, speed, seconds, want)
			}
			if length := w.Header().Get("Content-Length"); length != "" && length != fmt.Sprint(w.Body.Len()) {
				t.Errorf("%q: %s bytes announced, %d sent", format, length, w.Body.Len())
			}
		}
	}
}

// TestLongTextsAreSpokenInPieces: no piece is longer than a voice speaks at once, nothing is lost, and OpenAI's names of
// voices are the default one.
func TestLongTextsAreSpokenInPieces(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"sentences": strings.Repeat("هذه جملة قصيرة، ثم تأتي بقية. ", 130), "words": strings.Repeat("كلمة ", 800), "letters": strings.Repeat("س", 4096),
		"marks": "أهلا. . . ! ؟ " + strings.Repeat("،", 900) + " مع السلامة", "an abbreviation": "د. أمل الشمري ترحب بكم. أهلا وسهلا بكم",
	} {
		s := &clockSpeaker{}
		body, err := json.Marshal(map[string]any{
			"model": "tts-1", "input": text, "voice": map[string]string{"id": "alloy"}, "response_format": "pcm",
		})
		if err != nil {
			t.Fatal(err)
		}
		if w := askSpeech(t.Context(), newServer(s), "org1", string(body)); w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		said := ""
		for _, r := range s.asked {
			if len([]rune(r.Text)) > 400 || r.OrgID != "org1" || r.Source != "" || !r.Transient {
				t.Errorf("%s: spoken %+v", name, r)
			}
			said += r.Text
		}
		if at := len(s.asked[0].Text); name == "sentences" && !strings.HasSuffix(text[:at], ".") || name == "an abbreviation" && at < 20 {
			t.Errorf("%s: the first piece is %q", name, s.asked[0].Text)
		}
		clean := strings.NewReplacer(" ", "", "،", "", ".", "", "!", "", "؟", "")
		if clean.Replace(said) != clean.Replace(text) {
			t.Errorf("%s: spoken %q", name, said)
		}
	}
}

// TestStream: the first sentence is heard before the second is spoken, and a failure cuts the response then; formats
// whose header has the length, and recorded phrases, are refused as a whole.
func TestStream(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, voice string
		speed         float64
		streamed      bool
	}{
		{"pcm", "default", 1, true},
		{"pcm", "nice", 0.5, true},
		{"opus", "nice", 1, true},
		{"pcm", "recorded", 1, false},
		{"wav", "nice", 1, false},
		{"flac", "default", 1, false},
	} {
		for _, fails := range []bool{false, true} {
			t.Run(fmt.Sprint(c, fails), func(t *testing.T) {
				t.Parallel()
				heard, pieces := make(chan struct{}), atomic.Int32{}
				s := &clockSpeaker{speak: func(ctx context.Context) error {
					if pieces.Add(1) == 1 {
						return nil
					}
					if c.streamed {
						select {
						case <-heard:
						case <-ctx.Done():
							return ctx.Err()
						}
					}
					if fails {
						return fmt.Errorf("%w: %w", tts.ErrNoVoice, tts.ErrVoiceFailed)
					}
					return nil
				}}
				server := httptest.NewServer(newServer(s))
				defer server.Close()
				checkStream(t, server.URL, fmt.Sprintf(
					`{"model":"tts-1","voice":%q,"response_format":%q,"speed":%v,"input":"أهلا وسهلا بكم جميعا. %s"}`,
					c.voice, c.format, c.speed, strings.Repeat("كلمة ", 100)), c.streamed, fails, heard)
				server.Close() // the request has ended, too
				if log := s.log.String(); (log != "") != (fails && c.streamed) || strings.Contains(log, "كلمة") {
					t.Errorf("logged %q", log)
				}
			})
		}
	}
}

// checkStream reads a response, and closes heard when its beginning is there.
func checkStream(t *testing.T, url, body string, streamed, fails bool, heard chan struct{}) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/audio/speech", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if want := map[bool]int{true: 503, false: 200}[fails && !streamed]; answer.StatusCode != want {
		t.Fatalf("%d, want %d", answer.StatusCode, want)
	}
	if _, err := io.ReadFull(answer.Body, make([]byte, 64)); err != nil {
		t.Fatal(err)
	}
	close(heard)
	if _, err := io.Copy(io.Discard, answer.Body); (err != nil) != (fails && streamed) {
		t.Errorf("the end of the response: %v", err)
	}
}

// TestVoiceErrors: a text that no voice speaks is the request's fault, a failed voice is not.
func TestVoiceErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		status int
	}{
		{tts.ErrNoVoice, 422}, {fmt.Errorf("%w: %w", tts.ErrNoVoice, tts.ErrVoiceFailed), 503}, {fmt.Errorf("broken"), 500},
	} {
		e := newServer(&clockSpeaker{speak: func(context.Context) error { return c.err }})
		w := askSpeech(t.Context(), e, "org1", `{"model":"tts-1","input":"أهلا","voice":"nice"}`)
		if w.Code != c.status || (w.Code == 503) != (w.Header().Get("Retry-After") != "") {
			t.Errorf("%v: %d %s", c.err, w.Code, w.Body)
		}
	}
}

// TestShares: an organization with all the texts that it may have is refused; another one speaks in turn. Who goes away
// takes its texts along.
func TestShares(t *testing.T) {
	t.Parallel()
	const body = `{"model":"tts-1","input":"أهلا","voice":"alloy"}`
	var held atomic.Bool
	held.Store(true)
	started, ended := make(chan struct{}, 2), make(chan error, 2)
	e := newServer(&clockSpeaker{speak: func(ctx context.Context) error {
		if !held.Load() {
			return nil
		}
		started <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	}})
	ctx, cancel := context.WithCancel(t.Context())
	answers := make(chan int, 64)
	ask := func(ctx context.Context, org string) { answers <- askSpeech(ctx, e, org, body).Code }
	for range 2 {
		go ask(ctx, "org1")
		<-started
	}
	for range 20 {
		go ask(ctx, "org1")
	}
	for range 14 { // 2 are spoken and 6 wait
		if status := <-answers; status != http.StatusTooManyRequests {
			t.Errorf("beyond the share: %d", status)
		}
	}
	held.Store(false)
	other := make(chan int)
	go func() { other <- askSpeech(t.Context(), e, "org2", body).Code }()
	cancel()
	for range 8 {
		<-answers
	}
	for range 2 {
		if err := <-ended; err == nil {
			t.Error("the voice goes on without its client")
		}
	}
	if status := <-other; status != http.StatusOK {
		t.Errorf("another organization: %d", status)
	}
	if w := askSpeech(t.Context(), e, "org1", body); w.Code != http.StatusOK {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
}
