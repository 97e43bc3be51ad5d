package tts

import (
	"context"
	"sync"
	"time"
)

// SpeechStream takes the sound of a text in parts, while the rest is synthesized: of voices that can. It is for one
// request and one reader.
type SpeechStream struct {
	mu      sync.Mutex
	parts   []SpokenSound
	rest    time.Duration
	ended   bool
	err     error
	changed chan struct{} // has room for one; a receive follows a change
}

// NewStream returns a stream for a request.
func NewStream() *SpeechStream { return &SpeechStream{changed: make(chan struct{}, 1)} }

// Changed receives after parts have come, and at the stream's end. It never does when no part comes: what
// [TextSpeaker.Speak] returns is the sound then.
func (s *SpeechStream) Changed() <-chan struct{} { return s.changed }

// StreamedParts is what has come of a stream.
type StreamedParts struct {
	Sound SpokenSound   // empty: nothing new
	Rest  time.Duration // about how long the sound is that still comes
	Ended bool          // nothing comes any more
	Err   error         // why the rest is missing; with Ended
}

// TakeParts returns what has come since the last call.
func (s *SpeechStream) TakeParts() StreamedParts {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := StreamedParts{Rest: s.rest, Ended: s.ended, Err: s.err}
	for _, part := range s.parts {
		taken.Sound.PCM = append(taken.Sound.PCM, part.PCM...)
		taken.Sound.Wide = append(taken.Sound.Wide, part.Wide...)
		taken.Sound.Source = part.Source
	}
	s.parts = nil
	return taken
}

// AwaitParts waits for a change, for d at most.
func (s *SpeechStream) AwaitParts(ctx context.Context, d time.Duration) {
	limit := time.NewTimer(d)
	defer limit.Stop()
	select {
	case <-s.changed:
	case <-limit.C:
	case <-ctx.Done():
	}
}

// AddPart adds sound that may be played at once.
func (s *SpeechStream) AddPart(part SpokenSound, rest time.Duration) {
	s.change(func() {
		s.parts, s.rest = append(s.parts, part), rest
	})
}

// EndParts ends the stream; err is why the rest is missing.
func (s *SpeechStream) EndParts(err error) {
	s.change(func() { s.rest, s.ended, s.err = 0, true, err })
}

func (s *SpeechStream) change(f func()) {
	s.mu.Lock()
	f()
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}
