package sip

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"munadi/appliance/carrier"
)

const (
	// Probe intervals: while the trunk is up, which also keeps a NAT binding open, and while it is down.
	calm    = 30 * time.Second
	anxious = 5 * time.Second
	// trials is the interval between trial calls (half-open circuit breaker) to a trunk that is down and does not answer
	// OPTIONS.
	trials = time.Minute
)

// TrunkStatus is the health of the trunk.
type TrunkStatus struct {
	Name       string
	Trunk      string    // host, port and transport
	Up         bool      // calls are accepted
	Unheard    bool      // nothing has answered since it was opened: whether it takes calls is not known
	Since      time.Time // since when
	Calls      int       // dialled or up
	Lines      int       // that the trunk may have at most
	Registered time.Time // registered until; zero: not registered
	Err        error     // why it is down, not registered, or without an address
	// Silent are servers that did not respond to the last probe, while others did.
	Silent []netip.AddrPort
	// Foreign summarizes calls with audio from an address that was not negotiated.
	Foreign ForeignSound
	Load    LoadState // load shedding state
	NoAudio NoAudio   // answered calls without audio
	// Paused says why calls wait although the trunk answers; nil if they do not.
	Paused *CallPause
}

// TrunkAnswer is a response to a probe.
type TrunkAnswer struct {
	Status  int           // SIP status of the answer
	Server  string        // Server or User-Agent header; may be empty
	Took    time.Duration // round-trip time
	Address string        // address and transport
}

// trunkMonitor tracks whether the trunk responds; whether it takes calls, a [callBreaker].
type trunkMonitor struct {
	*Carrier
	wake    chan struct{}
	breaker callBreaker

	judging sync.Mutex // one verdict at a time

	mu       sync.Mutex
	judged   time.Time // time of the last verdict
	up       bool
	since    time.Time
	err      error
	doubted  bool      // a call got no response since the last successful probe
	answered bool      // it has answered anything since it was opened
	pingable bool      // it has answered a probe before, so that no trial call is needed
	failures int       // consecutive failed probes
	trial    time.Time // time of the last trial call
	unnamed  error     // the last probe found no address by the trunk's name; else nil
}

func (w *trunkMonitor) startMonitor(c *Carrier) {
	w.Carrier, w.wake, w.up, w.since = c, make(chan struct{}, 1), true, time.Now()
	w.breaker.log = c.log.With("trunk", c.trunk.String())
}

// allowedLines returns the number of concurrent calls allowed now, of which up are answered.
func (w *trunkMonitor) allowedLines(all, up int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch missing, _ := w.isUnregistered(); {
	case w.up && !missing:
		return w.breaker.allowedLines(all, up)
	case w.mayTry():
		return min(all, up+1)
	default:
		return min(all, up)
	}
}

// IsTrialDue reports whether the trunk is paused and the next call tries it, see callBreaker.
func (c *Carrier) IsTrialDue() bool {
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	w.breaker.mu.Lock()
	defer w.breaker.mu.Unlock()
	return w.up && w.breaker.isTrialDue(time.Now())
}

// isUnregistered reports whether a configured registration is missing, and why.
func (w *trunkMonitor) isUnregistered() (missing bool, why error) {
	until, why := w.register.currentState()
	return w.options.Register && until.IsZero(), why
}

// mayTry reports whether a trial call may be let through while the trunk is down: only if probes are not answered at
// all. Such a call is requeued if it fails. The lock is held.
func (w *trunkMonitor) mayTry() bool {
	return !w.up && !w.pingable && time.Since(w.trial) >= trials && time.Since(w.since) >= anxious
}

// admitCall refuses a call that was released before the trunk was found to be down or paused.
func (w *trunkMonitor) admitCall(number string) (*callPass, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	trial := !w.up && w.mayTry()
	if !w.up && !trial {
		return nil, &carrier.DialError{Err: errDown, RetryAfter: retryLater}
	}
	pass, err := w.breaker.admitCall(number)
	if trial && err == nil {
		w.trial = time.Now()
	}
	return pass, err
}

// errDown means that no request was sent, because the trunk is down.
var errDown = errors.New("the trunk does not answer")

// noteAnswered records a response of the trunk.
func (w *trunkMonitor) noteAnswered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answered, w.doubted, w.failures = true, false, 0
	w.setUp(true, nil)
}

// confirmDown probes the trunk after a call without a response, and reports whether it is down. Concurrent calls share
// one probe.
func (w *trunkMonitor) confirmDown(ctx context.Context) (down bool) {
	asked := time.Now()
	w.judging.Lock()
	defer w.judging.Unlock()
	if w.isJudged(asked) {
		return w.isDown()
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

func (w *trunkMonitor) isDown() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.up
}

// isJudged reports whether there was a verdict since a time.
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

// monitorTrunk probes the trunk until ctx ends.
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

// handlePing records the result of a probe and returns the time until the next one. No response does not count against
// a trunk that has never answered a probe; neither does 503, unless calls get it too.
func (w *trunkMonitor) handlePing(answer TrunkAnswer, err error) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answered = w.answered || err == nil
	if w.unnamed = nil; isNameError(err) {
		w.unnamed = err
	}
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

// isNameError reports whether a host name could not be resolved.
func isNameError(err error) bool {
	_, is := errors.AsType[*net.DNSError](err)
	return is
}

// setUp changes the state; the lock is held.
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
	w.log.Error("the SIP trunk accepts no calls: calls wait", "trunk", w.trunk.String(), "err", err)
}

// Status returns the health of the trunk.
func (c *Carrier) Status() TrunkStatus {
	until, _ := c.register.currentState()
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	s := TrunkStatus{
		Name:       c.options.Name,
		Trunk:      c.trunk.String(),
		Up:         w.up,
		Unheard:    !w.answered && until.IsZero(),
		Since:      w.since,
		Calls:      int(c.inUse.Load()),
		Lines:      int(c.lines.Load()),
		Registered: until,
		Err:        w.err,
		Silent:     c.reach.silentServers(),
	}
	if s.Unheard && s.Err == nil {
		s.Err = w.unnamed
	}
	s.Foreign, s.Load, s.NoAudio = c.foreign.currentState(), c.load.currentState(), c.heard.currentState()
	if missing, why := w.isUnregistered(); missing {
		s.Up = false
		if s.Err == nil {
			s.Err = why
		}
	}
	if pause := w.breaker.currentPause(); pause != nil && s.Up {
		s.Up, s.Since, s.Err, s.Paused = false, pause.Since, pause, pause
	}
	return s
}
