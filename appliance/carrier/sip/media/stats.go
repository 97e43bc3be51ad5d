package media

import "time"

// Stats is what was measured.
type Stats struct {
	Sent, Received, Lost, Late uint64 // packets
	Jitter                     time.Duration
}

// Stats is what was measured so far.
func (s *Session) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Stats{Sent: s.out.sent, Received: s.in.received}
}
