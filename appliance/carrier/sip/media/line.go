package media

import (
	"context"
	"errors"
	"strings"
	"time"

	"munadi/appliance/carrier"
)

// Next waits for the next frame. Frames that nobody asked for are kept, for longer than [carrier.Unread].
func (s *MediaSession) Next(ctx context.Context) (carrier.Frame, error) {
	for {
		f, ok, err := s.takeFrame(ctx)
		if ok || err != nil {
			return f, err
		}
		select {
		case <-s.wake:
		case <-s.ended:
		case <-ctx.Done():
		}
	}
}

// takeFrame returns a frame that is there.
func (s *MediaSession) takeFrame(ctx context.Context) (f carrier.Frame, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case errors.Is(s.err, carrier.ErrHungUp):
		return f, false, s.err
	case ctx.Err() != nil:
		return f, false, ctx.Err()
	case s.frames.len() == 0:
		return f, false, s.err
	}
	return s.frames.pop(), true, nil
}

// keepFrame holds a frame ready for Next.
func (s *MediaSession) keepFrame(f *carrier.Frame) {
	s.frames.push(f)
	if s.frames.len() >= int(untaken/carrier.Tick) {
		s.endSession(&carrier.DialError{Err: errors.New("nobody listened to the call for " + untaken.String())})
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Say queues sound, which belongs to the session from then on.
func (s *MediaSession) Say(pcm []int16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.out.speech.addSound(pcm)
	}
}

// Flush forgets what is queued. What frames hold that were not given out yet has been sent already.
func (s *MediaSession) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.speech = speechQueue{}
}

// Queued is how long after the frame that was given out last everything that was said will have been played. That is
// what is left of it, and for a listener who is late also the frames that were made and not given out: said sound
// comes after those. After Flush it is 0.
func (s *MediaSession) Queued() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	given := (s.made - s.frames.len()) * carrier.Samples
	return time.Duration(max(0, s.out.speech.endSample(s.made*carrier.Samples)-given)) * time.Second / carrier.Rate
}

// keys are what a telephone has.
const keys = "0123456789*#ABCD"

// PressKeys takes keys that came by another way than RTP. What is no key is left out.
func (s *MediaSession) PressKeys(pressed string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range strings.ToUpper(pressed) {
		if strings.ContainsRune(keys, key) {
			s.in.pressKey(byte(key))
		}
	}
}
