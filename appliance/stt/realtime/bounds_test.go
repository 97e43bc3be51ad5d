package realtime_test

import (
	"bytes"
	"context"
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

const manual = `{"type":"session.update","session":{"type":"transcription","audio":{"input":{"turn_detection":null,"format":{"type":"audio/pcm","rate":16000}}}}}`

// dialAs opens a session of the organization that the key is of.
func (b *bench) dialAs(org string) (*client, int) {
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
	c := &client{b.T, conn}
	c.want("session.created")
	return c, res.StatusCode
}

// TestOneOrganizationLeavesRoom: sessions are counted by organization, and in all.
func TestOneOrganizationLeavesRoom(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *realtime.Dependencies) {
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
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, got := b.dialAs("bakery"); got == 101 {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("after one has ended: %d", got)
		}
	}
}

// TestUncommittedSoundIsBounded: what all sessions hold together, and that it is given back.
func TestUncommittedSoundIsBounded(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *realtime.Dependencies) { d.Limits.Buffer, d.Limits.Buffers = 3*time.Second, 4*time.Second })
	begin := func() *client {
		c := b.dial(false)
		c.want("session.created")
		c.send(manual)
		c.want("session.updated")
		return c
	}
	hold := func(c *client) { // 2.5 s, which come back as words if there is room
		c.send(soundDecoder(40000))
		c.send(`{"type":"nonsense"}`)
	}
	first, second := begin(), begin()
	hold(first)
	first.refused("invalid_value", "type")
	hold(second)
	if e := second.refused("input_audio_buffer_full", "audio"); !strings.Contains(e["message"].(string), "try again later") {
		t.Errorf("the client is told %v", e["message"])
	}
	second.refused("invalid_value", "type")
	for _, free := range []func(){
		func() { first.send(`{"type":"input_audio_buffer.clear"}`); first.want("input_audio_buffer.cleared") },
		func() {
			first.send(`{"type":"input_audio_buffer.commit"}`)
			for first.next()["type"] != "conversation.item.input_audio_transcription.completed" {
			}
			first.send(manual) // answered when the sound is let go
			first.want("session.updated")
		},
		func() {
			first.send(strings.Replace(manual, `"turn_detection":null,`, `"turn_detection":{"type":"server_vad"},`, 1))
			first.want("session.updated")
		},
	} {
		free()
		hold(second)
		second.refused("invalid_value", "type")
		second.send(`{"type":"input_audio_buffer.clear"}`)
		second.want("input_audio_buffer.cleared")
		first.send(manual)
		first.want("session.updated")
		hold(first)
		first.refused("invalid_value", "type")
	}
	_ = first.conn.CloseNow()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		hold(second)
		if e, _ := second.want("error")["error"].(map[string]any); e["code"] == "invalid_value" {
			break
		}
		second.refused("invalid_value", "type")
		if time.Now().After(deadline) {
			t.Fatal("a session that ended still holds its sound")
		}
	}
}

// TestLargeEvents: they are heard whole, one at a time, and a broken one not at all.
func TestLargeEvents(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *realtime.Dependencies) { d.Limits.Waiting, d.Limits.Bulk = 1000, 1 })
	first, second := b.dial(false), b.dial(false)
	for _, c := range []*client{first, second} {
		c.want("session.created")
		for range 3 {
			c.send(soundDecoder(240000)) // 10 s
		}
	}
	for _, c := range []*client{first, second} {
		c.send(`{"type":"input_audio_buffer.clear"}`)
		c.want("input_audio_buffer.cleared")
	}
	b.script.mu.Lock()
	if want := 2 * 3 * 160000; b.script.pushed < want-6000 || b.script.pushed > want {
		t.Errorf("%d samples were heard, want %d", b.script.pushed, want)
	}
	b.script.mu.Unlock()
	broken := soundDecoder(240000)
	first.send(broken[:len(broken)-9] + `*` + broken[len(broken)-8:])
	first.refused("invalid_value", "audio")
	first.send(`{"type":"input_audio_buffer.commit"}`)
	first.refused("input_audio_buffer_commit_empty", nil)
}

// TestUncommittedSoundOfOneOrganization: one that holds its share leaves room for another's.
func TestUncommittedSoundOfOneOrganization(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *realtime.Dependencies) {
		d.Limits.Buffers, d.Limits.BuffersShare = 6*time.Second, 3*time.Second
		d.Admit = func(_ echo.Context, key string) (auth.Principal, error) { return auth.Principal{OrgID: key}, nil }
	})
	for i, c := range []struct {
		org  string
		room bool
	}{{"bakery", true}, {"bakery", false}, {"airline", true}, {"airline", false}} {
		s, _ := b.dialAs(c.org)
		s.send(manual)
		s.want("session.updated")
		s.send(soundDecoder(40000)) // 2.5 s
		if !c.room {
			if e := s.refused("input_audio_buffer_full", "audio"); !strings.Contains(e["message"].(string), "your organization") {
				t.Errorf("session %d, of %s: it is told %v", i, c.org, e["message"])
			}
		}
		s.send(`{"type":"nonsense"}`)
		s.refused("invalid_value", "type")
	}
}

