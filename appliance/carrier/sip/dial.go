package sip

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"

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

var errRedirection = errors.New("a redirection that is not followed")

// followRedirect follows a 301 or 302 (RFC 3261 §8.1.3.4) once: to another server for the same number. Redirects to
// another number are refused, since the calling rules did not check it; over TLS only the trunk's verified server is
// accepted.
func (i *inviteAttempt) followRedirect(ctx context.Context, res *sip.Response) (*sip.Request, error) {
	if i.moved {
		return nil, errRedirection
	}
	i.moved = true
	for _, h := range res.GetHeaders("Contact") {
		contact, ok := h.(*sip.ContactHeader)
		if !ok || !sameNumber(contact.Address.User, i.invite.Recipient.User) || !isHost(contact.Address.Host) {
			continue
		}
		if i.trunk.transport == "tls" && !strings.EqualFold(contact.Address.Host, i.trunk.host) {
			continue
		}
		if by, err := i.serverAt(ctx, contact.Address); err == nil {
			i.by, i.proofs = by, digestProofs{}
			return i.requestTo(contact.Address), nil
		}
	}
	return nil, errRedirection
}

// sameNumber compares numbers with or without a leading +.
func sameNumber(a, b string) bool {
	a, b = strings.TrimPrefix(a, "+"), strings.TrimPrefix(b, "+")
	return a != "" && a == b
}

// serverAt resolves and connects to the first server of a redirect's address.
func (i *inviteAttempt) serverAt(ctx context.Context, to sip.Uri) (trunkServer, error) {
	t := sipTrunk{host: strings.Trim(to.Host, "[]"), port: to.Port, transport: i.trunk.transport}
	addresses, err := t.resolveAddresses(ctx, i.names)
	if err != nil {
		return trunkServer{}, err
	}
	err = errRedirection
	for _, a := range addresses {
		local, unreachable := i.localAddressFor(a)
		if err = unreachable; err == nil {
			i.guard.addKnownAddress(a.Addr())
			return i.findLocalPort(ctx, trunkServer{remote: a, local: local})
		}
	}
	return trunkServer{}, err
}

// requestTo returns the INVITE for another address, without credentials.
func (i *inviteAttempt) requestTo(address sip.Uri) *sip.Request {
	again := nextRequest(i.invite)
	again.Recipient = sip.Uri{Scheme: "sip", User: address.User, Host: address.Host, Port: address.Port}
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		again.RemoveHeader(name)
	}
	again.ReplaceHeader(i.newViaHeader(i.by))
	again.ReplaceHeader(i.newContactHeader(i.by))
	i.sendTo(again, i.by)
	return again
}
