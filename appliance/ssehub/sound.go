package ssehub

import (
	"sync"
)

// SoundHub is the sound of what runs now, for those who listen in: chunks of interleaved PCM that are passed on and
// forgotten. It is safe for concurrent use, and its zero value is ready.
type SoundHub struct {
	mu        sync.Mutex
	listeners map[EventTopic]map[*SoundListener]struct{}
	count     int
	taken     map[string]int // listeners of an organization
}

// The bounds of listening in.
const (
	MaxListeners   = 64 // at once, over all organizations
	ListenersShare = 16 // of them that one organization may have
	soundBuffer    = 64 // chunks on their way to a listener
)

// SoundListener gets a topic's sound. C is closed when the sound ends, and when its reader does not keep up.
type SoundListener struct {
	C  <-chan []int16
	c  chan []int16
	at EventTopic
}

// JoinTopic joins a topic; ErrFull when too many listen already, in all or of the topic's organization. The listener
// must be given to [SoundHub.LeaveTopic].
func (s *SoundHub) JoinTopic(at EventTopic) (*SoundListener, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count >= MaxListeners || s.taken[at.OrgID] >= ListenersShare {
		return nil, ErrFull
	}
	c := make(chan []int16, soundBuffer)
	l := &SoundListener{C: c, c: c, at: at}
	if s.listeners == nil {
		s.listeners, s.taken = map[EventTopic]map[*SoundListener]struct{}{}, map[string]int{}
	}
	s.count++
	s.taken[at.OrgID]++
	if s.listeners[at] == nil {
		s.listeners[at] = map[*SoundListener]struct{}{}
	}
	s.listeners[at][l] = struct{}{}
	return l, nil
}

// LeaveTopic ends the listening.
func (s *SoundHub) LeaveTopic(l *SoundListener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count--
	if s.taken[l.at.OrgID]--; s.taken[l.at.OrgID] == 0 {
		delete(s.taken, l.at.OrgID)
	}
	s.removeListener(l)
}

// removeListener takes a listener off its topic, once.
func (s *SoundHub) removeListener(l *SoundListener) {
	all := s.listeners[l.at]
	if _, there := all[l]; !there {
		return
	}
	close(l.c)
	delete(all, l)
	if len(all) == 0 {
		delete(s.listeners, l.at)
	}
}

// HasListeners says whether anybody listens: a sound that nobody hears need not be made.
func (s *SoundHub) HasListeners(at EventTopic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.listeners[at]) > 0
}

// PlayChunk passes a chunk on; it never blocks. The chunk must not be changed afterwards.
func (s *SoundHub) PlayChunk(at EventTopic, chunk []int16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.listeners[at] {
		select {
		case l.c <- chunk:
		default:
			s.removeListener(l)
		}
	}
}

// StopTopic ends a topic's sound for everyone who listens.
func (s *SoundHub) StopTopic(at EventTopic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.listeners[at] {
		s.removeListener(l)
	}
}

// Close ends all of them.
func (s *SoundHub) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, all := range s.listeners {
		for l := range all {
			s.removeListener(l)
		}
	}
}
