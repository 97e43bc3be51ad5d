package realtime_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/stt/realtime"
	"munadi/engine"
)

// scriptedStream is a recognition stream with scripted results, one batch of events per push.
type scriptedStream struct {
	mu      sync.Mutex
	batches [][]engine.StreamEvent
	flush   []engine.StreamEvent
	options engine.StreamOptions
	pushed  int
	dropped bool

	decoding chan struct{} // not nil: each flush sends when it begins, and waits for finished or its context
	finished chan struct{}
}

func (s *scriptedStream) Push(_ context.Context, samples []float32) ([]engine.StreamEvent, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pushed += len(samples)
	if len(s.batches) == 0 {
		return nil, nil
	}
	next := s.batches[0]
	s.batches = s.batches[1:]
	return next, nil
}

func (s *scriptedStream) Flush(ctx context.Context) ([]engine.StreamEvent, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.flush
	s.flush = nil // as in the engine: a turn ends once
	if s.decoding != nil && out != nil {
		s.decoding <- struct{}{}
		select {
		case <-s.finished:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return out, nil
}

func (s *scriptedStream) Tune(o engine.StreamOptions) error { s.options = o; return nil }
func (s *scriptedStream) Discard()                          { s.dropped = true }

// realtimeFixture is a listener with the door and a client.
type realtimeFixture struct {
	*testing.T
	script *scriptedStream
	deps   realtime.Dependencies
	door   *realtime.RealtimeService
	url    string
}

var errKey = &middleware.HTTPProblem{Status: http.StatusUnauthorized, Detail: "no key", Challenge: "Bearer"}

func newRealtimeFixture(t *testing.T, change ...func(*realtime.Dependencies)) *realtimeFixture {
	t.Helper()
	b := &realtimeFixture{T: t, script: &scriptedStream{}}
	b.deps = realtime.Dependencies{
		OpenStream: func(o engine.StreamOptions) (realtime.RecognitionStream, error) {
			b.script.options = o
			return b.script, nil
		},
		Transcribe: func(_ context.Context, src engine.SampleSource, _ engine.TranscribeOptions) (*engine.Result, error) {
			n, buf := 0, make([]float32, 1000)
			for {
				m, err := src.Read(buf)
				if n += m; errors.Is(err, io.EOF) {
					break
				}
			}
			return &engine.Result{Text: strings.Repeat("كلمة ", n/16000) + "نهاية"}, nil
		},
		Admit: func(_ echo.Context, key string) (auth.Principal, error) {
			if key != "" && key != "right-key" {
				return auth.Principal{}, errKey
			}
			return auth.Principal{OrgID: "org"}, nil
		},
		Draining: func() bool { return false }, Log: slog.New(slog.DiscardHandler), Limits: realtime.DefaultLimits(),
	}
	for _, f := range change {
		f(&b.deps)
	}
	e := echo.New()
	e.HTTPErrorHandler = middleware.ErrorHandler()
	b.door = realtime.NewService(b.deps)
	b.door.MountRoutes(e)
	ts := httptest.NewServer(e)
	t.Cleanup(ts.Close)
	b.url = ts.URL + realtime.Paths[0]
	return b
}

// testClient is one session as its client sees it.
type testClient struct {
	*testing.T
	conn *websocket.Conn
}

func (b *realtimeFixture) dialSession(beta bool) *testClient {
	b.Helper()
	h := http.Header{}
	if beta {
		h.Set("OpenAI-Beta", "realtime=v1")
	}
	conn, _, err := websocket.Dial(b.Context(), b.url+"?intent=transcription", &websocket.DialOptions{HTTPHeader: h})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.CloseNow() })
	return &testClient{b.T, conn}
}

func (c *testClient) sendEvent(text string) {
	c.Helper()
	if err := c.conn.Write(c.Context(), websocket.MessageText, []byte(text)); err != nil {
		c.Fatal(err)
	}
}

