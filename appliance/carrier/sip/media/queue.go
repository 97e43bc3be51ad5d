package media

import "munadi/appliance/carrier"

// speechQueue is what is to be said.
type speechQueue struct {
	queue [][]int16
	left  int // samples in the queue
	until int // the sample since the answer before which all that was played ended
}

func (s *speechQueue) addSound(pcm []int16) {
	if len(pcm) > 0 {
		s.queue, s.left = append(s.queue, pcm), s.left+len(pcm)
	}
}

// playFrame fills a frame that begins at a sample since the answer; the rest of it stays as it is.
func (s *speechQueue) playFrame(frame []int16, at int) {
	for len(s.queue) > 0 && len(frame) > 0 {
		n := copy(frame, s.queue[0])
		frame, at, s.left = frame[n:], at+n, s.left-n
		s.until = at
		if s.queue[0] = s.queue[0][n:]; len(s.queue[0]) == 0 {
			s.queue[0] = nil
			s.queue = s.queue[1:]
		}
	}
}

// endSample is the sample since the answer before which everything will have been played, if made samples are over.
func (s *speechQueue) endSample(made int) int {
	if s.left > 0 {
		return made + s.left
	}
	return s.until
}

// frameQueue is a queue of frames.
type frameQueue struct {
	ring  []carrier.Frame // its length is a power of two
	first int
	n     int
}

func (b *frameQueue) len() int { return b.n }

func (b *frameQueue) push(f *carrier.Frame) {
	if b.n == len(b.ring) {
		ring := make([]carrier.Frame, max(8, 2*b.n))
		copy(ring[copy(ring, b.ring[b.first:]):], b.ring[:b.first])
		b.ring, b.first = ring, 0
	}
	b.ring[(b.first+b.n)%len(b.ring)] = *f
	b.n++
}

// pop takes the oldest; there must be one.
func (b *frameQueue) pop() carrier.Frame {
	f := b.ring[b.first]
	b.first, b.n = (b.first+1)%len(b.ring), b.n-1
	if b.n == 0 && len(b.ring) > 8 { // a listener who was late is in time again
		*b = frameQueue{}
	}
	return f
}
