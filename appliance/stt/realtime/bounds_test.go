package realtime_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/stt/realtime"
	"munadi/engine"
)

// patience is the longest time for what takes a moment on an idle machine.
const patience = 2 * time.Minute

const manual = `{"type":"session.update","session":{"type":"transcription","audio":{"input":{"turn_detection":null,"format":{"type":"audio/pcm","rate":16000}}}}}`

// dialAs opens a session of the organization that the key is of.
func (b *realtimeFixture) dialAs(org string) (*testClient, int) {
	b.Helper()
	conn, res, err := websocket.Dial(b.Context(), b.url, &websocket.DialOptions{
		Subprotocols: []string{"realtime", "openai-insecure-api-key." + org},
	})
	if err != nil && res == nil {
		b.Fatal(err)
	}
	if err != nil {
		return nil, res.StatusCode
	}
	b.Cleanup(func() { _ = conn.CloseNow() })
	c := &testClient{b.T, conn}
	c.wantEvent("session.created")
	return c, res.StatusCode
}

// TestOneOrganizationLeavesRoom: sessions are counted by organization, and in all.
func TestOneOrganizationLeavesRoom(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Limits.Sessions, d.Limits.Share = 3, 2
		d.Admit = func(_ echo.Context, key string) (auth.Principal, error) { return auth.Principal{OrgID: key}, nil }
	})
	first, _ := b.dialAs("bakery")
	for i, want := range []struct {
		org    string
		status int
	}{{"bakery", 101}, {"bakery", 429}, {"airline", 101}, {"airline", 429}} {
		if _, got := b.dialAs(want.org); got != want.status {
			t.Errorf("session %d, of %s: %d, want %d", i, want.org, got, want.status)
		}
	}
	if n := b.door.CountSessions(); n != 3 {
		t.Errorf("%d sessions are counted, want 3", n)
	}
	_ = first.conn.Close(websocket.StatusNormalClosure, "")
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if _, got := b.dialAs("bakery"); got == 101 {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("after one has ended: %d", got)
		}
	}
}

// TestSharesOfAFastMachine checks that one organization may open half of the sessions that a fast machine recognizes.
func TestSharesOfAFastMachine(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Limits.Share, d.Room = 2, func() int { return 6 }
		d.Admit = func(_ echo.Context, key string) (auth.Principal, error) { return auth.Principal{OrgID: key}, nil }
	})
	for i, want := range []struct {
		org    string
		status int
	}{
		{"bakery", 101},
		{"bakery", 101},
		{"bakery", 101},
		{"bakery", 429},
		{"airline", 101},
		{"airline", 101},
		{"airline", 101},
		{"clinic", 429},
	} {
		if _, got := b.dialAs(want.org); got != want.status {
			t.Errorf("session %d, of %s: %d, want %d", i, want.org, got, want.status)
		}
	}
}

// TestUncommittedSoundIsBounded: what all sessions hold together, and that it is given back.
func TestUncommittedSoundIsBounded(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) { d.Limits.Buffer, d.Limits.Buffers = 3*time.Second, 4*time.Second })
	begin := func() *testClient {
		c := b.dialSession(false)
		c.wantEvent("session.created")
		c.sendEvent(manual)
		c.wantEvent("session.updated")
		return c
	}
	hold := func(c *testClient) { // 2.5 s, which come back as words if there is room
		c.sendEvent(soundDecoder(40000))
		c.sendEvent(`{"type":"nonsense"}`)
	}
	first, second := begin(), begin()
	hold(first)
	first.wantError("invalid_value", "type")
	hold(second)
	if e := second.wantError("input_audio_buffer_full", "audio"); !strings.Contains(e["message"].(string), "try again later") {
		t.Errorf("the client is told %v", e["message"])
	}
	second.wantError("invalid_value", "type")
	for _, free := range []func(){
		func() {
			first.sendEvent(`{"type":"input_audio_buffer.clear"}`)
			first.wantEvent("input_audio_buffer.cleared")
		},
		func() {
			first.sendEvent(`{"type":"input_audio_buffer.commit"}`)
			for first.nextEvent()["type"] != "conversation.item.input_audio_transcription.completed" {
			}
			first.sendEvent(manual) // answered when the audio is released
			first.wantEvent("session.updated")
		},
		func() {
			first.sendEvent(strings.Replace(manual, `"turn_detection":null,`, `"turn_detection":{"type":"server_vad"},`, 1))
			first.wantEvent("session.updated")
		},
	} {
		free()
		hold(second)
		second.wantError("invalid_value", "type")
		second.sendEvent(`{"type":"input_audio_buffer.clear"}`)
		second.wantEvent("input_audio_buffer.cleared")
		first.sendEvent(manual)
		first.wantEvent("session.updated")
		hold(first)
		first.wantError("invalid_value", "type")
	}
	_ = first.conn.CloseNow()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		hold(second)
		if e, _ := second.wantEvent("error")["error"].(map[string]any); e["code"] == "invalid_value" {
			break
		}
		second.wantError("invalid_value", "type")
		if time.Now().After(deadline) {
			t.Fatal("a session that ended still holds its sound")
		}
	}
}

