package tts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/tts"
)

const unknown = "مرحبا يا عبدالمتعال"

// newEndpoint is an endpoint that answers as h does.
func newEndpoint(t *testing.T, h http.HandlerFunc) *tts.EndpointOptions {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return &tts.EndpointOptions{URL: s.URL + "/v1", Model: "m", Voice: "v", Key: "secret", Deadline: 2 * time.Second}
}

func TestEndpointSpeaksWhatNobodyRecorded(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var body map[string]string
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		want := map[string]string{"model": "m", "voice": "other", "input": unknown, "response_format": "wav"}
		for k, v := range want {
			if body[k] != v {
				t.Errorf("%s = %q, want %q", k, body[k], v)
			}
		}
		if r.URL.Path != "/v1/audio/speech" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		_, _ = w.Write(toneWAV(t, 400, 24000))
	})
	e.CacheDir = filepath.Join(t.TempDir(), "speech")
	for range 2 { // the second chain finds it on disk
		c := newChain(t, tts.ChainOptions{Endpoint: e})
		for range 2 { // the second time in memory
			s, err := c.Speak(t.Context(), tts.SpeechRequest{Text: unknown, Voice: "other"})
			if err != nil || s.Source != tts.Endpoint {
				t.Fatalf("%s, %v", s.Source, err)
			}
			checkLevel(t, unknown, s.PCM)
			if got := tonePitch(s.PCM); got < 390 || got > 410 {
				t.Errorf("%.0f Hz, want 400", got)
			}
		}
		if s := speakText(t, c, "", "شكرا جزيلا مع السلامة"); s.Source != tts.Recorded {
			t.Errorf("a recorded prompt is spoken by %s", s.Source)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("it was asked %d times, want once", n)
	}
	cached, err := filepath.Glob(filepath.Join(e.CacheDir, "*"))
	if err != nil || len(cached) != 1 {
		t.Fatal(cached, err)
	}
	if err := os.Truncate(cached[0], 10_000); err != nil {
		t.Fatal(err)
	}
	s, err := newChain(t, tts.ChainOptions{Endpoint: e}).Speak(t.Context(), tts.SpeechRequest{Text: unknown, Voice: "other"})
	if err != nil || asked.Load() != 2 || len(s.PCM) < 5001 {
		t.Errorf("a cut file of the cache is spoken: %d samples, %v, asked %d times", len(s.PCM), err, asked.Load())
	}
	info, err := os.Stat(e.CacheDir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the cache folder: %v, %v", info.Mode(), err)
	}
}

func TestEndpointMaySendBareSamples(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "audio/pcm;rate=16000")
		_, _ = w.Write(toneWAV(t, 400, 16000)[44:])
	})
	s := speakText(t, newChain(t, tts.ChainOptions{Endpoint: e}), "", unknown)
	if got := tonePitch(s.PCM); got < 390 || got > 410 {
		t.Errorf("%.0f Hz, want 400", got)
	}
}

// Whatever an endpoint does, a text that the blocks can speak is spoken, and the endpoint is left alone for a while.
func TestBrokenEndpointsArePassedOver(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"error":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"no key":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"garbage":  func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>not found</html>") },
		"cut":      func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(toneWAV(t, 400, 8000)[:60]) },
		"empty":    func(http.ResponseWriter, *http.Request) {},
		"silence":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(toneWAV(t, 0, 8000)) },
		"endless":  func(w http.ResponseWriter, _ *http.Request) { endlessAnswer(w) },
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"hangs": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then the server sees that the client goes
			<-r.Context().Done()
		},
		"drops": func(w http.ResponseWriter, _ *http.Request) {
			if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
				_ = conn.Close()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked, told atomic.Int32
			e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				if strings.HasSuffix(r.URL.Path, "elsewhere") {
					t.Error("a redirect was followed")
				}
				h(w, r)
			})
			e.Deadline = time.Second
			c := newChain(t, tts.ChainOptions{Endpoint: e, Trouble: func(s tts.VoiceSource, err error) {
				told.Add(1)
				if s != tts.Endpoint || strings.Contains(err.Error(), "secret") {
					t.Errorf("%s: %v", s, err)
				}
			}})
			for _, said := range []string{"مئة ريال", "مئتا ريال", "خمسون ريالا"} {
				s, err := c.Speak(t.Context(), tts.SpeechRequest{Text: said})
				if said == "مئتا ريال" {
					if !errors.Is(err, tts.ErrNoVoice) {
						t.Errorf("%q: %v, want ErrNoVoice", said, err)
					}
					continue
				}
				if err != nil || s.Source != tts.Blocks {
					t.Errorf("%q: %s, %v", said, s.Source, err)
				}
			}
			if asked.Load() != 1 || told.Load() != 1 {
				t.Errorf("asked %d times, told %d times, want once each", asked.Load(), told.Load())
			}
		})
	}
}

