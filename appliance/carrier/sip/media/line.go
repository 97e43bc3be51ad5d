package media

import (
	"context"
	"errors"
	"strings"
	"time"

	"munadi/appliance/carrier"
)

// Next waits for the next frame. Unread frames are buffered, for longer than [carrier.Unread].
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

// takeFrame returns a buffered frame.
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

// keepFrame buffers a frame for Next.
func (s *MediaSession) keepFrame(f *carrier.Frame) {
	s.frames.push(f)
	if s.frames.len() >= int(untaken/carrier.Tick) {
		s.endSession(&carrier.DialError{Err: errors.New("the frames of the call were not read for " + untaken.String())})
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Say queues audio; the session takes ownership of it. wide is the same at 16000 samples per second, for a wideband
// codec; nil: pcm is all there is.
func (s *MediaSession) Say(pcm, wide []int16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.out.speech.addSound(pcm, wide)
	}
}

// Flush discards queued audio. Audio in buffered frames has been sent already.
func (s *MediaSession) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.speech = speechQueue{}
}

// Queued returns the time from the end of the last returned frame until all queued audio has been played: the rest of
// it, plus, for a slow reader, the buffered frames, which precede it. 0 after Flush.
func (s *MediaSession) Queued() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	given := (s.made - s.frames.len()) * carrier.Samples
	return time.Duration(max(0, s.out.speech.endSample(s.made*carrier.Samples)-given)) * time.Second / carrier.Rate
}

// CountUnread implements [carrier.UnreadCounter].
func (s *MediaSession) CountUnread() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frames.len()
}

// keys are the DTMF digits by event number.
const keys = "0123456789*#ABCD"

// PressKeys adds DTMF digits received by another way than RTP (SIP INFO); other characters are ignored.
func (s *MediaSession) PressKeys(pressed string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range strings.ToUpper(pressed) {
		if strings.ContainsRune(keys, key) {
			s.in.keys.addPress(byte(key), byInfo)
		}
	}
}
