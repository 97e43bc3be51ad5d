package sip

import (
	"context"
	"errors"
	"time"

	"github.com/emiago/sipgo/sip"
)

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
		Status: e.res.StatusCode, Took: time.Since(began), Address: by.remote.String() + " over " + req.Transport(),
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
