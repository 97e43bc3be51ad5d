package browsercall_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"

	"munadi/appliance/browsercall"
	"munadi/appliance/carrier"
	"munadi/store/call"
)

// fixture is a service whose conversation is a function, and its address.
type fixture struct {
	*testing.T
	address string
	refused chan error
}

func newFixture(t *testing.T, room int, converse browsercall.ConverseFunc) *fixture {
	t.Helper()
	f := &fixture{T: t, refused: make(chan error, 16)}
	s := browsercall.NewService(converse, func() int { return room }, slog.New(slog.DiscardHandler))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.ServeCall(w, r, browsercall.Request{OrgID: r.FormValue("org")}); err != nil {
			select {
			case f.refused <- err:
			default:
			}
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.Close)
	f.address = server.URL
	return f
}

func (f *fixture) dial(org string) *websocket.Conn {
	f.Helper()
	conn, response, err := websocket.Dial(f.Context(), f.address+"?org="+org, nil)
	if err != nil {
		f.Fatal(err)
	}
	if response.Body != nil {
		_ = response.Body.Close()
	}
	f.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// sendFrames sends frames of sound whose samples are v.
func (f *fixture) sendFrames(conn *websocket.Conn, n int, v byte) {
	f.Helper()
	sound := make([]byte, n*4*carrier.Samples)
	for i := 0; i < len(sound); i += 2 {
		sound[i] = v
	}
	if err := conn.Write(f.Context(), websocket.MessageBinary, sound); err != nil {
		f.Fatal(err)
	}
}

// nextText returns the next event, and how many samples of sound came before it.
func (f *fixture) nextText(conn *websocket.Conn) (event map[string]any, samples int) {
	f.Helper()
	for {
		kind, data, err := conn.Read(f.Context())
		if err != nil {
			f.Fatal(err)
		}
		if kind == websocket.MessageText {
			if err := json.Unmarshal(data, &event); err != nil {
				f.Fatal(err)
			}
			return event, samples
		}
		samples += len(data) / 2
	}
}

func TestSoundGoesBothWays(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 0, func(ctx context.Context, line carrier.Line, _ browsercall.Request, o browsercall.Observer) (browsercall.Outcome, error) {
		line.Say(carrier.Speech{PCM: make([]int16, carrier.Samples+40)})
		line.Say(carrier.Speech{PCM: make([]int16, 40), Wide: make([]int16, 80)})
		for i := range 3 {
			frame, err := line.Next(ctx)
			if err != nil || frame.In[0] != 7 || frame.Wide[319] != 7 || frame.At != time.Duration(i)*carrier.Tick {
				t.Errorf("frame %d: %v at %v, %v", i, frame.In[0], frame.At, err)
			}
		}
		if left := line.Queued(); left != 0 {
			t.Errorf("%v are left to play", left)
		}
		o.OnMessage(call.Message{Role: call.Assistant, Content: "السلام عليكم"})
		o.OnSlot("ready", true)
		return browsercall.Outcome{Status: call.Completed, Report: json.RawMessage(`{"ready":true}`)}, nil
	})
	conn := f.dial("acme")
	f.sendFrames(conn, 3, 7)
	message, samples := f.nextText(conn)
	if message["type"] != "message" || message["role"] != "assistant" || samples != 2*2*carrier.Samples {
		t.Errorf("%v after %d samples", message, samples)
	}
	if slot, _ := f.nextText(conn); slot["name"] != "ready" || slot["value"] != true {
		t.Errorf("a value is %v", slot)
	}
	if end, _ := f.nextText(conn); end["type"] != "end" || end["status"] != "completed" {
		t.Errorf("the end is %v", end)
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("then %v", err)
	}
}

