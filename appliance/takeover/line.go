package takeover

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/coder/websocket"

	"munadi/appliance/carrier"
)

const (
	wideSamples = 2 * carrier.Samples // of a frame at 16000 samples per second
	// cushion is how much of the microphone's sound is gathered after a gap before it is played: messages come unevenly.
	cushion = 60 * time.Millisecond
	// mostWaiting is how much of it may wait; older sound is dropped.
	mostWaiting = 300 * time.Millisecond
	// silenceLimit is how long a microphone may send nothing before its owner counts as gone.
	silenceLimit = 5 * time.Second
	writeTimeout = 5 * time.Second
	maxMessage   = 64 << 10 // bytes
	maxUnsent    = 50       // messages that wait to be sent; further sound is dropped
)

var errNoTransfer = errors.New("a browser transfers no calls")

// browserLine is the line to a member of staff at a browser. It has no clock of its own: Next returns at once, with the
// microphone's sound or silence, so that the call's clock goes on whatever the browser does.
type browserLine struct {
	conn       *websocket.Conn
	unsent     chan message
	handedBack chan string   // the step to go on with
	ended      chan struct{} // closed by Hangup
	end        sync.Once

	frames int

	mu      sync.Mutex
	sound   []int16 // of the microphone, at 16000 samples per second
	playing bool    // the cushion is full
	heard   time.Time
	gone    bool // the socket ended
}

// message is one message to the browser.
type message struct {
	kind websocket.MessageType
	data []byte
}

func newLine(conn *websocket.Conn) *browserLine {
	conn.SetReadLimit(maxMessage)
	return &browserLine{
		conn: conn, unsent: make(chan message, maxUnsent), handedBack: make(chan string, 1), ended: make(chan struct{}),
		heard: time.Now(),
	}
}

// browserText is a text message of the browser.
type browserText struct {
	HandBack bool   `json:"hand_back"`
	Step     string `json:"step"`
}

// receiveMessages reads messages until the socket ends.
func (l *browserLine) receiveMessages(ctx context.Context) {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.gone = true
	}()
	for {
		kind, data, err := l.conn.Read(ctx)
		if err != nil {
			return
		}
		if kind == websocket.MessageBinary {
			l.addSound(data)
			continue
		}
		text, err := parseText(data)
		if err != nil {
			return
		}
		if text.HandBack {
			select {
			case l.handedBack <- text.Step:
			default: // it was handed back already
			}
		}
	}
}

// parseText parses a text message of the browser.
func parseText(data []byte) (text browserText, err error) {
	if err = json.Unmarshal(data, &text); err != nil {
		return browserText{}, err
	}
	return text, nil
}

// addSound adds sound of the microphone.
func (l *browserLine) addSound(data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = time.Now()
	for i := 0; i+1 < len(data); i += 2 {
		l.sound = append(l.sound, int16(binary.LittleEndian.Uint16(data[i:]))) //nolint:gosec // the bits of a sample
	}
	if over := len(l.sound) - samplesOf(mostWaiting); over > 0 {
		l.sound = append(l.sound[:0], l.sound[over:]...)
	}
}

// samplesOf returns a duration in samples of the microphone.
func samplesOf(d time.Duration) int { return int(d * 2 * carrier.Rate / time.Second) }

// Next implements [carrier.Line].
func (l *browserLine) Next(ctx context.Context) (carrier.Frame, error) {
	select {
	case <-l.ended:
		return carrier.Frame{}, io.EOF
	default:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone || time.Since(l.heard) > silenceLimit {
		return carrier.Frame{}, io.EOF
	}
	f := carrier.Frame{At: time.Duration(l.frames) * carrier.Tick, Wide: new([wideSamples]int16)}
	l.frames++
	l.playing = len(l.sound) >= samplesOf(cushion) || l.playing && len(l.sound) >= wideSamples
	if l.playing {
		l.sound = l.sound[copy(f.Wide[:], l.sound):]
		for i := range f.In {
			f.In[i] = int16((int(f.Wide[2*i]) + int(f.Wide[2*i+1])) / 2)
		}
	}
	return f, ctx.Err()
}

// Say implements [carrier.Line]: the sound goes to the browser, which plays it at once.
func (l *browserLine) Say(s carrier.Speech) {
	data := make([]byte, 0, 4*len(s.PCM))
	for i := range 2 * len(s.PCM) {
		v := s.PCM[i/2]
		if len(s.Wide) == 2*len(s.PCM) {
			v = s.Wide[i]
		}
		data = binary.LittleEndian.AppendUint16(data, uint16(v)) //nolint:gosec // the bits of a sample
	}
	l.queueMessage(message{websocket.MessageBinary, data})
}

// queueMessage queues a message; one that finds the queue full is dropped.
func (l *browserLine) queueMessage(m message) {
	select {
	case l.unsent <- m:
	default:
	}
}

// sendMessages sends the queued sound until ctx ends. A browser that does not read is gone.
func (l *browserLine) sendMessages(ctx context.Context) {
	for {
		select {
		case m := <-l.unsent:
			if l.writeMessage(ctx, m) != nil {
				l.Hangup()
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

func (l *browserLine) writeMessage(ctx context.Context, m message) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return l.conn.Write(ctx, m.kind, m.data)
}

// tellBrowser sends an event as JSON.
func (l *browserLine) tellBrowser(ctx context.Context, event map[string]string) {
	if data, err := json.Marshal(event); err == nil {
		_ = l.writeMessage(ctx, message{websocket.MessageText, data}) // a browser that is gone needs no event
	}
}

// Flush implements [carrier.Line].
func (l *browserLine) Flush() {}

// Queued implements [carrier.Line]: what is said is sent at once.
func (l *browserLine) Queued() time.Duration { return 0 }

// Transfer implements [carrier.Line].
func (l *browserLine) Transfer(context.Context, string) error { return errNoTransfer }

// Hangup implements [carrier.Line].
func (l *browserLine) Hangup() { l.end.Do(func() { close(l.ended) }) }
