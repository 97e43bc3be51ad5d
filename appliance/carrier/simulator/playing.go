package simulator

import (
	"context"
	"time"

	"munadi/appliance/carrier"
)

// playQueue is the queue of our speech to the remote side.
type playQueue struct {
	queue  []*queuedSpeech
	heard  []*queuedSpeech // played to their end since the last frame
	queued int             // samples
}

// queuedSpeech is one speech in the queue.
type queuedSpeech struct {
	carrier.Speech
	at int // samples played
}

// expectsAnswer reports whether an answer is expected.
func (s *queuedSpeech) expectsAnswer() bool { return s.Expects.Kind != "" }

func (p *playQueue) addSpeech(s carrier.Speech) {
	p.queued += len(s.PCM)
	if n := len(p.queue); n > 0 && p.queue[n-1].ContinueWith(s) {
		return
	}
	p.queue = append(p.queue, &queuedSpeech{Speech: s})
}

func (p *playQueue) flushQueue() { p.queue, p.queued = nil, 0 }

func (p *playQueue) remainingTime() time.Duration {
	return time.Duration(p.queued) * time.Second / carrier.Rate
}

// playFrame plays one frame.
func (p *playQueue) playFrame(out []int16) {
	p.heard = nil
	for len(p.queue) > 0 {
		first := p.queue[0]
		n := copy(out, first.PCM[first.at:])
		out, first.at, p.queued = out[n:], first.at+n, p.queued-n
		if first.at < len(first.PCM) || first.Rest > 0 {
			return
		}
		p.heard = append(p.heard, first)
		p.queue = p.queue[1:]
	}
}

// currentSpeech returns the speech being played; nil in silence.
func (p *playQueue) currentSpeech() *queuedSpeech {
	if len(p.queue) == 0 {
		return nil
	}
	return p.queue[0]
}

const (
	// slack is the scheduling delay that a line catches up on. Beyond it the call's clock waits.
	slack = 100 * time.Millisecond
	// grain is the shortest wait for which a timer is used: a fast line delivers several frames at once.
	grain = 2 * time.Millisecond
)

// framePacer paces a line's frames.
type framePacer struct {
	scale float64
	start time.Time // start of frame 0, delayed by the waits for a slow reader
	timer *time.Timer
}

// awaitFrames returns when n frames have elapsed, ctx ends or hung is closed; the caller checks the last two.
func (p *framePacer) awaitFrames(ctx context.Context, hung <-chan struct{}, n int) {
	due := p.start.Add(time.Duration(float64(n) * float64(carrier.Tick) / p.scale))
	ahead := time.Until(due)
	if ahead < -slack {
		p.start = p.start.Add(-slack - ahead)
	}
	if ahead < grain {
		return
	}
	if p.timer == nil {
		p.timer = time.NewTimer(ahead)
	} else {
		p.timer.Reset(ahead)
	}
	select {
	case <-p.timer.C:
	case <-ctx.Done():
		p.timer.Stop()
	case <-hung:
		p.timer.Stop()
	}
}
