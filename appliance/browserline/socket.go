// Package browserline is what the lines to browsers have in common: sound in binary messages of 16-bit little-endian
// samples at 16000 Hz, and events as JSON in texts, over a WebSocket. Whose clock a line follows is the business of its
// users, packages browsercall and takeover.
package browserline

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"sync"
	"time"

	"github.com/coder/websocket"

	"munadi/appliance/carrier"
)

// WideSamples is the number of samples of a frame at 16000 samples per second.
const WideSamples = 2 * carrier.Samples

const (
	writeTimeout = 5 * time.Second
	maxMessage   = 64 << 10 // bytes: two seconds of sound
)

// BrowserSocket is the WebSocket of a line to a browser.
type BrowserSocket struct {
	*websocket.Conn

	ended chan struct{}
	end   sync.Once
}

// NewSocket returns the socket of a line over a connection, whose messages it limits.
func NewSocket(conn *websocket.Conn) *BrowserSocket {
	conn.SetReadLimit(maxMessage)
	return &BrowserSocket{Conn: conn, ended: make(chan struct{})}
}

// Hangup ends the line, as [carrier.Line] has it; the connection stays open for its last events.
func (s *BrowserSocket) Hangup() { s.end.Do(func() { close(s.ended) }) }

// Ended is closed by Hangup.
func (s *BrowserSocket) Ended() <-chan struct{} { return s.ended }

// SendSound sends samples at 16000 Hz. An error means that the browser does not read, or is gone.
func (s *BrowserSocket) SendSound(ctx context.Context, samples []int16) error {
	data := make([]byte, 0, 2*len(samples))
	for _, v := range samples {
		data = binary.LittleEndian.AppendUint16(data, uint16(v)) //nolint:gosec // the bits of a sample
	}
	return s.writeMessage(ctx, websocket.MessageBinary, data)
}

// SendEvent sends an event as JSON. A browser that is gone needs none.
func (s *BrowserSocket) SendEvent(ctx context.Context, event any) {
	if data, err := json.Marshal(event); err == nil {
		_ = s.writeMessage(ctx, websocket.MessageText, data)
	}
}

func (s *BrowserSocket) writeMessage(ctx context.Context, kind websocket.MessageType, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return s.Write(ctx, kind, data)
}

// AppendSamples appends the samples of a binary message; half a sample at its end is dropped.
func AppendSamples(samples []int16, data []byte) []int16 {
	for i := 0; i+1 < len(data); i += 2 {
		samples = append(samples, int16(binary.LittleEndian.Uint16(data[i:]))) //nolint:gosec // the bits of a sample
	}
	return samples
}

// NewFrame returns the frame of a line's microphone, counted from 0, with its sound at both rates.
func NewFrame(n int, wide *[WideSamples]int16) carrier.Frame {
	f := carrier.Frame{At: time.Duration(n) * carrier.Tick, Wide: wide}
	for i := range f.In {
		f.In[i] = int16((int(wide[2*i]) + int(wide[2*i+1])) / 2)
	}
	return f
}
