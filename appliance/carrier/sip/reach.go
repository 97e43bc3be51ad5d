package sip

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"
)

// serverHealth records which servers of the trunk did not respond last (circuit breaker), so that a call need not wait
// for them before failover.
type serverHealth struct {
	log     *slog.Logger
	mu      sync.Mutex
	servers map[netip.AddrPort]serverRecord
}

// serverRecord is the health of a server.
type serverRecord struct {
	pingable bool // it has answered OPTIONS before: some servers never do, and still take calls
	silent   bool
	until    time.Time // end of its Retry-After time
}

// orderServers puts unresponsive servers last, after them those in their Retry-After time. Servers that the trunk no
// longer has are forgotten.
func (r *serverHealth) orderServers(all []trunkServer) []trunkServer {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := map[netip.AddrPort]serverRecord{}
	for _, s := range all {
		known[s.remote] = r.servers[s.remote]
	}
	r.servers = known
	now := time.Now()
	slices.SortStableFunc(
		all, func(a, b trunkServer) int { return known[a.remote].rank(now) - known[b.remote].rank(now) },
	)
	return all
}

// asksForRest records a server's Retry-After (RFC 3261 §21.5.4).
func (r *serverHealth) asksForRest(at netip.AddrPort, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, ok := r.servers[at]
	if !ok {
		return
	}
	m.until = until
	r.servers[at] = m
	r.log.Warn("a server of the SIP trunk asked for a pause (Retry-After)", "server", at.String(), "until", until)
}

// silentServers returns the unresponsive servers; none if all are unresponsive.
func (r *serverHealth) silentServers() (out []netip.AddrPort) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for at, m := range r.servers {
		if m.silent {
			out = append(out, at)
		}
	}
	if len(out) == len(r.servers) {
		return nil
	}
	slices.SortFunc(out, netip.AddrPort.Compare)
	return out
}

func (m serverRecord) rank(now time.Time) int {
	switch {
	case m.until.After(now):
		return 2
	case m.silent:
		return 1
	default:
		return 0
	}
}

// recordPing records the result of an OPTIONS probe.
func (r *serverHealth) recordPing(at netip.AddrPort, err error) {
	r.updateRecord(at, func(m serverRecord) serverRecord {
		switch {
		case err == nil:
			return serverRecord{pingable: true, until: m.until}
		case m.pingable && !errors.Is(err, context.Canceled):
			m.silent = true
		}
		return m
	})
}

// recordCall records whether a server responded to an INVITE.
func (r *serverHealth) recordCall(at netip.AddrPort, heard bool) {
	r.updateRecord(at, func(m serverRecord) serverRecord {
		m.silent = !heard
		return m
	})
}

// updateRecord changes the record of a known server. A single server has none: the trunk's own state covers it.
func (r *serverHealth) updateRecord(at netip.AddrPort, change func(serverRecord) serverRecord) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, ok := r.servers[at]
	if !ok {
		return
	}
	after := change(before)
	r.servers[at] = after
	switch {
	case after.silent == before.silent || len(r.servers) == 1:
	case after.silent:
		r.log.Warn("a server of the SIP trunk does not answer: the others come first", "server", at.String())
	default:
		r.log.Info("a server of the SIP trunk answers again", "server", at.String())
	}
}

// PingTrunk probes the trunk with OPTIONS (health check), all its servers at once: the first response of any status
// counts. The others are awaited in the background.
func (c *Carrier) PingTrunk(ctx context.Context) (TrunkAnswer, error) {
	servers, err := c.resolveServers(ctx)
	if err != nil {
		return TrunkAnswer{}, err
	}
	signs := make(chan pingResult, len(servers))
	for _, by := range servers {
		c.runAside(func() { signs <- c.pingServer(by) })
	}
	for range servers {
		select {
		case s := <-signs:
			if s.err == nil {
				return s.TrunkAnswer, nil
			}
			err = s.err
		case <-ctx.Done():
			return TrunkAnswer{}, errors.Join(errNoAnswer, ctx.Err())
		}
	}
	return TrunkAnswer{}, err
}

// pingResult is the result of probing one server.
type pingResult struct {
	TrunkAnswer
	err error
}

func (c *Carrier) pingServer(by trunkServer) pingResult {
	ctx, cancel := context.WithTimeout(c.life, patience)
	defer cancel()
	answer, err := c.sendOptions(ctx, by)
	c.reach.recordPing(by.remote, err)
	return pingResult{answer, err}
}

// sendOptions probes one server with OPTIONS, and if the trunk is down and has never answered OPTIONS, with a REGISTER
// query too.
func (c *Carrier) sendOptions(ctx context.Context, by trunkServer) (TrunkAnswer, error) {
	by, err := c.findLocalPort(ctx, by)
	if err != nil {
		return TrunkAnswer{}, err
	}
	if !c.watch.ignoresProbes() {
		return c.askOnce(ctx, c.optionsRequest(by), by)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signs := make(chan pingResult, 2)
	for _, req := range []*sip.Request{c.optionsRequest(by), c.bindingsRequest(by)} {
		c.runAside(func() {
			answer, err := c.askOnce(ctx, req, by)
			signs <- pingResult{answer, err}
		})
	}
	first := <-signs
	if first.err != nil {
		first = <-signs
	}
	return first.TrunkAnswer, first.err
}

// ignoresProbes reports whether the trunk is down and has never answered a probe.
func (w *trunkMonitor) ignoresProbes() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.up && !w.pingable
}

// optionsRequest builds an OPTIONS request.
func (c *Carrier) optionsRequest(by trunkServer) *sip.Request {
	whole := c.trunk.trunkURI("")
	req := c.newOutOfDialogRequest(sip.OPTIONS, whole, whole, by)
	req.AppendHeader(c.newContactHeader(by))
	req.AppendHeader(sip.NewHeader("Accept", "application/sdp"))
	return req
}

// bindingsRequest builds a registration query: a REGISTER without Contact has no effect (RFC 3261 §10.2.3).
func (c *Carrier) bindingsRequest(by trunkServer) *sip.Request {
	us := c.trunk.trunkURI(c.options.From)
	return c.newOutOfDialogRequest(sip.REGISTER, us, c.trunk.trunkURI(""), by)
}

// askOnce sends a request to a server; any response proves that it is alive.
func (c *Carrier) askOnce(ctx context.Context, req *sip.Request, by trunkServer) (TrunkAnswer, error) {
	began := time.Now()
	e, err := c.sendOnce(ctx, req)
	if err != nil {
		return TrunkAnswer{}, err
	}
	a := TrunkAnswer{
		Status: e.res.StatusCode, Took: time.Since(began), Address: by.remote.String() + " (" + req.Transport() + ")",
	}
	for _, name := range []string{"Server", "User-Agent"} {
		if a.Server == "" {
			a.Server = headerOf(e.res, name)
		}
	}
	return a, nil
}

// RegisterOnce registers once, to check the credentials; it does nothing without Options.Register.
func (c *Carrier) RegisterOnce(ctx context.Context) error {
	if !c.options.Register {
		return nil
	}
	_, err := c.registerOnce(ctx, time.Minute)
	return err
}