func (c *testClient) nextEvent() map[string]any {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	_, raw, err := c.conn.Read(ctx)
	if err != nil {
		c.Fatal(err)
	}
	var e map[string]any
	if err := json.Unmarshal(raw, &e); err != nil {
		c.Fatal(err)
	}
	if id, _ := e["event_id"].(string); !strings.HasPrefix(id, "event_") {
		c.Errorf("an event without its id: %s", raw)
	}
	return e
}

// awaitRead waits until the service has read all that was sent: it answers a ping after that. The client reads on.
func (c *testClient) awaitRead() {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	go func() {
		for {
			if _, _, err := c.conn.Read(c.Context()); err != nil {
				return
			}
		}
	}()
	if err := c.conn.Ping(ctx); err != nil {
		c.Fatal(err)
	}
}

// wantEvent takes an event of a type.
func (c *testClient) wantEvent(kind string) map[string]any {
	c.Helper()
	e := c.nextEvent()
	if e["type"] != kind {
		c.Fatalf("got %v, want %s", e, kind)
	}
	return e
}

// wantError takes an error with a code and parameter; the session goes on.
func (c *testClient) wantError(code string, param any) map[string]any {
	c.Helper()
	e, _ := c.wantEvent("error")["error"].(map[string]any)
	if e["code"] != code || e["param"] != param || e["type"] != "invalid_request_error" || e["message"] == "" {
		c.Errorf("error %v, want %s of %v", e, code, param)
	}
	return e
}

// soundDecoder is an append of n samples at 24 kHz.
func soundDecoder(samples int) string {
	return `{"type":"input_audio_buffer.append","audio":"` + base64.StdEncoding.EncodeToString(make([]byte, 2*samples)) + `"}`
}

func TestBadEventsAreAnswered(t *testing.T) {
	t.Parallel()
	c := newRealtimeFixture(t).dialSession(false)
	c.wantEvent("session.created")
	for _, bad := range []struct {
		event, code string
		param       any
	}{
		{`no json`, "invalid_json", "event"},
		{`[]`, "invalid_type", "event"},
		{`{"type":7}`, "invalid_type", "event.type"},
		{`{}`, "missing_required_parameter", "type"},
		{`{"type":"response.create"}`, "invalid_value", "type"},
		{`{"type":"input_audio_buffer.append"}`, "missing_required_parameter", "audio"},
		{`{"type":"input_audio_buffer.append","audio":"***"}`, "invalid_value", "audio"},
		{`{"type":"input_audio_buffer.commit"}`, "input_audio_buffer_commit_empty", nil},
		{`{"type":"session.update"}`, "missing_required_parameter", "session"},
		{`{"type":"session.update","session":{"type":"realtime"}}`, "invalid_value", "session.type"},
		{`{"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/mp3"}}}}}`, "invalid_value", "session.audio.input.format.type"},
		{`{"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/pcm","rate":44100}}}}}`, "invalid_value", "session.audio.input.format.rate"},
		{`{"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/pcm","rate":"fast"}}}}}`, "invalid_value", "session.audio.input.format.rate"},
		{`{"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/pcmu","rate":16000}}}}}`, "invalid_value", "session.audio.input.format.rate"},
		{`{"type":"transcription_session.update","session":{"input_audio_format":"pcm16","input_audio_sample_rate":8000}}`, "invalid_value", "session.input_audio_sample_rate"},
		{`{"type":"session.update","session":{"audio":{"input":{"transcription":{"language":"fr"}}}}}`, "invalid_value", "session.audio.input.transcription.language"},
		{`{"type":"session.update","session":{"audio":{"input":{"transcription":{"latency_ms":-1}}}}}`, "decimal_below_min_value", "session.audio.input.transcription.latency_ms"},
		{`{"type":"session.update","session":{"audio":{"input":{"transcription":{"latency_ms":10001}}}}}`, "decimal_above_max_value", "session.audio.input.transcription.latency_ms"},
		{`{"type":"transcription_session.update","session":{"input_audio_format":"mp3"}}`, "invalid_value", "session.input_audio_format"},
		{`{"type":"transcription_session.update","session":{"turn_detection":{"type":"psychic"}}}`, "invalid_value", "session.turn_detection.type"},
		{`{"type":"transcription_session.update","session":{"turn_detection":{"threshold":2}}}`, "decimal_above_max_value", "session.turn_detection.threshold"},
		{`{"type":"transcription_session.update","session":{"turn_detection":{"silence_duration_ms":-1}}}`, "decimal_below_min_value", "session.turn_detection.silence_duration_ms"},
		{`{"type":"session.update","session":{"audio":{"input":{"noise_reduction":{"type":"loud"}}}}}`, "invalid_value", "session.audio.input.noise_reduction.type"},
		{`{"type":"transcription_session.update","session":{"input_audio_noise_reduction":{"type":"loud"}}}`, "invalid_value", "session.input_audio_noise_reduction.type"},
		{`{"type":"transcription_session.update","session":{"include":["all"]}}`, "invalid_value", "session.include"},
	} {
		c.sendEvent(bad.event)
		c.wantError(bad.code, bad.param)
	}
	c.sendEvent(`{"type":"session.update","session":{"audio":{"input":{"format":{"type":"audio/pcm","rate":8000.5}}}}}`)
	if e := c.wantError("invalid_value", "session.audio.input.format.rate"); !strings.Contains(fmt.Sprint(e["message"]), "'24000', '16000'") {
		t.Errorf("the message does not say which rates are accepted: %v", e["message"])
	}
	c.sendEvent(`{"type":"what","event_id":"mine"}`)
	if e := c.wantError("invalid_value", "type"); e["event_id"] != "mine" {
		t.Errorf("the client's event is not named: %v", e)
	}
	c.sendEvent(`{"type":"input_audio_buffer.append","audio":5,"event_id":"mine"}`)
	if e := c.wantError("invalid_type", "event.audio"); e["event_id"] != "mine" {
		t.Errorf("the client's event is not named: %v", e)
	}
	c.sendEvent(`{"type":"input_audio_buffer.clear"}`)
	c.wantEvent("input_audio_buffer.cleared")
}

