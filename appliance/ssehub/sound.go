package ssehub

import (
	"sync"

	"munadi/appliance/quota"
)

// SoundHub passes the audio of running calls to listeners: chunks of interleaved PCM, which are not kept. It is safe
// for concurrent use.
type SoundHub struct {
	seats *quota.Quota
	relay TopicRelay

	mu        sync.Mutex
	listeners map[EventTopic]map[*SoundListener]struct{}
}

// Limits of listening.
const (
	MaxListeners    = 64 // concurrent listeners, over all organizations
	MaxOrgListeners = 16 // concurrent listeners of one organization
	soundBuffer     = 64 // queued chunks of a listener
)

// NewSoundHub returns a hub without listeners.
func NewSoundHub() *SoundHub {
	return &SoundHub{
		seats: quota.NewQuota(MaxListeners, MaxOrgListeners), listeners: map[EventTopic]map[*SoundListener]struct{}{},
	}
}

// SoundListener receives a topic's audio. C is closed when the audio ends, or when the listener is too slow.
type SoundListener struct {
	C  <-chan []int16
	c  chan []int16
	at EventTopic

	stop func() // ends the relay's subscription
}

// SetRelay sets the relay. It must be called before the first listener joins.
func (s *SoundHub) SetRelay(r TopicRelay) { s.relay = r }

// JoinTopic adds a listener to a topic; ErrFull at the limit of listeners. The listener must be passed to
// [SoundHub.LeaveTopic].
func (s *SoundHub) JoinTopic(at EventTopic) (*SoundListener, error) {
	l, err := s.addListener(at)
	if err == nil && s.relay != nil {
		l.stop = s.relay.FollowSound(at)
	}
	return l, err
}

// ForwardTopic is JoinTopic for a listener on another appliance.
func (s *SoundHub) ForwardTopic(at EventTopic) (*SoundListener, error) { return s.addListener(at) }

func (s *SoundHub) addListener(at EventTopic) (*SoundListener, error) {
	if s.seats.TakeUnits(at.OrgID, 1) != nil {
		return nil, ErrFull
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := make(chan []int16, soundBuffer)
	l := &SoundListener{C: c, c: c, at: at, stop: func() {}}
	if s.listeners[at] == nil {
		s.listeners[at] = map[*SoundListener]struct{}{}
	}
	s.listeners[at][l] = struct{}{}
	return l, nil
}

// LeaveTopic removes a listener.
func (s *SoundHub) LeaveTopic(l *SoundListener) {
	l.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats.ReleaseUnits(l.at.OrgID, 1)
	s.removeListener(l)
}

// removeListener closes a listener's channel and removes it from its topic, once.
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

// HasListeners reports whether a topic has listeners, so that publishers can skip work.
func (s *SoundHub) HasListeners(at EventTopic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.listeners[at]) > 0
}

// PlayChunk sends a chunk to the listeners; it never blocks, and drops slow listeners. The chunk must not be changed
// afterwards.
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

// StopTopic ends a topic's audio for all listeners.
func (s *SoundHub) StopTopic(at EventTopic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.listeners[at] {
		s.removeListener(l)
	}
}

// Close removes all listeners.
func (s *SoundHub) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, all := range s.listeners {
		for l := range all {
			s.removeListener(l)
		}
	}
}
