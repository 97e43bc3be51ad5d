package sip

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"
)

const (
	// wanted is how long a registration is asked for.
	wanted = 5 * time.Minute
	// After a failure it is tried again: soon, then ever more slowly.
	firstRetry = 5 * time.Second
	lastRetry  = 2 * time.Minute
	// patience with one request of the trunk's watch.
	patience = 5 * time.Second
)

// registration is the state of ours. The zero value is none.
type registration struct {
	mu    sync.Mutex
	last  *sip.Request // as it was sent; the next one follows it
	by    server
	until time.Time
	err   error
}

func (r *registration) state() (until time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Now().After(r.until) {
		return time.Time{}, r.err
	}
	return r.until, r.err
}

// keepRegistered registers until ctx ends, each time when half of what was granted is over.
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
		c.watch.nudge()
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// registerOnce registers for a time, 0 to end it, by the first server that answers; granted is what the trunk gave.
func (c *Carrier) registerOnce(ctx context.Context, want time.Duration) (granted time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	servers, err := c.servers(ctx)
	if err == nil {
		for _, by := range servers {
			if granted, err = c.registerBy(ctx, by, want); !errors.Is(err, errNoAnswer) {
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

func (c *Carrier) registerBy(ctx context.Context, by server, want time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	by, err := c.connect(ctx, by)
	if err != nil {
		return 0, errors.Join(errNoAnswer, err)
	}
	for range 2 {
		e, err := c.do(ctx, c.registering(by, want))
		if err != nil {
			return 0, err
		}
		c.register.sent(e.req, by)
		if least, ok := seconds(headerOf(e.res, "Min-Expires")); e.res.StatusCode == 423 && ok && least > 0 {
			want = least
			continue
		}
		if !e.res.IsSuccess() {
			return 0, fmt.Errorf("registration refused: %w", StatusError(e.res.StatusCode))
		}
		return c.granted(e.res, by, want), nil
	}
	return 0, fmt.Errorf("registration refused: %w", StatusError(423))
}

func (r *registration) sent(req *sip.Request, by server) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.by = req, by
}

// registering is a REGISTER: one Call-ID and rising numbers as long as we run (RFC 3261 §10.2).
func (c *Carrier) registering(by server, want time.Duration) *sip.Request {
	c.register.mu.Lock()
	last, before := c.register.last, c.register.by
	c.register.mu.Unlock()
	var req *sip.Request
	if last != nil && before == by {
		req = following(last)
		req.RemoveHeader("Authorization") // the nonce may be old: it is asked for again
		req.RemoveHeader("Proxy-Authorization")
		req.RemoveHeader("Expires")
	} else {
		us := c.trunk.uri(c.options.User)
		req = c.outside(sip.REGISTER, us, c.trunk.uri(""), by)
		req.From().Address.User = c.options.User
		req.AppendHeader(c.contact(by))
	}
	req.AppendHeader(sip.NewHeader("Expires", strconv.Itoa(int(want.Seconds()))))
	return req
}

// granted is how long the trunk keeps our registration: as its answer says beside our Contact, or for all.
func (c *Carrier) granted(res *sip.Response, by server, want time.Duration) time.Duration {
	own := c.contact(by).Address
	for _, h := range res.GetHeaders("Contact") {
		contact, ok := h.(*sip.ContactHeader)
		if !ok || contact.Address.User != own.User || contact.Address.Host != own.Host || contact.Address.Port != own.Port {
			continue
		}
		if own, ok := seconds(contact.Params.GetOr("expires", "")); ok {
			return own
		}
	}
	if all, ok := seconds(headerOf(res, "Expires")); ok {
		return all
	}
	return want
}

// seconds reads a header's number of them, a day at most.
func seconds(text string) (time.Duration, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 32)
	return time.Duration(min(n, longestSession)) * time.Second, err == nil
}

// unregister ends the registration, if there is one.
func (c *Carrier) unregister(ctx context.Context) {
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
