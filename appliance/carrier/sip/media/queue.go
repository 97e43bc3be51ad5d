package media

import "munadi/appliance/carrier"

// spokenFrame is a frame of the audio to send. A wideband codec sends wide, and plain brought to its rate.
type spokenFrame struct {
	pcm   [carrier.Samples]int16     // all of it
	plain [carrier.Samples]int16     // its part without wideband sound
	wide  [2 * carrier.Samples]int16 // the rest, at twice the rate
}

// queuedSound is audio to send: pcm, and the same at twice the rate or nil.
type queuedSound struct{ pcm, wide []int16 }

// takeSound moves the first n samples into a frame from sample at on.
func (q *queuedSound) takeSound(f *spokenFrame, at, n int) {
	copy(f.pcm[at:], q.pcm[:n])
	if q.wide != nil {
		copy(f.wide[2*at:], q.wide[:2*n])
		q.wide = q.wide[2*n:]
	} else {
		copy(f.plain[at:], q.pcm[:n])
	}
	q.pcm = q.pcm[n:]
}

// speechQueue is the queue of audio to send.
type speechQueue struct {
	queue []queuedSound
	left  int // samples in the queue
	until int // sample since the answer at which the played audio ended
}

// addSound queues audio; wide counts only where it is as long as pcm.
func (s *speechQueue) addSound(pcm, wide []int16) {
	if len(wide) != 2*len(pcm) {
		wide = nil
	}
	if len(pcm) > 0 {
		s.queue, s.left = append(s.queue, queuedSound{pcm, wide}), s.left+len(pcm)
	}
}

// playFrame fills a frame that begins at a sample since the answer; the rest stays unchanged.
func (s *speechQueue) playFrame(f *spokenFrame, at int) {
	for filled := 0; len(s.queue) > 0 && filled < len(f.pcm); {
		n := min(len(f.pcm)-filled, len(s.queue[0].pcm))
		s.queue[0].takeSound(f, filled, n)
		filled += n
		s.left -= n
		s.until = at + filled
		if len(s.queue[0].pcm) == 0 {
			s.queue[0] = queuedSound{}
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