// TestLargeEventsOfOneOrganization: one whose large events are all being heard leaves room for another's.
func TestLargeEventsOfOneOrganization(t *testing.T) {
	t.Parallel()
	let := make(chan struct{})
	hearings := make(chan realtime.LiveHearing, 3)
	hearings <- &stuck{let: let}
	hearings <- &stuck{let: let}
	hearings <- &script{}
	b := setup(t, func(d *realtime.Dependencies) {
		d.Limits.Waiting, d.Limits.Bulk, d.Limits.BulkShare = 1000, 2, 1
		d.Hear = func(engine.StreamOptions) (realtime.LiveHearing, error) { return <-hearings, nil }
		d.Admit = func(_ echo.Context, key string) (auth.Principal, error) { return auth.Principal{OrgID: key}, nil }
	})
	for range 2 { // the second waits for its organization's slot
		c, _ := b.dialAs("bakery")
		c.send(soundDecoder(240000))
	}
	for deadline := time.Now().Add(20 * time.Second); len(hearings) > 2; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the first organization's event is not heard")
		}
	}
	<-hearings
	other, _ := b.dialAs("airline")
	other.send(soundDecoder(240000))
	other.send(`{"type":"input_audio_buffer.clear"}`)
	other.want("input_audio_buffer.cleared")
	hearings <- &script{}
	close(let)
}

// stuck hears nothing until it is let go.
type stuck struct {
	script
	let <-chan struct{}
}

func (s *stuck) Push(ctx context.Context, samples []float32) ([]engine.StreamEvent, error) {
	<-s.let
	return s.script.Push(ctx, samples)
}

// TestBusyServiceKeepsItsClient: one that is not read from can't answer a ping, and is not taken for gone.
func TestBusyServiceKeepsItsClient(t *testing.T) {
	t.Parallel()
	let := make(chan struct{})
	b := setup(t, func(d *realtime.Dependencies) {
		d.Limits.Waiting, d.Limits.Ping, d.Limits.Pong = 30000, 20*time.Millisecond, time.Second
		d.Hear = func(engine.StreamOptions) (realtime.LiveHearing, error) { return &stuck{let: let}, nil }
	})
	c := b.dial(false)
	c.want("session.created")
	for range 8 {
		c.send(soundDecoder(8000))
	}
	c.send(`{"type":"input_audio_buffer.clear"}`)
	time.Sleep(1500 * time.Millisecond) // more than a client has for its answer
	close(let)
	c.want("input_audio_buffer.cleared")
}

// broken breaks down when it hears.
type broken struct{ script }

func (*broken) Push(context.Context, []float32) ([]engine.StreamEvent, error) {
	panic("index out of range")
}

// TestBreakdownEndsOneSession: the client is told, the log has where it was, and others go on.
func TestBreakdownEndsOneSession(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	hearings := make(chan realtime.LiveHearing, 2)
	hearings <- &script{}
	hearings <- &broken{}
	b := setup(t, func(d *realtime.Dependencies) {
		d.Log = slog.New(slog.NewTextHandler(&log, nil))
		d.Hear = func(engine.StreamOptions) (realtime.LiveHearing, error) { return <-hearings, nil }
	})
	hear := func() *client {
		c := b.dial(false)
		c.want("session.created")
		c.send(soundDecoder(24000))
		return c
	}
	well := hear()
	well.send(`{"type":"input_audio_buffer.clear"}`)
	well.want("input_audio_buffer.cleared")
	ill := hear()
	if e, _ := ill.want("error")["error"].(map[string]any); e["code"] != "internal_error" || e["type"] != "server_error" {
		t.Errorf("the client is told %v", e)
	}
	if _, _, err := ill.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("it ends with %v", err)
	}
	if !strings.Contains(log.String(), "bounds_test.go:") {
		t.Errorf("the log says %s", &log)
	}
	well.send(soundDecoder(24000))
	well.send(`{"type":"input_audio_buffer.clear"}`)
	well.want("input_audio_buffer.cleared")
}

// TestRoomOfTheMachine: no more sessions are admitted than the machine recognizes in real time; the next one is told.
func TestRoomOfTheMachine(t *testing.T) {
	t.Parallel()
	var room atomic.Int64
	room.Store(1)
	b := setup(t, func(d *realtime.Dependencies) { d.Room = func() int { return int(room.Load()) } })
	b.dial(false)
	_, res, err := websocket.Dial(t.Context(), b.url, nil)
	if err == nil || res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" {
		t.Fatalf("a second session: %v, %v", res, err)
	}
	room.Store(0) // not known
	b.dial(false)
}