// TestTurn: a turn's events come in their order, in both spellings.
func TestTurn(t *testing.T) {
	t.Parallel()
	for _, beta := range []bool{false, true} {
		b := newRealtimeFixture(t)
		b.script.batches = [][]engine.StreamEvent{
			{{Type: engine.SpeechStarted, Start: 1, At: 1.1}},
			{{Type: engine.Partial, Start: 1, Text: "السلام"}},
			{{Type: engine.Partial, Start: 1, Text: "السلام عليك"}},
			{{Type: engine.Final, Start: 1, End: 2, At: 2.5, Text: "السلام عليكم"}},
		}
		c := b.dialSession(beta)
		session := "session"
		if beta {
			session = "transcription_session"
		}
		c.wantEvent(session + ".created")
		say := func() { // and have it heard by itself: an update comes after what was said before
			c.sendEvent(soundDecoder(2400))
			c.sendEvent(`{"type":"` + session + `.update","session":{}}`)
		}
		say()
		item := c.wantEvent("input_audio_buffer.speech_started")
		if item["audio_start_ms"] != 700.0 {
			t.Errorf("began at %v ms, want 700: the prefix counts", item["audio_start_ms"])
		}
		c.wantEvent(session + ".updated")
		say()
		c.wantEvent(session + ".updated") // one text alone gives no delta
		say()
		if e := c.wantEvent("conversation.item.input_audio_transcription.delta"); e["delta"] != "السلام" {
			t.Errorf("the first delta is %v", e)
		}
		c.wantEvent(session + ".updated")
		c.sendEvent(soundDecoder(2400))
		if e := c.wantEvent("input_audio_buffer.speech_stopped"); e["audio_end_ms"] != 2500.0 || e["item_id"] != item["item_id"] {
			t.Errorf("stopped: %v", e)
		}
		if e := c.wantEvent("input_audio_buffer.committed"); e["item_id"] != item["item_id"] || e["previous_item_id"] != nil {
			t.Errorf("committed: %v", e)
		}
		if beta {
			c.wantEvent("conversation.item.created")
		} else {
			c.wantEvent("conversation.item.added")
			c.wantEvent("conversation.item.done")
		}
		if e := c.wantEvent("conversation.item.input_audio_transcription.delta"); e["delta"] != " عليكم" {
			t.Errorf("the rest is %v", e)
		}
		done := c.wantEvent("conversation.item.input_audio_transcription.completed")
		usage, _ := done["usage"].(map[string]any)
		if done["transcript"] != "السلام عليكم" || done["content_index"] != 0.0 || usage["seconds"] != 1.0 || usage["type"] != "duration" {
			t.Errorf("completed: %v", done)
		}
	}
}

