package sip

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"munadi/appliance/carrier"
)

const (
	// pings are how often the trunk is asked for a sign of life: while it answers, which keeps a NAT's way open too, and
	// while it does not.
	calm    = 30 * time.Second
	anxious = 5 * time.Second
	// trials are how often one call is let through while a trunk is down that answers nothing but calls.
	trials = time.Minute
)

// Status is how the trunk is doing.
type Status struct {
	Trunk      string    // host, port and transport
	Up         bool      // calls are let through
	Since      time.Time // when that began
	Registered time.Time // until when the registration lasts; zero: none
	Err        error     // why it is not up, or not registered
	// Silent are servers of the trunk that did not answer when they were last asked, while others do.
	Silent []netip.AddrPort
	// Foreign are calls in which sound came from an address that was not agreed on.
	Foreign Foreign
}

// Answer is a sign of life of the trunk.
type Answer struct {
	Status  int           // SIP status of the answer
	Server  string        // what the trunk calls itself; may be empty
	Took    time.Duration // until the answer
	Address string        // where it was reached, with the transport
}

// watch knows whether the trunk answers.
type watch struct {
	*Carrier
	wake chan struct{}

	judging sync.Mutex // one verdict at a time

	mu       sync.Mutex
	judged   time.Time // of the last verdict
	up       bool
	since    time.Time
	err      error
	doubted  bool      // a call got no answer since the last sign of life
	pingable bool      // it has answered a sign of life before, so that no call is needed to find out
	failures int       // pings without an answer, in a row
	trial    time.Time // of the last call that was let through while it was down
}

func (w *watch) start(c *Carrier) {
	w.Carrier, w.wake, w.up, w.since = c, make(chan struct{}, 1), true, time.Now()
}

// lines is how many calls the trunk may have.
func (w *watch) lines(all int) int {
	if w.Status().Up {
		return all
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.triable() {
		return 1
	}
	return 0
}

// triable says whether a call may be let through while the trunk is down: only where nothing else finds out whether it
// is there. Such a call goes back where it waited if it is not. The lock is held.
func (w *watch) triable() bool {
	return !w.up && !w.pingable && time.Since(w.trial) >= trials && time.Since(w.since) >= anxious
}

// admit refuses a call that was let go before the trunk was found to be down.
func (w *watch) admit() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.up:
	case w.triable():
		w.trial = time.Now()
	default:
		return &carrier.Refusal{Err: errDown, RetryAfter: max(retryLater, w.reach.rest(time.Now()))}
	}
	return nil
}

// errDown means that nothing was sent: the trunk is known to be down.
var errDown = errors.New("the trunk does not answer")

// answered takes any answer of the trunk.
func (w *watch) answered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doubted, w.failures = false, 0
	w.turn(true, nil)
}

// verdict asks the trunk for a sign of life on behalf of a call that had none, and says whether it is down. Calls that
// ask at the same time share an answer.
func (w *watch) verdict(ctx context.Context) (down bool) {
	asked := time.Now()
	w.judging.Lock()
	defer w.judging.Unlock()
	if w.isJudged(asked) {
		return !w.Status().Up
	}
	w.mu.Lock()
	w.doubted = true
	w.mu.Unlock()
	inner, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := w.Check(inner)
	if ctx.Err() != nil {
		return false
	}
	w.heard(answer, err)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.judged = time.Now()
	return !w.up
}

// isJudged says whether there was a verdict since a time.
func (w *watch) isJudged(since time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.judged.After(since)
}

func (w *watch) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// run asks the trunk for signs of life until ctx ends.
func (w *watch) run(ctx context.Context) {
	for ctx.Err() == nil {
		inner, cancel := context.WithTimeout(ctx, patience)
		answer, err := w.Check(inner)
		cancel()
		if ctx.Err() != nil {
			return
		}
		select {
		case <-time.After(w.heard(answer, err)):
		case <-w.wake:
		case <-ctx.Done():
		}
	}
}

// heard takes the outcome of a ping and says when the next one is due. Silence alone does not count against a trunk
// that has never answered a ping: some don't. Neither does 503, unless calls get it too.
func (w *watch) heard(answer Answer, err error) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil && answer.Status == 503 {
		err = StatusError(503)
		if w.up && !w.doubted {
			return calm
		}
	}
	if err == nil {
		w.pingable, w.doubted, w.failures = true, false, 0
		w.turn(true, nil)
		return calm
	}
	w.failures++
	if w.doubted || w.pingable && w.failures >= 2 {
		w.turn(false, err)
	}
	if w.up && !w.pingable {
		return calm
	}
	return anxious
}

// turn notes a change; the lock is held.
func (w *watch) turn(up bool, err error) {
	w.err = err
	if w.up == up {
		return
	}
	w.up, w.since = up, time.Now()
	if up {
		w.log.Info("the SIP trunk answers again", "trunk", w.trunk.String())
		return
	}
	w.trial = time.Now()
	w.log.Error("the SIP trunk takes no calls: they wait", "trunk", w.trunk.String(), "err", err)
}

// Status is how the trunk is doing.
func (c *Carrier) Status() Status {
	until, missing := c.register.state()
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	s := Status{Trunk: c.trunk.String(), Up: w.up, Since: w.since, Registered: until, Err: w.err, Silent: c.reach.silent()}
	s.Foreign = c.foreign.state()
	if c.options.Register && until.IsZero() {
		s.Up = false
		if s.Err == nil {
			s.Err = missing
		}
	}
	return s
}
