package sip

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/store/call"
)

// retryLater is the minimum wait for a trunk that is down without a Retry-After.
const retryLater = 5 * time.Second

// Dial places a call over the trunk, with failover: if a server does not respond, answers 503 or does not ring, the
// next one is tried (RFC 3263 §4.3). If all fail and the trunk is down or asked for a pause (Retry-After), the error
// says when to dial again.
func (c *Carrier) Dial(ctx context.Context, r carrier.DialRequest) (carrier.Line, error) {
	c.inUse.Add(1)
	line, err := c.dialServers(ctx, r)
	if err != nil { // otherwise the dialog counts, until it ends
		c.inUse.Add(-1)
	}
	return line, err
}

// dialServers is Dial without counting the call.
func (c *Carrier) dialServers(ctx context.Context, r carrier.DialRequest) (carrier.Line, error) {
	if err := c.pace.waitTurn(ctx); err != nil {
		return nil, err
	}
	pass, err := c.watch.admitCall(cmp.Or(r.Number, r.Address))
	if err != nil {
		return nil, err
	}
	defer pass.giveBack()
	line, err := c.inviteServers(ctx, r, pass)
	if err == nil {
		return line, nil
	}
	refused, ok := errors.AsType[*carrier.DialError](err)
	if ok && !c.watch.isDown() { // a trunk that is down is the monitor's matter
		pass.settle(refused)
	}
	return nil, err
}

// inviteServers places the call over the first server that takes it.
func (c *Carrier) inviteServers(ctx context.Context, r carrier.DialRequest, pass *callPass) (carrier.Line, error) {
	servers, err := c.resolveServers(ctx)
	if err != nil {
		return nil, c.newUnservedRefusal(ctx, err)
	}
	var said inviteAnswers
	for n, by := range servers {
		line, refused := c.inviteByServer(
			ctx, &inviteAttempt{Carrier: c, request: r, by: by, last: n == len(servers)-1, said: &said, pass: pass},
		)
		switch {
		case refused == nil:
			return line, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !isServable(refused):
			return nil, refused
		}
		err = moreInformative(err, refused)
	}
	return nil, c.newUnservedRefusal(ctx, err)
}

// isServable reports whether failover to another server is allowed after an error: no telephone rang, and the error
// concerns neither the callee nor us (RFC 3263 §4.3: 503, timeout, transport error).
func isServable(err error) bool {
	refused, ok := errors.AsType[*carrier.DialError](err)
	if !ok || refused.Rang {
		return false
	}
	if status, _ := carrier.ClassifyRefusal(refused); status != call.Failed {
		return false
	}
	return refused.SIPCode == nil || *refused.SIPCode == 408 || *refused.SIPCode == 503
}

// moreInformative returns the more informative of two servers' errors: the earlier Retry-After, one with a status, one
// of a server that responded, else the later one.
func moreInformative(before, now error) error {
	a, ok := errors.AsType[*carrier.DialError](before)
	b, same := errors.AsType[*carrier.DialError](now)
	switch {
	case !ok || !same:
		return now
	case a.RetryAfter > 0 && (b.RetryAfter == 0 || a.RetryAfter < b.RetryAfter):
		return before
	case b.RetryAfter > 0:
		return now
	case a.SIPCode != nil || a.RingTimeout && b.SIPCode == nil:
		return before
	default:
		return now
	}
}

// newUnservedRefusal returns the error of a call that no server accepted. It only counts as an attempt if the trunk
// is up.
func (c *Carrier) newUnservedRefusal(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	refused, ok := errors.AsType[*carrier.DialError](err)
	if !ok {
		refused = &carrier.DialError{Err: err}
	}
	if refused.RingTimeout { // the server responds, the network behind it does not
		return refused
	}
	if down := c.watch.confirmDown(ctx); down && refused.RetryAfter == 0 {
		refused.RetryAfter = retryLater
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return refused
}

// inviteByServer places the call over one server.
func (c *Carrier) inviteByServer(ctx context.Context, i *inviteAttempt) (l *sipLine, err error) {
	if i.sound, err = media.OpenSession(c.options.Listen.Addr(), c.options.Ports, c.options.Latch); err != nil {
		return nil, err
	}
	i.sound.Observe(c.load.countPacket)
	if l, err = i.sendInvite(ctx); err != nil {
		i.sound.End(err)
	}
	if ctx.Err() == nil {
		c.reach.recordCall(i.by.remote, i.heard)
	}
	refused, ok := errors.AsType[*carrier.DialError](err)
	if !ok {
		return l, err
	}
	refused.Early = i.sound.EarlySound()
	refused.Line = &call.LineFacts{Trunk: c.options.Name, SIPCodes: i.said.statusCodes()}
	if refused.RetryAfter > 0 {
		c.reach.asksForRest(i.by.remote, time.Now().Add(refused.RetryAfter))
	}
	return nil, refused
}

// dialString converts a number to the trunk's format: with the configured sign in place of the plus.
func (c *Carrier) dialString(number string) string {
	if rest, ok := strings.CutPrefix(number, "+"); ok {
		return c.options.Plus + rest
	}
	return number
}

// DefaultRate is the default limit of new calls per second: most trunks accept a few and refuse the rest.
const DefaultRate = 5

// inviteSpacer is the rate limiter of new calls: it spaces their INVITEs evenly.
type inviteSpacer struct {
	spacing time.Duration // between two calls

	mu   sync.Mutex
	next time.Time
}

// waitTurn waits for the next free slot. A slot given up when ctx ends stays used.
func (p *inviteSpacer) waitTurn(ctx context.Context) error {
	p.mu.Lock()
	at := time.Now()
	if p.next.After(at) {
		at = p.next
	}
	p.next = at.Add(p.spacing)
	p.mu.Unlock()
	turn := time.NewTimer(time.Until(at))
	defer turn.Stop()
	select {
	case <-turn.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