// TestLargeEvents: large events are processed completely, one at a time; an incomplete one is not.
func TestLargeEvents(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) { d.Limits.Waiting, d.Limits.Bulk = 1000, 1 })
	first, second := b.dialSession(false), b.dialSession(false)
	for _, c := range []*testClient{first, second} {
		c.wantEvent("session.created")
		for range 3 {
			c.sendEvent(soundDecoder(240000)) // 10 s
		}
	}
	for _, c := range []*testClient{first, second} {
		c.sendEvent(`{"type":"input_audio_buffer.clear"}`)
		c.wantEvent("input_audio_buffer.cleared")
	}
	b.script.mu.Lock()
	if want := 2 * 3 * 160000; b.script.pushed < want-6000 || b.script.pushed > want {
		t.Errorf("%d samples were heard, want %d", b.script.pushed, want)
	}
	b.script.mu.Unlock()
	broken := soundDecoder(240000)
	first.sendEvent(broken[:len(broken)-9] + `*` + broken[len(broken)-8:])
	first.wantError("invalid_value", "audio")
	first.sendEvent(`{"type":"input_audio_buffer.commit"}`)
	first.wantError("input_audio_buffer_commit_empty", nil)
}

// TestUncommittedSoundOfOneOrganization: one that holds its share leaves room for another's.
func TestUncommittedSoundOfOneOrganization(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Limits.Buffers, d.Limits.BuffersShare = 6*time.Second, 3*time.Second
		d.Admit = func(_ echo.Context, key string) (auth.Principal, error) { return auth.Principal{OrgID: key}, nil }
	})
	for i, c := range []struct {
		org  string
		room bool
	}{{"bakery", true}, {"bakery", false}, {"airline", true}, {"airline", false}} {
		s, _ := b.dialAs(c.org)
		s.sendEvent(manual)
		s.wantEvent("session.updated")
		s.sendEvent(soundDecoder(40000)) // 2.5 s
		if !c.room {
			if e := s.wantError("input_audio_buffer_full", "audio"); !strings.Contains(e["message"].(string), "your organization") {
				t.Errorf("session %d, of %s: it is told %v", i, c.org, e["message"])
			}
		}
		s.sendEvent(`{"type":"nonsense"}`)
		s.wantError("invalid_value", "type")
	}
}

// TestLargeEventsOfOneOrganization: one whose large events are all being heard leaves room for another's.
func TestLargeEventsOfOneOrganization(t *testing.T) {
	t.Parallel()
	let := make(chan struct{})
	hearings := make(chan realtime.RecognitionStream, 3)
	hearings <- &stuckStream{let: let}
	hearings <- &stuckStream{let: let}
	hearings <- &scriptedStream{}
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Limits.Waiting, d.Limits.Bulk, d.Limits.BulkShare = 1000, 2, 1
		d.OpenStream = func(engine.StreamOptions) (realtime.RecognitionStream, error) { return <-hearings, nil }
		d.Admit = func(_ echo.Context, key string) (auth.Principal, error) { return auth.Principal{OrgID: key}, nil }
	})
	for range 2 { // the second waits for its organization's slot
		c, _ := b.dialAs("bakery")
		c.sendEvent(soundDecoder(240000))
	}
	for deadline := time.Now().Add(patience); len(hearings) > 2; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the first organization's event is not heard")
		}
	}
	<-hearings
	other, _ := b.dialAs("airline")
	other.sendEvent(soundDecoder(240000))
	other.sendEvent(`{"type":"input_audio_buffer.clear"}`)
	other.wantEvent("input_audio_buffer.cleared")
	hearings <- &scriptedStream{}
	close(let)
}

