package sip

import (
	"context"
	"errors"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/store/call"
)

// retryLater is how long a call waits at least for a trunk that is down and does not say for how long.
const retryLater = 5 * time.Second

// Dial calls a number over the trunk. Where a server says nothing, answers 503 or does not make it ring, the next one is
// asked (RFC 3263 §4.3). Where all of them do, and the trunk is down or asks to be left alone (Retry-After), the refusal
// says when to dial again.
func (c *Carrier) Dial(ctx context.Context, r carrier.Request) (carrier.Line, error) {
	if err := c.pace.wait(ctx); err != nil {
		return nil, err
	}
	if err := c.watch.admit(); err != nil {
		return nil, err
	}
	servers, err := c.servers(ctx)
	if err != nil {
		return nil, c.unserved(ctx, err)
	}
	var said answers
	for n, by := range servers {
		line, refused := c.invite(ctx, &invitation{Carrier: c, request: r, by: by, last: n == len(servers)-1, said: &said})
		switch {
		case refused == nil:
			return line, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !servable(refused):
			return nil, refused
		}
		err = moreTelling(err, refused)
	}
	return nil, c.unserved(ctx, err)
}

// servable says whether another server may be asked after a refusal: nothing rang, and the refusal says nothing about the
// person called or about us (RFC 3263 §4.3: 503, time-out, failure of the transport).
func servable(err error) bool {
	refused, ok := errors.AsType[*carrier.Refusal](err)
	if !ok || refused.Rang {
		return false
	}
	if status, _ := carrier.Classify(refused); status != call.Failed {
		return false
	}
	return refused.SIPCode == nil || *refused.SIPCode == 408 || *refused.SIPCode == 503
}

// moreTelling is which of two servers' refusals counts: the sooner one that says when to come again, one with a status,
// one of a server that took the call, else the later one.
func moreTelling(before, now error) error {
	a, ok := errors.AsType[*carrier.Refusal](before)
	b, same := errors.AsType[*carrier.Refusal](now)
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

// unserved is the refusal of a call that no server took. It counts against the call only where the trunk takes others:
// where it is down, or resting by its own word, the call is to wait.
func (c *Carrier) unserved(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	refused, ok := errors.AsType[*carrier.Refusal](err)
	if !ok {
		refused = &carrier.Refusal{Err: err, RetryAfter: c.reach.rest(time.Now())}
	}
	if refused.RingTimeout { // the server is there, what lies behind it is not
		return refused
	}
	if down := c.watch.verdict(ctx); down && refused.RetryAfter == 0 {
		refused.RetryAfter = max(retryLater, c.reach.rest(time.Now()))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return refused
}

// invite calls by one server.
func (c *Carrier) invite(ctx context.Context, i *invitation) (l *line, err error) {
	if i.sound, err = media.Open(c.options.Listen.Addr(), c.options.Ports, c.options.Latch); err != nil {
		return nil, err
	}
	if l, err = i.call(ctx); err != nil {
		i.sound.End(err)
	}
	if ctx.Err() == nil {
		c.reach.called(i.by.remote, i.heard)
	}
	refused, ok := errors.AsType[*carrier.Refusal](err)
	if !ok {
		return l, err
	}
	refused.Line = &call.Line{SIPCodes: i.said.codes()}
	if refused.RetryAfter > 0 {
		c.reach.asksForRest(i.by.remote, time.Now().Add(refused.RetryAfter))
	}
	return nil, refused
}

// dialled is a number as the trunk wants it.
func (c *Carrier) dialled(number string) string {
	if rest, ok := strings.CutPrefix(number, "+"); ok {
		return c.options.Plus + rest
	}
	return number
}
