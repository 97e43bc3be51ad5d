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
func (c *Carrier) Dial(ctx context.Context, r carrier.DialRequest) (carrier.Line, error) {
	if err := c.pace.waitTurn(ctx); err != nil {
		return nil, err
	}
	if err := c.watch.admitCall(); err != nil {
		return nil, err
	}
	servers, err := c.resolveServers(ctx)
	if err != nil {
		return nil, c.newUnservedRefusal(ctx, err)
	}
	var said inviteAnswers
	for n, by := range servers {
		line, refused := c.inviteByServer(ctx, &inviteAttempt{Carrier: c, request: r, by: by, last: n == len(servers)-1, said: &said})
		switch {
		case refused == nil:
			return line, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !isServable(refused):
			return nil, refused
		}
		err = moreTelling(err, refused)
	}
	return nil, c.newUnservedRefusal(ctx, err)
}

// isServable says whether another server may be asked after a refusal: nothing rang, and the refusal says nothing about the
// person called or about us (RFC 3263 §4.3: 503, time-out, failure of the transport).
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

// moreTelling is which of two servers' refusals counts: the sooner one that says when to come again, one with a status,
// one of a server that took the call, else the later one.
func moreTelling(before, now error) error {
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

// newUnservedRefusal is the refusal of a call that no server took. It counts against the call only where the trunk takes others:
// where it is down, or resting by its own word, the call is to wait.
func (c *Carrier) newUnservedRefusal(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	refused, ok := errors.AsType[*carrier.DialError](err)
	if !ok {
		refused = &carrier.DialError{Err: err, RetryAfter: c.reach.restTime(time.Now())}
	}
	if refused.RingTimeout { // the server is there, what lies behind it is not
		return refused
	}
	if down := c.watch.confirmDown(ctx); down && refused.RetryAfter == 0 {
		refused.RetryAfter = max(retryLater, c.reach.restTime(time.Now()))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return refused
}

// inviteByServer calls by one server.
func (c *Carrier) inviteByServer(ctx context.Context, i *inviteAttempt) (l *sipLine, err error) {
	if i.sound, err = media.OpenSession(c.options.Listen.Addr(), c.options.Ports, c.options.Latch); err != nil {
		return nil, err
	}
	i.sound.Observe(c.load.tick)
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
	refused.Line = &call.LineFacts{SIPCodes: i.said.statusCodes()}
	if refused.RetryAfter > 0 {
		c.reach.asksForRest(i.by.remote, time.Now().Add(refused.RetryAfter))
	}
	return nil, refused
}

// noteDialled is a number as the trunk wants it.
func (c *Carrier) noteDialled(number string) string {
	if rest, ok := strings.CutPrefix(number, "+"); ok {
		return c.options.Plus + rest
	}
	return number
}
