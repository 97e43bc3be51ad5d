package simulator

import (
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
	p.queue = append(p.queue, &queuedSpeech{Speech: s})
	p.queued += len(s.PCM)
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
		if first.at < len(first.PCM) {
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
