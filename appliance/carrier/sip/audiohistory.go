package sip

import (
	"errors"
	"sync"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
)

// Calls that a trunk's audio is judged by: the latest, of the last hour.
const (
	judgedCalls  = 50
	judgedWithin = time.Hour
)

// NoAudio counts answered calls that ended in the last hour, at most the latest 50, and those of them that ended
// because no audio came.
type NoAudio struct{ Calls, Of int }

// audioHistory records which calls had audio. The zero value is ready.
type audioHistory struct {
	mu    sync.Mutex
	calls []audioEnd // oldest first
}

type audioEnd struct {
	at   time.Time
	dead bool
}

// addCall records a call at its end. One that was hung up before any audio came tells nothing.
func (h *audioHistory) addCall(why error, s media.MediaStats) {
	end := audioEnd{at: time.Now(), dead: errors.Is(why, carrier.ErrNoAudio)}
	if !end.dead && s.Received == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, end)
	h.calls = h.calls[max(0, len(h.calls)-judgedCalls):]
}

func (h *audioHistory) currentState() (n NoAudio) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, end := range h.calls {
		if time.Since(end.at) > judgedWithin {
			continue
		}
		n.Of++
		if end.dead {
			n.Calls++
		}
	}
	return n
}