// TestManualCommit: without turn detection a commit makes an item of what was sent.
func TestManualCommit(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) { d.Limits.Buffer = 3 * time.Second })
	c := b.dialSession(false)
	c.wantEvent("session.created")
	c.sendEvent(`{"type":"session.update","session":{"type":"transcription","audio":{"input":{"turn_detection":null,"format":{"type":"audio/pcm","rate":16000}}}}}`)
	updated := c.wantEvent("session.updated")
	if text, _ := json.Marshal(updated); !strings.Contains(string(text), `"turn_detection":null`) || !strings.Contains(string(text), `"rate":16000`) {
		t.Errorf("updated: %s", text)
	}
	c.sendEvent(soundDecoder(800))
	c.sendEvent(`{"type":"input_audio_buffer.commit"}`)
	c.wantError("input_audio_buffer_commit_empty", nil)
	c.sendEvent(soundDecoder(16000))
	c.sendEvent(soundDecoder(16000))
	c.sendEvent(`{"type":"input_audio_buffer.commit"}`)
	c.wantEvent("input_audio_buffer.committed")
	c.wantEvent("conversation.item.added")
	c.wantEvent("conversation.item.done")
	c.wantEvent("conversation.item.input_audio_transcription.delta")
	if e := c.wantEvent("conversation.item.input_audio_transcription.completed"); e["transcript"] != "كلمة كلمة نهاية" {
		t.Errorf("completed: %v", e)
	}
	for range 4 {
		c.sendEvent(soundDecoder(15000))
	}
	c.wantError("input_audio_buffer_full", "audio")
}

// TestOptionsReachTheEngine: what a client wishes of the server's turn detection, and its phrases.
func TestOptionsReachTheEngine(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t)
	c := b.dialSession(true)
	c.wantEvent("transcription_session.created")
	c.sendEvent(`{"type":"transcription_session.update","session":{"input_audio_format":"g711_ulaw","input_audio_transcription":{"model":"whisper-1","prompt":"برجر, بطاطس","latency_ms":160},"turn_detection":{"type":"server_vad","threshold":0.7,"silence_duration_ms":900}}}`)
	session, _ := c.wantEvent("transcription_session.updated")["session"].(map[string]any)
	spoken, _ := session["input_audio_transcription"].(map[string]any)
	if session["input_audio_format"] != "g711_ulaw" || spoken["latency_ms"] != 160.0 {
		t.Errorf("session %v", session)
	}
	c.sendEvent(soundDecoder(4000)) // 8000 bytes: a second
	c.sendEvent(`{"type":"input_audio_buffer.commit"}`)
	c.wantEvent("input_audio_buffer.committed")
	o := b.script.options
	if o.Threshold != 0.7 || o.EndSilence != 900*time.Millisecond || !slices.Equal(o.Phrases, []string{"برجر", "بطاطس"}) ||
		o.Latency != 160*time.Millisecond {
		t.Errorf("options %+v", o)
	}
	if b.script.pushed < 15000 || b.script.pushed > 16000 {
		t.Errorf("a second at 8 kHz became %d samples", b.script.pushed)
	}
}