// TestEndsOfTheLine checks each way in which a conversation ends at the browser.
func TestEndsOfTheLine(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(conn *websocket.Conn) error{
		"hangs up": func(conn *websocket.Conn) error {
			return conn.Write(context.Background(), websocket.MessageText, []byte(`{"hang_up":true}`))
		},
		"closes":   func(conn *websocket.Conn) error { return conn.Close(websocket.StatusNormalClosure, "") },
		"vanishes": func(conn *websocket.Conn) error { return conn.CloseNow() },
		"no JSON": func(conn *websocket.Conn) error {
			return conn.Write(context.Background(), websocket.MessageText, []byte(`{`))
		},
		"too much at once": func(conn *websocket.Conn) error {
			return conn.Write(context.Background(), websocket.MessageBinary, make([]byte, 65<<10))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan error, 1)
			f := newFixture(t, 0, func(ctx context.Context, line carrier.Line, _ browsercall.Request, _ browsercall.Observer) (browsercall.Outcome, error) {
				for {
					if _, err := line.Next(ctx); err != nil {
						ended <- err
						return browsercall.Outcome{}, nil //nolint:nilerr // the end of the line is no failure
					}
				}
			})
			conn := f.dial("acme")
			f.sendFrames(conn, 2, 0)
			if err := leave(conn); err != nil && name != "too much at once" {
				t.Log(err)
			}
			if err := <-ended; !errors.Is(err, io.EOF) {
				t.Errorf("the line ended with %v", err)
			}
		})
	}
}

func TestKeysAndTransfers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 0, func(ctx context.Context, line carrier.Line, _ browsercall.Request, _ browsercall.Observer) (browsercall.Outcome, error) {
		keys := ""
		for len(keys) < 3 {
			frame, err := line.Next(ctx)
			if err != nil {
				return browsercall.Outcome{}, err
			}
			keys += frame.Digits
		}
		if keys != "1*#" {
			t.Errorf("keys are %q", keys)
		}
		if err := line.Transfer(ctx, "+966112345678"); err != nil {
			t.Error(err)
		}
		_, err := line.Next(ctx)
		if !errors.Is(err, carrier.ErrHungUp) {
			t.Errorf("after a transfer: %v", err)
		}
		return browsercall.Outcome{Status: call.Completed}, nil
	})
	conn := f.dial("acme")
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"keys":"1x*#"}`)); err != nil {
		t.Fatal(err)
	}
	f.sendFrames(conn, 8, 0)
	if e, _ := f.nextText(conn); e["type"] != "transfer" || e["to"] != "+966112345678" {
		t.Errorf("the transfer is %v", e)
	}
}

// TestLimits checks the bounds of an organization, the installation and the machine, and that a conversation that is
// over makes room.
func TestLimits(t *testing.T) {
	t.Parallel()
	hold := func(ctx context.Context, line carrier.Line, _ browsercall.Request, _ browsercall.Observer) (browsercall.Outcome, error) {
		_, err := line.Next(ctx)
		return browsercall.Outcome{}, err
	}
	f := newFixture(t, 0, hold)
	refuse := func(f *fixture, org string) {
		t.Helper()
		_, response, err := websocket.Dial(t.Context(), f.address+"?org="+org, nil)
		if err == nil || response == nil || response.StatusCode != http.StatusServiceUnavailable || !errors.Is(<-f.refused, browsercall.ErrFull) {
			t.Errorf("one more of %s: %v", org, err)
		}
	}
	first := f.dial("one")
	f.dial("one")
	refuse(f, "one")
	f.dial("two")
	f.dial("two")
	refuse(f, "three")
	_ = first.CloseNow()
	for { // its seat is free once the server has seen it
		conn, _, err := websocket.Dial(t.Context(), f.address+"?org=three", nil)
		if err == nil {
			_ = conn.CloseNow()
			break
		}
	}
	slow := newFixture(t, 1, hold)
	slow.dial("one")
	refuse(slow, "two")
}

// TestOtherOriginsAreRefused checks that a page of another site can't use a user's session.
func TestOtherOriginsAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 0, func(context.Context, carrier.Line, browsercall.Request, browsercall.Observer) (browsercall.Outcome, error) {
		t.Error("a conversation began")
		return browsercall.Outcome{}, nil
	})
	_, response, err := websocket.Dial(t.Context(), f.address+"?org=acme", &websocket.DialOptions{
		HTTPHeader: http.Header{"Origin": {"https://evil.example"}},
	})
	if err == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("another origin: %v", err)
	}
}
