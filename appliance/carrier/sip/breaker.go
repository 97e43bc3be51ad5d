package sip

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

const (
	// mostRefusals is how many refusals in a row, over at least two numbers, pause a trunk.
	mostRefusals = 5
	// The pause before a trial call doubles with each that is refused.
	firstPause   = 5 * time.Second
	longestPause = 5 * time.Minute
)

// callBreaker is the circuit breaker over the outcomes of a trunk's INVITEs, whatever it answers to OPTIONS: a trunk
// that refuses calls for reasons of its own (see [callPass.settle]) is paused. Calls that it refuses from then on are
// put back without using up an attempt. After each pause one trial call is let through (half-open), and the first that
// the trunk takes closes the breaker; the very next refusal opens it again, until the trunk took another call. That of
// a number by which it was paused counts as any: the trunk took another one since, so that it may be the number's own.
//
// Retry-After holds its number alone; when a second number gets one meanwhile, the trunk is paused for that time.
type callBreaker struct {
	log *slog.Logger

	mu      sync.Mutex
	paused  *CallPause // nil: closed
	trial   *callPass  // the call that tries a paused trunk
	pause   time.Duration
	row     int      // refusals in a row
	first   string   // number of the row's first refusal
	several bool     // the row has other numbers, too
	unrung  bool     // it answered a call without 18x: without one, the person may just not answer
	blamed  []string // numbers whose refusals paused it, until it takes a call that tries nothing
	held    map[string]time.Time
	asked   string // the number that the trunk refused last with Retry-After
}

// CallPause says why a trunk's calls wait (open circuit breaker).
type CallPause struct {
	Since   time.Time
	Next    time.Time // when a call tries the trunk
	SIPCode int       // of the last refusal; 0: there was no answer
	Phrase  string    // the answer's reason phrase, redacted
}

// Error implements error.
func (p *CallPause) Error() string { return "the trunk refuses calls: " + p.Answer() }

// Answer returns status and reason phrase of the last refusal.
func (p *CallPause) Answer() string {
	switch {
	case p.SIPCode == 0:
		return "no answer to INVITE"
	case carrier.IsSuccess(p.SIPCode):
		return fmt.Sprint(p.SIPCode, ", with a media description that cannot be used")
	case p.Phrase == "":
		return fmt.Sprint(p.SIPCode)
	default:
		return fmt.Sprint(p.SIPCode, " ", p.Phrase)
	}
}

var (
	errPaused = errors.New("the trunk refuses calls, and is tried with one call at a time")
	errHeld   = errors.New("the trunk asked to be called later for this number (Retry-After)")
)

// callPass is the permit of one call to be dialled.
type callPass struct {
	breaker *callBreaker
	number  string
	settled bool
}

// admitCall refuses a call while the trunk is paused or the number held.
func (b *callBreaker) admitCall(number string) (*callPass, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if wait := b.held[number].Sub(now); wait > 0 {
		return nil, &carrier.DialError{Err: errHeld, RetryAfter: wait}
	}
	p := &callPass{breaker: b, number: number}
	if b.paused == nil {
		return p, nil
	}
	if !b.isTrialDue(now) {
		return nil, &carrier.DialError{Err: errPaused, RetryAfter: b.untilTrial(now)}
	}
	b.trial = p
	return p, nil
}

// untilTrial returns how long a refused call waits at least; the lock is held.
func (b *callBreaker) untilTrial(now time.Time) time.Duration {
	return max(b.paused.Next.Sub(now), retryLater)
}

// allowedLines returns the number of concurrent calls allowed now, of which up are answered.
func (b *callBreaker) allowedLines(all, up int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.paused == nil:
		return all
	case b.trial != nil || b.isTrialDue(time.Now()):
		up++
	}
	return min(all, up)
}

// isTrialDue reports whether the next call would try a paused trunk; the lock is held.
func (b *callBreaker) isTrialDue(now time.Time) bool {
	return b.paused != nil && b.trial == nil && !now.Before(b.paused.Next)
}

// currentPause returns a copy of the pause; nil without one.
func (b *callBreaker) currentPause() *CallPause {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.paused == nil {
		return nil
	}
	p := *b.paused
	return &p
}

