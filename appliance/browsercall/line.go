package browsercall

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/coder/websocket"

	"munadi/appliance/browserline"
	"munadi/appliance/carrier"
)

const (
	// silenceLimit is how long a microphone may send nothing before the person counts as gone.
	silenceLimit = 10 * time.Second
	maxWaiting   = 100 // messages that were not read yet
)

// browserLine is a line whose other side is a browser. Each binary message is sound, 16-bit little-endian samples at
// 16000 Hz, in both directions; the microphone's sound is the clock. Texts are JSON.
type browserLine struct {
	*browserline.BrowserSocket

	heard chan []byte // sound of the browser; closed when the socket is

	frames int
	rest   []byte // of heard that is no whole frame yet

	mu    sync.Mutex
	keys  string
	queue []carrier.Speech
	first int // samples of the queue's first, at [carrier.Rate], that were played
}

func newLine(conn *websocket.Conn) *browserLine {
	return &browserLine{BrowserSocket: browserline.NewSocket(conn), heard: make(chan []byte, maxWaiting)}
}

// browserText is a text message of the browser.
type browserText struct {
	Keys   string `json:"keys"`
	HangUp bool   `json:"hang_up"`
}

// receiveMessages reads messages until the socket or the call ends.
func (l *browserLine) receiveMessages(ctx context.Context) {
	defer close(l.heard)
	for {
		kind, data, err := l.Read(ctx)
		if err != nil {
			return
		}
		if kind == websocket.MessageBinary {
			select {
			case l.heard <- data:
			case <-ctx.Done():
				return
			}
			continue
		}
		var text browserText
		if json.Unmarshal(data, &text) != nil || text.HangUp {
			return
		}
		l.pressKeys(text.Keys)
	}
}

// pressKeys queues pressed keys, one for each frame; signs that no telephone has are dropped.
func (l *browserLine) pressKeys(keys string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range keys {
		if (key >= '0' && key <= '9' || key == '*' || key == '#') && len(l.keys) < 64 {
			l.keys += string(key)
		}
	}
}

// Next implements [carrier.Line].
func (l *browserLine) Next(ctx context.Context) (carrier.Frame, error) {
	select {
	case <-l.Ended():
		return carrier.Frame{}, carrier.ErrHungUp
	default:
	}
	gone := time.NewTimer(silenceLimit)
	defer gone.Stop()
	for len(l.rest) < 2*browserline.WideSamples {
		select {
		case <-l.Ended():
			return carrier.Frame{}, carrier.ErrHungUp
		case <-ctx.Done():
			return carrier.Frame{}, ctx.Err()
		case <-gone.C:
			return carrier.Frame{}, io.EOF
		case sound, open := <-l.heard:
			if !open {
				return carrier.Frame{}, io.EOF
			}
			l.rest = append(l.rest, sound...)
		}
	}
	wide := new([browserline.WideSamples]int16)
	browserline.AppendSamples(wide[:0], l.rest[:2*len(wide)])
	l.rest = l.rest[2*len(wide):]
	f := browserline.NewFrame(l.frames, wide)
	l.frames++
	return f, l.playFrame(ctx, &f)
}

// playFrame plays the frame's sound to the browser. A browser that does not read has hung up.
func (l *browserLine) playFrame(ctx context.Context, f *carrier.Frame) error {
	l.mu.Lock()
	if l.keys != "" {
		f.Digits, l.keys = l.keys[:1], l.keys[1:]
	}
	var wide [browserline.WideSamples]int16
	n := l.takeSamples(f.Out[:], wide[:])
	l.mu.Unlock()
	if n > 0 && l.SendSound(ctx, wide[:]) != nil {
		return io.EOF
	}
	return nil
}

// takeSamples moves queued sound to a frame at both rates, and returns how many samples of out it fills.
func (l *browserLine) takeSamples(out, wide []int16) (filled int) {
	for filled < len(out) && len(l.queue) > 0 {
		s := l.queue[0]
		n := min(len(out)-filled, len(s.PCM)-l.first)
		copy(out[filled:], s.PCM[l.first:l.first+n])
		for i := range 2 * n {
			if s.Wide != nil {
				wide[2*filled+i] = s.Wide[min(2*l.first+i, len(s.Wide)-1)]
			} else {
				wide[2*filled+i] = s.PCM[l.first+i/2]
			}
		}
		filled += n
		if l.first += n; l.first == len(s.PCM) {
			l.queue, l.first = l.queue[1:], 0
		}
	}
	return filled
}

// Say implements [carrier.Line].
func (l *browserLine) Say(s carrier.Speech) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(s.PCM) > 0 {
		l.queue = append(l.queue, s)
	}
}

// Flush implements [carrier.Line]. The browser drops what it has not played yet, too.
func (l *browserLine) Flush() {
	l.mu.Lock()
	l.queue, l.first = nil, 0
	l.mu.Unlock()
	l.SendEvent(context.Background(), map[string]string{"type": "flush"})
}

// Queued implements [carrier.Line].
func (l *browserLine) Queued() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := -l.first
	for _, s := range l.queue {
		n += len(s.PCM)
	}
	return time.Duration(n) * time.Second / carrier.Rate
}

// Transfer implements [carrier.Line]: the browser is told where a call would be transferred, and the call ends.
func (l *browserLine) Transfer(ctx context.Context, to string) error {
	l.SendEvent(ctx, map[string]string{"type": "transfer", "to": to})
	l.Hangup()
	return nil
}