// TestBetaFieldsOfSessionUpdate: session.update accepts the flat names of the beta in addition to the current ones.
func TestBetaFieldsOfSessionUpdate(t *testing.T) {
	t.Parallel()
	c := newRealtimeFixture(t).dialSession(false)
	c.wantEvent("session.created")
	c.sendEvent(`{"type":"session.update","session":{"input_audio_format":"g711_alaw","turn_detection":{"type":"server_vad","threshold":0.7},"audio":{"input":{"turn_detection":{"silence_duration_ms":900}}}}}`)
	text, _ := json.Marshal(c.wantEvent("session.updated"))
	for _, want := range []string{`"type":"audio/pcma"`, `"threshold":0.7`, `"silence_duration_ms":900`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
	c.sendEvent(`{"type":"session.update","session":{"input_audio_format":"mp3"}}`)
	c.wantError("invalid_value", "session.input_audio_format")
}

// TestKeyIsTheOnlySubprotocol: a browser that offers nothing else must see it taken.
func TestKeyIsTheOnlySubprotocol(t *testing.T) {
	t.Parallel()
	const offered = "openai-insecure-api-key.right-key"
	conn, _, err := websocket.Dial(t.Context(), newRealtimeFixture(t).url, &websocket.DialOptions{Subprotocols: []string{offered}})
	if err != nil || conn.Subprotocol() != offered {
		t.Fatalf("%v: subprotocol of %v", err, conn)
	}
	_ = conn.CloseNow()
}

func TestRefusedBeforeTheUpgrade(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) { d.Limits.Sessions = 1 })
	for _, refusal := range []struct {
		query string
		keys  []string
		want  int
	}{
		{"?intent=transcription", []string{"realtime", "openai-insecure-api-key.wrong"}, 401},
		{"?intent=conversation", []string{"realtime", "openai-insecure-api-key.right-key"}, 400},
	} {
		_, res, err := websocket.Dial(t.Context(), b.url+refusal.query, &websocket.DialOptions{Subprotocols: refusal.keys})
		if err == nil || res == nil || res.StatusCode != refusal.want {
			t.Errorf("%v: %v, %v", refusal, res, err)
		}
	}
	conn, res, err := websocket.Dial(t.Context(), b.url, &websocket.DialOptions{
		Subprotocols: []string{"realtime", "openai-insecure-api-key.right-key", "openai-beta.realtime-v1"},
	})
	if err != nil || conn.Subprotocol() != "realtime" {
		t.Fatalf("subprotocol %v, %v", res, err)
	}
	defer func() { _ = conn.CloseNow() }()
	(&testClient{t, conn}).wantEvent("transcription_session.created")
	if _, res, err := websocket.Dial(t.Context(), b.url, nil); err == nil || res.StatusCode != 429 || res.Header.Get("Retry-After") == "" {
		t.Errorf("one too many: %v, %v", res, err)
	}
	if res, err := http.Get(b.url); err != nil || res.StatusCode != 426 && res.StatusCode != 429 { //nolint:noctx // a plain request
		t.Errorf("no upgrade: %v, %v", res, err)
	}
}

// TestIdleAndShutdown: a session that is idle for too long, or open at a shutdown, gets the reason of its end.
func TestIdleAndShutdown(t *testing.T) {
	t.Parallel()
	for code, change := range map[string]func(*realtime.Dependencies){
		"session_idle":    func(d *realtime.Dependencies) { d.Limits.Idle = 50 * time.Millisecond },
		"server_shutdown": func(d *realtime.Dependencies) { d.Draining = func() bool { return true } },
	} {
		c := newRealtimeFixture(t, change).dialSession(false)
		c.wantEvent("session.created")
		if e, _ := c.wantEvent("error")["error"].(map[string]any); e["code"] != code {
			t.Errorf("%v, want %s", e, code)
		}
		if _, _, err := c.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("%s: closed with %v", code, err)
		}
	}
}

