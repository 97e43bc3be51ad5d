package media

import "munadi/appliance/carrier"

// speechQueue is the queue of audio to send.
type speechQueue struct {
	queue [][]int16
	left  int // samples in the queue
	until int // sample since the answer at which the played audio ended
}

func (s *speechQueue) addSound(pcm []int16) {
	if len(pcm) > 0 {
		s.queue, s.left = append(s.queue, pcm), s.left+len(pcm)
	}
}

// playFrame fills a frame that begins at a sample since the answer; the rest stays unchanged.
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

// endSample returns the sample since the answer at which all queued audio will have been played, after made samples.
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

// pop returns the oldest frame; the queue must not be empty.
func (b *frameQueue) pop() carrier.Frame {
	f := b.ring[b.first]
	b.first, b.n = (b.first+1)%len(b.ring), b.n-1
	if b.n == 0 && len(b.ring) > 8 { // a slow reader has caught up: shrink
		*b = frameQueue{}
	}
	return f
}
