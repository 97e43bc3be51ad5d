package sip

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"
)

const (
	// wanted is the requested registration expiry.
	wanted = 5 * time.Minute
	// Retry backoff after a failed registration.
	firstRetry = 5 * time.Second
	lastRetry  = 2 * time.Minute
	// patience is the timeout of one REGISTER or OPTIONS request.
	patience = 5 * time.Second
)

// registrationState is the state of our registration. The zero value means not registered.
type registrationState struct {
	mu     sync.Mutex
	callID sip.CallIDHeader // constant while the process runs
	number uint32           // CSeq of the last REGISTER, with room for its repeats
	by     trunkServer      // the server that accepted it last
	until  time.Time
	err    error
}

func (r *registrationState) currentState() (until time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Now().After(r.until) {
		return time.Time{}, r.err
	}
	return r.until, r.err
}

// keepRegistered keeps the registration until ctx ends, refreshing it at half of the granted time.
func (c *Carrier) keepRegistered(ctx context.Context) {
	for retry := firstRetry; ctx.Err() == nil; {
		granted, err := c.registerOnce(ctx, wanted)
		wait := max(granted/2, time.Second)
		if err != nil {
			wait, retry = retry, min(2*retry, lastRetry)
			if ctx.Err() == nil {
				c.log.Warn("the trunk does not register us", "err", err, "again_in", wait)
			}
		} else {
			retry = firstRetry
		}
		c.watch.wakeMonitor()
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// registerOnce registers for want, 0 to unregister, at the first server that responds; granted is the expiry granted by
// the trunk.
func (c *Carrier) registerOnce(ctx context.Context, want time.Duration) (granted time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	servers, err := c.resolveServers(ctx)
	if err == nil {
		for _, by := range servers {
			if granted, err = c.registerBy(ctx, by, want); !errors.Is(err, errNoAnswer) || ctx.Err() != nil {
				break
			}
		}
	}
	r := &c.register
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
	if err == nil {
		r.until = time.Now().Add(granted)
	}
	return granted, err
}

// registerBy registers at one server. It waits for the response even when ctx ends, because the unregistering REGISTER
// may only follow it (RFC 3261 §10.2).
func (c *Carrier) registerBy(ctx context.Context, by trunkServer, want time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	by, err := c.findLocalPort(ctx, by)
	if err != nil {
		return 0, errors.Join(errNoAnswer, err)
	}
	for range 2 {
		e, err := c.doRequest(ctx, c.newRegister(by, want), nil)
		if err != nil {
			return 0, err
		}
		c.register.recordServer(by)
		if least, ok := parseDeltaSeconds(headerOf(e.res, "Min-Expires")); e.res.StatusCode == 423 && ok && least > 0 {
			want = least
			continue
		}
		if !e.res.IsSuccess() {
			return 0, fmt.Errorf("registration refused: %w", StatusError(e.res.StatusCode))
		}
		return c.grantedExpiry(e.res, by, want), nil
	}
	return 0, fmt.Errorf("registration refused: %w", StatusError(423))
}

func (r *registrationState) recordServer(by trunkServer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.by = by
}

// nextIdentifiers returns Call-ID and CSeq of the next REGISTER: one Call-ID and increasing numbers while the process
// runs (RFC 3261 §10.2), also when one is given up between its challenge and its repeat.
func (r *registrationState) nextIdentifiers() (sip.CallIDHeader, uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.callID == "" {
		r.callID = sip.CallIDHeader(rand.Text())
	}
	r.number += mostTries
	return r.callID, r.number - mostTries + 1
}

// newRegister builds a REGISTER.
func (c *Carrier) newRegister(by trunkServer, want time.Duration) *sip.Request {
	us := c.trunk.trunkURI(c.options.User)
	req := c.newOutOfDialogRequest(sip.REGISTER, us, c.trunk.trunkURI(""), by)
	callID, number := c.register.nextIdentifiers()
	req.ReplaceHeader(&callID)
	req.CSeq().SeqNo = number
	req.From().Address.User = c.options.User
	req.AppendHeader(c.newContactHeader(by))
	req.AppendHeader(sip.NewHeader("Expires", strconv.Itoa(int(want.Seconds()))))
	return req
}

// grantedExpiry returns the granted expiry: the parameter of our Contact in the response, or the Expires header.
func (c *Carrier) grantedExpiry(res *sip.Response, by trunkServer, want time.Duration) time.Duration {
	own := c.newContactHeader(by).Address
	for _, h := range res.GetHeaders("Contact") {
		contact, ok := h.(*sip.ContactHeader)
		if !ok || contact.Address.User != own.User || contact.Address.Host != own.Host || contact.Address.Port != own.Port {
			continue
		}
		if own, ok := parseDeltaSeconds(contact.Params.GetOr("expires", "")); ok {
			return own
		}
	}
	if all, ok := parseDeltaSeconds(headerOf(res, "Expires")); ok {
		return all
	}
	return want
}

// parseDeltaSeconds parses a header's delta-seconds, at most a day.
func parseDeltaSeconds(text string) (time.Duration, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 32)
	return time.Duration(min(n, longestSession)) * time.Second, err == nil
}

// endRegistration unregisters, if registered.
func (c *Carrier) endRegistration(ctx context.Context) {
	c.register.mu.Lock()
	by, lasts := c.register.by, time.Now().Before(c.register.until)
	c.register.until = time.Time{}
	c.register.mu.Unlock()
	if !lasts {
		return
	}
	if _, err := c.registerBy(ctx, by, 0); err != nil {
		c.log.Warn("the registration at the trunk could not be ended; it ends by itself", "err", err)
	}
}