// TestLongPrompts: the form's limit counts characters, not bytes.
func TestLongPrompts(t *testing.T) {
	t.Parallel()
	c := newRealtimeFixture(t).dialSession(false)
	c.conn.SetReadLimit(1 << 20)
	c.wantEvent("session.created")
	update := func(prompt string) {
		c.sendEvent(`{"type":"session.update","session":{"audio":{"input":{"transcription":{"prompt":"` + prompt + `"}}}}}`)
	}
	update(strings.Repeat("ق", 16384))
	c.wantEvent("session.updated")
	update(strings.Repeat("ق", 16385))
	c.wantError("string_above_max_length", "session.audio.input.transcription.prompt")
}

// TestSettingsAreKept: what an update does not name stays as it was, and null takes it away.
func TestSettingsAreKept(t *testing.T) {
	t.Parallel()
	c := newRealtimeFixture(t).dialSession(false)
	c.wantEvent("session.created")
	input := func(update string) map[string]any {
		c.sendEvent(`{"type":"session.update","session":{"type":"transcription","audio":{"input":` + update + `}}}`)
		session, _ := c.wantEvent("session.updated")["session"].(map[string]any)
		sound, _ := session["audio"].(map[string]any)
		in, _ := sound["input"].(map[string]any)
		return in
	}
	input(`{"noise_reduction":{"type":"near_field","strength":0.5},"turn_detection":{"type":"server_vad","threshold":0.7}}`)
	kept := input(`{"noise_reduction":{"type":"far_field"},"turn_detection":{"silence_duration_ms":300}}`)
	if text, _ := json.Marshal(kept["noise_reduction"]); string(text) != `{"strength":0.5,"type":"far_field"}` {
		t.Errorf("noise reduction %s", text)
	}
	turns, _ := kept["turn_detection"].(map[string]any)
	if turns["threshold"] != 0.7 || turns["silence_duration_ms"] != 300.0 || turns["prefix_padding_ms"] != 300.0 {
		t.Errorf("turn detection %v", turns)
	}
	if gone := input(`{"noise_reduction":null,"turn_detection":null}`); gone["noise_reduction"] != nil || gone["turn_detection"] != nil {
		t.Errorf("still there: %v", gone)
	}
}

// recordingObserver is an observer that records what it receives.
type recordingObserver struct {
	mu    sync.Mutex
	texts []string
	ended chan struct{}
}

func (r *recordingObserver) AddSound([]float32) {}
func (r *recordingObserver) EndSession()        { close(r.ended) }
func (r *recordingObserver) AddEvent(e engine.StreamEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts = append(r.texts, e.Text)
}

// TestLastWordsAreKept: however a session ends, the observer gets the last turn; a client that is still connected at a
// shutdown gets it too.
func TestLastWordsAreKept(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, end := range map[string]func(c *testClient, draining *atomic.Bool){
		"closed":   func(c *testClient, _ *atomic.Bool) { _ = c.conn.Close(websocket.StatusNormalClosure, "") },
		"vanished": func(c *testClient, _ *atomic.Bool) { _ = c.conn.CloseNow() },
		"shutdown": func(c *testClient, draining *atomic.Bool) {
			draining.Store(true)
			c.wantEvent("input_audio_buffer.committed")
			c.wantEvent("conversation.item.added")
			c.wantEvent("conversation.item.done")
			c.wantEvent("conversation.item.input_audio_transcription.delta")
			if e := c.wantEvent("conversation.item.input_audio_transcription.completed"); e["transcript"] != "آخر كلمة" {
				c.Errorf("completed: %v", e)
			}
			c.wantEvent("error")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var draining atomic.Bool
			kept := &recordingObserver{ended: make(chan struct{})}
			b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
				d.Draining = draining.Load
				d.Observer = func(auth.Principal) realtime.SessionObserver { return kept }
			})
			b.script.flush = []engine.StreamEvent{{Type: engine.Final, Start: 1, End: 2, Text: "آخر كلمة"}}
			c := b.dialSession(false)
			c.wantEvent("session.created")
			c.sendEvent(soundDecoder(2400))
			c.sendEvent(`{"type":"session.update","session":{}}`)
			c.wantEvent("session.updated")
			end(c, &draining)
			<-kept.ended
			if !slices.Equal(kept.texts, []string{"آخر كلمة"}) {
				t.Errorf("kept %q", kept.texts)
			}
		})
	}
}

