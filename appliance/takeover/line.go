package takeover

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
	// cushion is how much of the microphone's sound is gathered after a gap before it is played: messages come unevenly.
	cushion = 60 * time.Millisecond
	// mostWaiting is how much of it may wait; older sound is dropped.
	mostWaiting = 300 * time.Millisecond
	// silenceLimit is how long a microphone may send nothing before its owner counts as gone.
	silenceLimit = 5 * time.Second
	maxUnsent    = 50 // pieces of sound that wait to be sent; further ones are dropped
)

// browserLine is the line to a member of staff at a browser. It has no clock of its own: Next returns at once, with the
// microphone's sound or silence, so that the call's clock goes on whatever the browser does.
type browserLine struct {
	*browserline.BrowserSocket

	unsent     chan []int16
	handedBack chan string // the step to go on with

	frames int

	mu      sync.Mutex
	sound   []int16 // of the microphone, at 16000 samples per second
	playing bool    // the cushion is full
	heard   time.Time
	gone    bool // the socket ended
}

func newLine(conn *websocket.Conn) *browserLine {
	return &browserLine{
		BrowserSocket: browserline.NewSocket(conn), unsent: make(chan []int16, maxUnsent), handedBack: make(chan string, 1),
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
		kind, data, err := l.Read(ctx)
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
	l.sound = browserline.AppendSamples(l.sound, data)
	if over := len(l.sound) - samplesOf(mostWaiting); over > 0 {
		l.sound = append(l.sound[:0], l.sound[over:]...)
	}
}

// samplesOf returns a duration in samples of the microphone.
func samplesOf(d time.Duration) int { return int(d * 2 * carrier.Rate / time.Second) }

// Next implements [carrier.Line].
func (l *browserLine) Next(ctx context.Context) (carrier.Frame, error) {
	select {
	case <-l.Ended():
		return carrier.Frame{}, io.EOF
	default:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone || time.Since(l.heard) > silenceLimit {
		return carrier.Frame{}, io.EOF
	}
	wide := new([browserline.WideSamples]int16)
	l.playing = len(l.sound) >= samplesOf(cushion) || l.playing && len(l.sound) >= len(wide)
	if l.playing {
		l.sound = l.sound[copy(wide[:], l.sound):]
	}
	f := browserline.NewFrame(l.frames, wide)
	l.frames++
	return f, ctx.Err()
}

// Say implements [carrier.Line]: the sound goes to the browser, which plays it at once. Sound that finds the queue full
// is dropped.
func (l *browserLine) Say(s carrier.Speech) {
	wide := s.Wide
	if len(wide) != 2*len(s.PCM) {
		wide = make([]int16, 2*len(s.PCM))
		for i := range wide {
			wide[i] = s.PCM[i/2]
		}
	}
	select {
	case l.unsent <- wide:
	default:
	}
}

// sendSound sends the queued sound until ctx ends. A browser that does not read is gone.
func (l *browserLine) sendSound(ctx context.Context) {
	for {
		select {
		case wide := <-l.unsent:
			if l.SendSound(ctx, wide) != nil {
				l.Hangup()
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// Flush implements [carrier.Line].
func (l *browserLine) Flush() {}

// Queued implements [carrier.Line]: what is said is sent at once.
func (l *browserLine) Queued() time.Duration { return 0 }

// Transfer implements [carrier.Line]: a browser transfers no calls.
func (l *browserLine) Transfer(context.Context, string) error { return carrier.ErrNoTransfer }
