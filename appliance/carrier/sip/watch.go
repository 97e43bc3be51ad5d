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

// TrunkStatus is how the trunk is doing.
type TrunkStatus struct {
	Trunk      string    // host, port and transport
	Up         bool      // calls are let through
	Since      time.Time // when that began
	Registered time.Time // until when the registration lasts; zero: none
	Err        error     // why it is not up, or not registered
	// Silent are servers of the trunk that did not answer when they were last asked, while others do.
	Silent []netip.AddrPort
	// Foreign are calls in which sound came from an address that was not agreed on.
	Foreign ForeignSound
	Load    Load // how late sound is sent
}

// TrunkAnswer is a sign of life of the trunk.
type TrunkAnswer struct {
	Status  int           // SIP status of the answer
	Server  string        // what the trunk calls itself; may be empty
	Took    time.Duration // until the answer
	Address string        // where it was reached, with the transport
}

// trunkMonitor knows whether the trunk answers.
type trunkMonitor struct {
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

func (w *trunkMonitor) startMonitor(c *Carrier) {
	w.Carrier, w.wake, w.up, w.since = c, make(chan struct{}, 1), true, time.Now()
}

// allowedLines is how many calls the trunk may have.
func (w *trunkMonitor) allowedLines(all int) int {
	if w.Status().Up {
		return all
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mayTry() {
		return 1
	}
	return 0
}

// mayTry says whether a call may be let through while the trunk is down: only where nothing else finds out whether it
// is there. Such a call goes back where it waited if it is not. The lock is held.
func (w *trunkMonitor) mayTry() bool {
	return !w.up && !w.pingable && time.Since(w.trial) >= trials && time.Since(w.since) >= anxious
}

// admitCall refuses a call that was let go before the trunk was found to be down.
func (w *trunkMonitor) admitCall() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.up:
	case w.mayTry():
		w.trial = time.Now()
	default:
		return &carrier.DialError{Err: errDown, RetryAfter: max(retryLater, w.reach.restTime(time.Now()))}
	}
	return nil
}

// errDown means that nothing was sent: the trunk is known to be down.
var errDown = errors.New("the trunk does not answer")

// noteAnswered takes any answer of the trunk.
func (w *trunkMonitor) noteAnswered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doubted, w.failures = false, 0
	w.setUp(true, nil)
}

// confirmDown asks the trunk for a sign of life on behalf of a call that had none, and says whether it is down. Calls that
// ask at the same time share an answer.
func (w *trunkMonitor) confirmDown(ctx context.Context) (down bool) {
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
	answer, err := w.PingTrunk(inner)
	if ctx.Err() != nil {
		return false
	}
	w.handlePing(answer, err)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.judged = time.Now()
	return !w.up
}

// isJudged says whether there was a verdict since a time.
func (w *trunkMonitor) isJudged(since time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.judged.After(since)
}

func (w *trunkMonitor) wakeMonitor() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// monitorTrunk asks the trunk for signs of life until ctx ends.
func (w *trunkMonitor) monitorTrunk(ctx context.Context) {
	for ctx.Err() == nil {
		inner, cancel := context.WithTimeout(ctx, patience)
		answer, err := w.PingTrunk(inner)
		cancel()
		if ctx.Err() != nil {
			return
		}
		select {
		case <-time.After(w.handlePing(answer, err)):
		case <-w.wake:
		case <-ctx.Done():
		}
	}
}

// handlePing takes the outcome of a ping and says when the next one is due. Silence alone does not count against a trunk
// that has never answered a ping: some don't. Neither does 503, unless calls get it too.
func (w *trunkMonitor) handlePing(answer TrunkAnswer, err error) time.Duration {
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
		w.setUp(true, nil)
		return calm
	}
	w.failures++
	if w.doubted || w.pingable && w.failures >= 2 {
		w.setUp(false, err)
	}
	if w.up && !w.pingable {
		return calm
	}
	return anxious
}

// setUp notes a change; the lock is held.
func (w *trunkMonitor) setUp(up bool, err error) {
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
func (c *Carrier) Status() TrunkStatus {
	until, missing := c.register.currentState()
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	s := TrunkStatus{Trunk: c.trunk.String(), Up: w.up, Since: w.since, Registered: until, Err: w.err, Silent: c.reach.silentServers()}
	s.Foreign, s.Load = c.foreign.currentState(), c.load.state()
	if c.options.Register && until.IsZero() {
		s.Up = false
		if s.Err == nil {
			s.Err = missing
		}
	}
	return s
}
