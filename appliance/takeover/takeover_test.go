package takeover

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"

	"munadi/appliance/browserline"
	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
)

// serveLine serves a browser's line, which it gives to use, until use returns.
func serveLine(t *testing.T, use func(l *browserLine)) *websocket.Conn {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = conn.CloseNow() }()
		line := newLine(conn)
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		go line.receiveMessages(ctx)
		go line.sendSound(ctx)
		use(line)
	}))
	t.Cleanup(server.Close)
	conn, response, err := websocket.Dial(t.Context(), server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if response.Body != nil {
		_ = response.Body.Close()
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// soundOf returns n frames of sound whose samples are v.
func soundOf(n int, v int16) (data []byte) {
	for range n * browserline.WideSamples {
		data = binary.LittleEndian.AppendUint16(data, uint16(v)) //nolint:gosec // the bits of a sample
	}
	return data
}

// TestSoundOfTheBrowser checks that the microphone is heard once a cushion is filled, that reading never waits, that the
// caller's sound reaches the browser, and that the line ends with the socket.
func TestSoundOfTheBrowser(t *testing.T) {
	t.Parallel()
	heard, ended := make(chan int16, 1), make(chan error, 1)
	conn := serveLine(t, func(l *browserLine) {
		if f, err := l.Next(t.Context()); err != nil || f.In[0] != 0 {
			t.Errorf("before the microphone: %v, %v", f.In[0], err)
		}
		l.Say(carrier.Speech{PCM: make([]int16, carrier.Samples)})
		told := false
		for {
			f, err := l.Next(t.Context())
			if err != nil {
				ended <- err
				return
			}
			if f.In[0] != 0 && !told {
				told = true
				heard <- f.Wide[0]
			}
		}
	})
	if kind, data, err := conn.Read(t.Context()); err != nil || kind != websocket.MessageBinary || len(data) != 4*carrier.Samples {
		t.Errorf("the browser hears %d bytes, %v", len(data), err)
	}
	if err := conn.Write(t.Context(), websocket.MessageBinary, soundOf(5, 1234)); err != nil {
		t.Fatal(err)
	}
	if got := <-heard; got != 1234 {
		t.Errorf("the microphone is heard as %d", got)
	}
	_ = conn.CloseNow()
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("the line ended with %v", err)
	}
}

// TestLateSoundIsDropped checks that a microphone whose sound comes in one lump leaves no lasting delay.
func TestLateSoundIsDropped(t *testing.T) {
	t.Parallel()
	l := &browserLine{}
	l.addSound(soundOf(60, 1))
	l.addSound(soundOf(10, 2))
	if got := len(l.sound); got != samplesOf(mostWaiting) || l.sound[got-1] != 2 {
		t.Errorf("%d samples wait", got)
	}
}

// TestOneAtATime checks that a call has one member of staff, and that another organization's call looks like none.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	var d Desk
	_, closeCall := d.OpenCall("acme", "call_1")
	c, err := d.seize("acme", "call_1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.seize("acme", "call_1"); !errors.Is(err, ErrTaken) {
		t.Errorf("a second one: %v", err)
	}
	d.release(c)
	if _, err := d.seize("acme", "call_1"); err != nil {
		t.Errorf("after it was released: %v", err)
	}
	if _, err := d.seize("other", "call_1"); !errors.Is(err, ErrNotHere) {
		t.Errorf("another organization: %v", err)
	}
	closeCall()
	if _, err := d.seize("acme", "call_1"); !errors.Is(err, ErrNotHere) {
		t.Errorf("after the call: %v", err)
	}
}

// FuzzParseText checks that a text of a browser that is no JSON says nothing.
func FuzzParseText(f *testing.F) {
	f.Add([]byte(`{"hand_back":true,"step":"bye"}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if text, err := parseText(data); err != nil && text != (browserText{}) {
			t.Errorf("a text that is refused (%v) says %+v", err, text)
		}
	})
}

// TestEndedCallIsNotHandedBack checks that a takeover is recorded as handed back where the dialogue goes on, and not
// where the call ends.
func TestEndedCallIsNotHandedBack(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]bool{
		conversation.HandedBack: true, conversation.StaffLost: true, conversation.CallEnded: false,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			var d Desk
			requests, closeCall := d.OpenCall("acme", "call_1")
			defer closeCall()
			handedBack := make(chan bool, 1)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				back := false
				err := d.ServeTakeOver(w, r, Request{
					OrgID: "acme", CallID: "call_1", Actor: "user:1",
					Begun:      func(context.Context) error { return nil },
					HandedBack: func(context.Context) { back = true },
				})
				if err != nil {
					t.Error(err)
				}
				handedBack <- back
			}))
			defer server.Close()
			conn, response, err := websocket.Dial(t.Context(), server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			if response.Body != nil {
				_ = response.Body.Close()
			}
			defer func() { _ = conn.CloseNow() }()
			(<-requests).End(how)
			if got := <-handedBack; got != want {
				t.Errorf("handed back: %v, want %v", got, want)
			}
		})
	}
}
