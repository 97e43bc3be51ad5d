package simulator

import (
	"time"

	"munadi/appliance/carrier"
)

// playing is what we say to the other side, in order.
type playing struct {
	queue  []*said
	heard  []*said // to their end, since the last frame
	queued int     // samples
}

// said is one speech on its way.
type said struct {
	carrier.Speech
	at int // samples played
}

// asks tells whether an answer is expected.
func (s *said) asks() bool { return s.Expects.Kind != "" }

func (p *playing) add(s carrier.Speech) {
	p.queue = append(p.queue, &said{Speech: s})
	p.queued += len(s.PCM)
}

func (p *playing) flush() { p.queue, p.queued = nil, 0 }

func (p *playing) left() time.Duration {
	return time.Duration(p.queued) * time.Second / carrier.Rate
}

// next plays one frame.
func (p *playing) next(out []int16) {
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

// now is what is being played, nil in silence.
func (p *playing) now() *said {
	if len(p.queue) == 0 {
		return nil
	}
	return p.queue[0]
}
