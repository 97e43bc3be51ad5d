package conversation

import (
	"errors"
	"math"
	"time"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// Call hold: the other side, or its switch, holds the call (RFC 3264 §8.4) and hears nothing. The dialogue's time,
// now of the session, stands still then: nothing that was heard is an answer, no wait ends, and the prompt waits. The
// line's own time runs on, and so does the recording. lineAt maps one to the other.

const (
	// HoldLimit is how long a call may be held in one piece, before it is ended.
	HoldLimit = 10 * time.Minute
	// shortHold is that of a switch which reconnects the call, or of a telephone between two calls: nobody has left it.
	shortHold = 2 * time.Second
)

// errHeldTooLong means that the call was held for [HoldLimit].
var errHeldTooLong = errors.New("the call was held for too long")

// holdSpan is a hold during which the dialogue stood still.
type holdSpan struct {
	at     time.Duration // in the dialogue's time
	lasted time.Duration
}

// lineAt returns the line's time of a time of the dialogue.
func (s *conversationSession) lineAt(t time.Duration) time.Duration {
	at := t
	for _, h := range s.holds {
		if h.at < t {
			at += h.lasted
		}
	}
	return at
}

// setTime sets the dialogue's time after a frame.
func (s *conversationSession) setTime(f carrier.Frame) { s.now = f.At + carrier.Tick - s.heldTime }

// passHeldFrame counts a frame of a hold.
func (s *conversationSession) passHeldFrame() error {
	if !s.onHold {
		s.onHold, s.pressed = true, ""
		s.holds = append(s.holds, holdSpan{at: s.now})
	}
	h := &s.holds[len(s.holds)-1]
	h.lasted += carrier.Tick
	s.heldTime += carrier.Tick
	if h.lasted >= HoldLimit {
		return errHeldTooLong
	}
	return s.checkLimits()
}

// endHold notes the end of a hold, if one lasts.
func (s *conversationSession) endHold() (lasted time.Duration) {
	if !s.onHold {
		return 0
	}
	s.onHold = false
	h := s.holds[len(s.holds)-1]
	s.addHold(s.lineAt(h.at), h.lasted, call.HeldByCustomer)
	return h.lasted
}

// addHold stores a hold, in times of the line.
func (s *conversationSession) addHold(at, lasted time.Duration, by call.HoldParty) {
	if len(s.callHolds) < call.MaxHolds {
		s.callHolds = append(s.callHolds, call.CallHold{At: at.Seconds(), Duration: roundTenth(lasted), By: by})
	}
}

func roundTenth(d time.Duration) float64 { return math.Round(10*d.Seconds()) / 10 }

// resumeFromHold lets the dialogue go on after a hold. After a long one the sentence that it cut off is said from its
// beginning, and a question that was asked already is asked again, since nobody remembers half of either.
func (s *conversationSession) resumeFromHold() {
	if s.endHold() < shortHold {
		return
	}
	if s.held != nil {
		s.held.since = s.now // an interruption that the hold cut off is judged anew
	}
	switch {
	case len(s.playing) > 0:
		s.Line.Flush()
		rest := s.playing
		rest[0].first, s.playing = 0, nil
		s.requeueSpeech(rest)
	case s.asked != nil && s.held == nil:
		s.asked.resumed = true
	}
}

// holdWatch stores the holds of a side of a bridge.
type holdWatch struct {
	by    call.HoldParty
	since time.Duration
	on    bool
}

// follow notes whether the side holds the call now, and reports whether it has done so for too long.
func (w *holdWatch) follow(s *conversationSession, held bool) (tooLong bool) {
	switch {
	case held && !w.on:
		w.since = s.now
	case !held && w.on:
		s.addHold(s.lineAt(w.since), s.now-w.since, w.by)
	}
	w.on = held
	return held && s.now-w.since >= HoldLimit
}