// noteTaken records that the trunk took the call: it rings, or, perhaps without having rung, was answered.
func (p *callPass) noteTaken(rang bool) {
	p.breaker.mu.Lock()
	defer p.breaker.mu.Unlock()
	p.breaker.unrung = p.breaker.unrung || !rang
	p.breaker.recordTaken(p)
}

// giveBack settles a call whose outcome, unless it is recorded already, says nothing about the trunk.
func (p *callPass) giveBack() {
	p.breaker.mu.Lock()
	defer p.breaker.mu.Unlock()
	p.breaker.endTrial(p)
}

// settle records a dial's refusal. Those that [carrier.ClassifyRefusal] calls failed are the trunk's own, except 6xx
// (RFC 3261 §21.6: about the user); others show that the trunk took the call. One by which the trunk is paused, and in
// which no telephone can have rung, is put back.
func (p *callPass) settle(refused *carrier.DialError) {
	b, now := p.breaker, time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if refused.Hold > 0 {
		b.holdNumber(p.number, now, refused.Hold)
	}
	status, _ := carrier.ClassifyRefusal(refused)
	switch {
	case status != call.Failed, refused.SIPCode != nil && *refused.SIPCode >= 600:
		b.recordTaken(p)
		return
	case refused.RingTimeout && b.unrung:
		return
	case !p.settled:
		b.recordRefusal(p, refused, now)
	}
	b.endTrial(p)
	if b.paused != nil && !refused.Rang && !refused.RingTimeout {
		refused.RetryAfter = max(refused.RetryAfter, b.untilTrial(now))
	}
}

// endTrial ends a call's pass; the lock is held.
func (b *callBreaker) endTrial(p *callPass) {
	p.settled = true
	if b.trial == p {
		b.trial = nil
	}
}

// recordTaken closes the breaker after a trial call, and otherwise ends a row of refusals. The lock is held.
func (b *callBreaker) recordTaken(p *callPass) {
	switch {
	case p.settled:
	case b.trial == p:
		b.paused, b.row, b.several = nil, 0, false
		b.log.Info("the SIP trunk takes calls again")
	case b.paused == nil:
		b.row, b.several, b.pause, b.blamed = 0, false, 0, nil
	}
	b.endTrial(p)
}

// recordRefusal counts a refusal, and pauses the trunk after a trial call, the last of a row, or a second number with
// Retry-After. One that was dialled before the pause has no say in it. The lock is held.
func (b *callBreaker) recordRefusal(p *callPass, refused *carrier.DialError, now time.Time) {
	another := refused.RetryAfter > 0 && b.asked != p.number && b.held[b.asked].After(now)
	if refused.RetryAfter > 0 {
		b.asked = p.number
	}
	if b.paused != nil && b.trial != p {
		return
	}
	if b.row++; b.row == 1 {
		b.first = p.number
	}
	b.several = b.several || p.number != b.first
	again := len(b.blamed) > 0 && !slices.Contains(b.blamed, p.number)
	if b.trial == p || another || again || b.row >= mostRefusals && b.several {
		b.pauseCalls(refused, now)
		b.blamed = append(b.blamed, p.number)
	}
}

// pauseCalls opens the breaker, or leaves it open, until the next trial call. The lock is held.
func (b *callBreaker) pauseCalls(refused *carrier.DialError, now time.Time) {
	level := slog.LevelInfo
	if b.paused == nil {
		b.paused, level = &CallPause{Since: now}, slog.LevelError
	}
	b.pause = min(max(2*b.pause, firstPause), longestPause)
	b.paused.Next = now.Add(max(b.pause, refused.RetryAfter))
	b.paused.SIPCode, b.paused.Phrase = 0, refused.Phrase
	if refused.SIPCode != nil {
		b.paused.SIPCode = *refused.SIPCode
	}
	b.log.Log(context.Background(), level, "the SIP trunk refuses calls: they wait, and one at a time tries it",
		"err", refused, "next_call", b.paused.Next)
}

// holdNumber holds a number, and forgets those whose time is over. The lock is held.
func (b *callBreaker) holdNumber(number string, now time.Time, wait time.Duration) {
	if b.held == nil {
		b.held = map[string]time.Time{}
	}
	for other, until := range b.held {
		if !until.After(now) {
			delete(b.held, other)
		}
	}
	b.held[number] = now.Add(wait)
}
