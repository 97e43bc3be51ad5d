package event

import (
	"sync"
)

// Sound is the sound of what runs now, for those who listen in: chunks of interleaved PCM that are passed on and
// forgotten. It is safe for concurrent use, and its zero value is ready.
type Sound struct {
	mu        sync.Mutex
	listeners map[Topic]map[*Listener]struct{}
	count     int
}

// The bounds of listening in.
const (
	MaxListeners = 16 // at once, over all topics
	soundBuffer  = 64 // chunks on their way to a listener
)

// Listener gets a topic's sound. C is closed when the sound ends, and when its reader does not keep up.
type Listener struct {
	C  <-chan []int16
	c  chan []int16
	at Topic
}

// Listen joins a topic; ErrFull when too many listen already. The listener must be given to Leave.
func (s *Sound) Listen(at Topic) (*Listener, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count >= MaxListeners {
		return nil, ErrFull
	}
	s.count++
	c := make(chan []int16, soundBuffer)
	l := &Listener{C: c, c: c, at: at}
	if s.listeners == nil {
		s.listeners = map[Topic]map[*Listener]struct{}{}
	}
	if s.listeners[at] == nil {
		s.listeners[at] = map[*Listener]struct{}{}
	}
	s.listeners[at][l] = struct{}{}
	return l, nil
}

// Leave ends the listening.
func (s *Sound) Leave(l *Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count--
	s.part(l)
}

// part takes a listener off its topic, once.
func (s *Sound) part(l *Listener) {
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

// Heard says whether anybody listens: a sound that nobody hears need not be made.
func (s *Sound) Heard(at Topic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.listeners[at]) > 0
}

// Play passes a chunk on; it never blocks. The chunk must not be changed afterwards.
func (s *Sound) Play(at Topic, chunk []int16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.listeners[at] {
		select {
		case l.c <- chunk:
		default:
			s.part(l)
		}
	}
}

// Stop ends a topic's sound for everyone who listens.
func (s *Sound) Stop(at Topic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.listeners[at] {
		s.part(l)
	}
}

// Close ends all of them.
func (s *Sound) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, all := range s.listeners {
		for l := range all {
			s.part(l)
		}
	}
}