func endlessAnswer(w io.Writer) {
	data := append(wavHeader44(), make([]byte, 1<<20)...)
	for {
		if _, err := w.Write(data); err != nil {
			return
		}
		data = data[len(data)-1<<20:]
	}
}

// wavHeader44 is the head of a WAV file that says it never ends.
func wavHeader44() []byte {
	var b bytes.Buffer
	b.WriteString("RIFF\xff\xff\xff\xffWAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00")
	b.WriteString("data\xff\xff\xff\xff")
	return b.Bytes()
}

// handlerTransport is a server without a network.
type handlerTransport func(*http.Request) (*http.Response, error)

func (f handlerTransport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The better voice comes back: what was spoken without the endpoint isn't kept, and its rest ends.
func TestEndpointIsAskedAgainAfterItsRest(t *testing.T) {
	t.Parallel()
	good := toneWAV(t, 400, 8000)
	synctest.Test(t, func(t *testing.T) {
		broken, asked := true, 0
		var mu sync.Mutex
		e := &tts.EndpointOptions{URL: "http://speech.test/v1", Transport: handlerTransport(
			func(r *http.Request) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				asked++
				if broken {
					<-r.Context().Done()
					return nil, r.Context().Err()
				}
				return &http.Response{StatusCode: 200, Body: io.NopCloser(bytes.NewReader(good))}, nil
			},
		)}
		c := newChain(t, tts.ChainOptions{Endpoint: e, Trouble: func(tts.VoiceSource, error) {}})
		begun := time.Now()
		say := func() tts.VoiceSource {
			s, err := c.Speak(t.Context(), tts.SpeechRequest{Text: "مئة ريال"})
			if err != nil {
				t.Fatal(err)
			}
			return s.Source
		}
		if got := say(); got != tts.Blocks || time.Since(begun) != 10*time.Second {
			t.Errorf("%s after %v, want blocks after the deadline of 10 s", got, time.Since(begun))
		}
		if got := say(); got != tts.Blocks || asked != 1 {
			t.Errorf("%s, asked %d times, want a rest", got, asked)
		}
		broken = false
		time.Sleep(11 * time.Second)
		if got := say(); got != tts.Endpoint || asked != 2 {
			t.Errorf("%s, asked %d times, want the endpoint again", got, asked)
		}
	})
}

func TestOneWhoGivesUpDoesNotTakeTheSoundFromOthers(t *testing.T) {
	t.Parallel()
	good := toneWAV(t, 400, 8000)
	synctest.Test(t, func(t *testing.T) {
		e := &tts.EndpointOptions{URL: "http://speech.test/v1", Transport: handlerTransport(
			func(r *http.Request) (*http.Response, error) {
				select {
				case <-time.After(5 * time.Second):
				case <-r.Context().Done():
					return nil, r.Context().Err()
				}
				return &http.Response{StatusCode: 200, Body: io.NopCloser(bytes.NewReader(good))}, nil
			},
		)}
		c := newChain(t, tts.ChainOptions{Endpoint: e})
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var both sync.WaitGroup
		both.Go(func() {
			if _, err := c.Speak(short, tts.SpeechRequest{Text: unknown}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("who gave up: %v", err)
			}
		})
		both.Go(func() {
			time.Sleep(time.Millisecond)
			s, err := c.Speak(t.Context(), tts.SpeechRequest{Text: unknown})
			if err != nil || s.Source != tts.Endpoint {
				t.Errorf("who waited: %s, %v", s.Source, err)
			}
		})
		both.Wait()
	})
}

func TestEndpointMustBeAnAddress(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "speech", "ftp://host/v1", "http://", "http://a b/v1", "file:///etc/passwd"} {
		_, err := tts.NewChain(tts.ChainOptions{Bundle: clipNames(t), Endpoint: &tts.EndpointOptions{URL: url}})
		if err == nil {
			t.Errorf("%q was taken", url)
		}
	}
}