// TestWordsOfAClientThatLeavesAreKept: the client commits its last words and goes while they are decoded, and before
// what it sent last was looked at.
func TestWordsOfAClientThatLeavesAreKept(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(c *testClient){
		"closed":   func(c *testClient) { _ = c.conn.Close(websocket.StatusNormalClosure, "") },
		"vanished": func(c *testClient) { _ = c.conn.CloseNow() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept := &recordingObserver{ended: make(chan struct{})}
			b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
				d.Observer = func(auth.Principal) realtime.SessionObserver { return kept }
			})
			b.script.flush = []engine.StreamEvent{{Type: engine.Final, Start: 1, End: 2, Text: "آخر كلمة"}}
			b.script.batches = [][]engine.StreamEvent{nil, {{Type: engine.Final, Start: 3, End: 4, Text: "بعدها"}}}
			b.script.decoding, b.script.finished = make(chan struct{}), make(chan struct{})
			c := b.dialSession(false)
			c.wantEvent("session.created")
			c.sendEvent(soundDecoder(4800))
			c.sendEvent(`{"type":"input_audio_buffer.commit"}`)
			c.sendEvent(soundDecoder(4800))
			<-b.script.decoding
			c.awaitRead()
			leave(c)
			close(b.script.finished)
			<-kept.ended
			if want := []string{"آخر كلمة", "بعدها"}; !slices.Equal(kept.texts, want) {
				t.Errorf("kept %q, want %q", kept.texts, want)
			}
		})
	}
}

// TestHalfASampleEndsWithItsBuffer: an odd byte at a buffer's end does not shift the samples of the next buffer.
func TestHalfASampleEndsWithItsBuffer(t *testing.T) {
	t.Parallel()
	var heard []float32
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Transcribe = func(_ context.Context, src engine.SampleSource, _ engine.TranscribeOptions) (*engine.Result, error) {
			heard = make([]float32, 3200)
			n, _ := src.Read(heard)
			heard = heard[:n]
			return &engine.Result{Text: "نهاية"}, nil
		}
	})
	c := b.dialSession(false)
	c.wantEvent("session.created")
	c.sendEvent(`{"type":"session.update","session":{"type":"transcription","audio":{"input":{"turn_detection":null,"format":{"type":"audio/pcm","rate":16000}}}}}`)
	c.wantEvent("session.updated")
	halved := func(ends string) {
		c.sendEvent(`{"type":"input_audio_buffer.append","audio":"AA=="}`)
		c.sendEvent(`{"type":"` + ends + `"}`)
	}
	appendOnes := func() {
		ones := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x01\x00", 3200)))
		c.sendEvent(`{"type":"input_audio_buffer.append","audio":"` + ones + `"}`)
	}
	commit := func() {
		for _, kind := range []string{
			"input_audio_buffer.committed", "conversation.item.added", "conversation.item.done",
			"conversation.item.input_audio_transcription.delta", "conversation.item.input_audio_transcription.completed",
		} {
			c.wantEvent(kind)
		}
		if len(heard) == 0 || heard[0] != 1.0/32768 {
			t.Errorf("the recognizer heard %v…", heard[:min(len(heard), 3)])
		}
	}
	halved("input_audio_buffer.clear")
	c.wantEvent("input_audio_buffer.cleared")
	for range 2 { // the first buffer ends with half a sample, too
		appendOnes()
		halved("input_audio_buffer.commit")
		commit()
	}
}
