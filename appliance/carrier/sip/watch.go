package sip

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"
)

const (
	// pings are how often the trunk is asked for a sign of life: while it answers, which keeps a NAT's way open too, and
	// while it does not.
	calm    = 30 * time.Second
	anxious = 5 * time.Second
	// trials are how often one call is let through while the trunk is down.
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

	mu       sync.Mutex
	up       bool
	since    time.Time
	err      error
	doubted  bool      // a call got no answer since the last sign of life
	pingable bool      // it has answered OPTIONS before
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
	if time.Since(w.trial) >= trials && time.Since(w.since) >= anxious {
		return 1
	}
	return 0
}

// dialled notes that a call was let through.
func (w *watch) dialled() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trial = time.Now()
}

// answered takes any answer of the trunk.
func (w *watch) answered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doubted, w.failures = false, 0
	w.turn(true, nil)
}

// doubt takes a call that got no answer: the trunk is asked at once.
func (w *watch) doubt() {
	w.mu.Lock()
	w.doubted = true
	w.mu.Unlock()
	w.nudge()
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
		_, err := w.Check(inner)
		cancel()
		if ctx.Err() != nil {
			return
		}
		select {
		case <-time.After(w.heard(err)):
		case <-w.wake:
		case <-ctx.Done():
		}
	}
}

// heard takes the outcome of a ping and says when the next one is due. Silence alone does not count against a trunk
// that has never answered a ping: some don't.
func (w *watch) heard(err error) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
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
	w.log.Error("the SIP trunk does not answer: calls wait", "trunk", w.trunk.String(), "err", err)
}

// Status is how the trunk is doing.
func (c *Carrier) Status() Status {
	until, missing := c.register.state()
	w := &c.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	s := Status{Trunk: c.trunk.String(), Up: w.up, Since: w.since, Registered: until, Err: w.err, Silent: c.reach.silent()}
	if c.options.Register && until.IsZero() {
		s.Up = false
		if s.Err == nil {
			s.Err = missing
		}
	}
	return s
}

// Check asks the trunk for a sign of life (OPTIONS), all its servers at once: the first answer counts, and any answer
// is one. What the others say is awaited aside.
func (c *Carrier) Check(ctx context.Context) (Answer, error) {
	servers, err := c.servers(ctx)
	if err != nil {
		return Answer{}, err
	}
	signs := make(chan sign, len(servers))
	for _, by := range servers {
		c.aside(func() { signs <- c.sign(by) })
	}
	for range servers {
		select {
		case s := <-signs:
			if s.err == nil {
				return s.Answer, nil
			}
			err = s.err
		case <-ctx.Done():
			return Answer{}, errors.Join(errNoAnswer, ctx.Err())
		}
	}
	return Answer{}, err
}

// sign is what came of asking one server for a sign of life.
type sign struct {
	Answer
	err error
}

func (c *Carrier) sign(by server) sign {
	ctx, cancel := context.WithTimeout(c.life, patience)
	defer cancel()
	answer, err := c.ping(ctx, by)
	c.reach.pinged(by.remote, err)
	return sign{answer, err}
}

func (c *Carrier) ping(ctx context.Context, by server) (Answer, error) {
	began := time.Now()
	by, err := c.connect(ctx, by)
	if err != nil {
		return Answer{}, err
	}
	whole := c.trunk.uri("")
	req := c.outside(sip.OPTIONS, whole, whole, by)
	req.AppendHeader(c.contact(by))
	req.AppendHeader(sip.NewHeader("Accept", "application/sdp"))
	e, err := c.once(ctx, req)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{
		Status: e.res.StatusCode, Took: time.Since(began), Address: by.remote.String() + " over " + req.Transport(),
	}
	for _, name := range []string{"Server", "User-Agent"} {
		if a.Server == "" {
			a.Server = headerOf(e.res, name)
		}
	}
	return a, nil
}

// Register registers once, for whoever wants to know whether it works; nothing without Options.Register.
func (c *Carrier) Register(ctx context.Context) error {
	if !c.options.Register {
		return nil
	}
	_, err := c.registerOnce(ctx, time.Minute)
	return err
}