// TestSlowLargeEvent: large events that arrive slowly hold up no others, and are processed when they have come.
func TestSlowLargeEvent(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Spool = t.TempDir()
		d.Limits.Waiting, d.Limits.Bulk, d.Limits.BulkShare = 1000, 1, 1
		d.Limits.Ping, d.Limits.Pong = 400*time.Millisecond, 100*time.Millisecond
	})
	slow := b.dialSession(false)
	slow.wantEvent("session.created")
	event := soundDecoder(240000)
	w, err := slow.conn.Writer(t.Context(), websocket.MessageText)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 { // longer than a client has for its answer to a ping
		if _, err := io.WriteString(w, event[i*len(event)/10:(i+1)*len(event)/10]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	other := b.dialSession(false)
	other.wantEvent("session.created")
	other.sendEvent(event)
	other.sendEvent(`{"type":"input_audio_buffer.clear"}`)
	other.wantEvent("input_audio_buffer.cleared")
	if _, err := io.WriteString(w, event[8*len(event)/10:]); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	slow.sendEvent(`{"type":"input_audio_buffer.clear"}`)
	slow.wantEvent("input_audio_buffer.cleared")
}

// stuckStream blocks until it is released.
type stuckStream struct {
	scriptedStream
	let <-chan struct{}
}

func (s *stuckStream) Push(ctx context.Context, samples []float32) ([]engine.StreamEvent, error) {
	<-s.let
	return s.scriptedStream.Push(ctx, samples)
}

// TestBusyServiceKeepsItsClient: one that is not read from can't answer a ping, and is not taken for gone.
func TestBusyServiceKeepsItsClient(t *testing.T) {
	t.Parallel()
	let := make(chan struct{})
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Limits.Waiting, d.Limits.Ping, d.Limits.Pong = 30000, 20*time.Millisecond, time.Second
		d.OpenStream = func(engine.StreamOptions) (realtime.RecognitionStream, error) { return &stuckStream{let: let}, nil }
	})
	c := b.dialSession(false)
	c.wantEvent("session.created")
	for range 8 {
		c.sendEvent(soundDecoder(8000))
	}
	c.sendEvent(`{"type":"input_audio_buffer.clear"}`)
	time.Sleep(1500 * time.Millisecond) // more than a client has for its answer
	close(let)
	c.wantEvent("input_audio_buffer.cleared")
}

// brokenHearing breaks down when it hears.
type brokenHearing struct{ scriptedStream }

func (*brokenHearing) Push(context.Context, []float32) ([]engine.StreamEvent, error) {
	panic("index out of range")
}

// TestBreakdownEndsOneSession: after a panic the client gets an error, the log has the stack, and others continue.
func TestBreakdownEndsOneSession(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	hearings := make(chan realtime.RecognitionStream, 2)
	hearings <- &scriptedStream{}
	hearings <- &brokenHearing{}
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Log = slog.New(slog.NewTextHandler(&log, nil))
		d.OpenStream = func(engine.StreamOptions) (realtime.RecognitionStream, error) { return <-hearings, nil }
	})
	hear := func() *testClient {
		c := b.dialSession(false)
		c.wantEvent("session.created")
		c.sendEvent(soundDecoder(24000))
		return c
	}
	well := hear()
	well.sendEvent(`{"type":"input_audio_buffer.clear"}`)
	well.wantEvent("input_audio_buffer.cleared")
	ill := hear()
	if e, _ := ill.wantEvent("error")["error"].(map[string]any); e["code"] != "internal_error" || e["type"] != "server_error" {
		t.Errorf("the client is told %v", e)
	}
	if _, _, err := ill.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("it ends with %v", err)
	}
	if !strings.Contains(log.String(), "bounds_test.go:") {
		t.Errorf("the log says %s", &log)
	}
	well.sendEvent(soundDecoder(24000))
	well.sendEvent(`{"type":"input_audio_buffer.clear"}`)
	well.wantEvent("input_audio_buffer.cleared")
}

// TestRoomOfTheMachine: no more sessions are admitted than the machine recognizes in real time; the next one gets 429.
func TestRoomOfTheMachine(t *testing.T) {
	t.Parallel()
	var room atomic.Int64
	room.Store(1)
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) { d.Room = func() int { return int(room.Load()) } })
	b.dialSession(false)
	_, res, err := websocket.Dial(t.Context(), b.url, nil)
	if err == nil || res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" {
		t.Fatalf("a second session: %v, %v", res, err)
	}
	room.Store(0) // not known
	b.dialSession(false)
}
