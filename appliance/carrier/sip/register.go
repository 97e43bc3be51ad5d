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
	// wanted is how long a registration is asked for.
	wanted = 5 * time.Minute
	// After a failure it is tried again: soon, then ever more slowly.
	firstRetry = 5 * time.Second
	lastRetry  = 2 * time.Minute
	// patience with one request of the trunk's watch.
	patience = 5 * time.Second
)

// registrationState is the state of ours. The zero value is none.
type registrationState struct {
	mu     sync.Mutex
	callID sip.CallIDHeader // the same as long as we run
	number uint32           // of the last REGISTER, with room for its repeats
	by     trunkServer      // who took it last
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
		c.watch.wakeMonitor()
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

// registerBy registers by one server. It awaits the answer also where ctx ends: the REGISTER that ends the registration
// may follow only then (RFC 3261 §10.2).
func (c *Carrier) registerBy(ctx context.Context, by trunkServer, want time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	by, err := c.findLocalPort(ctx, by)
	if err != nil {
		return 0, errors.Join(errNoAnswer, err)
	}
	for range 2 {
		e, err := c.doRequest(ctx, c.newRegister(by, want))
		if err != nil {
			return 0, err
		}
		c.register.takenBy(by)
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

func (r *registrationState) takenBy(by trunkServer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.by = by
}

// nextIdentifiers is the Call-ID and the number of the next REGISTER: one Call-ID and rising numbers as long as we run (RFC 3261
// §10.2), also where one is given up between its challenge and its repeat.
func (r *registrationState) nextIdentifiers() (sip.CallIDHeader, uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.callID == "" {
		r.callID = sip.CallIDHeader(rand.Text())
	}
	r.number += mostTries
	return r.callID, r.number - mostTries + 1
}

// newRegister is a REGISTER.
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

// grantedExpiry is how long the trunk keeps our registration: as its answer says beside our Contact, or for all.
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

// parseDeltaSeconds reads a header's number of them, a day at most.
func parseDeltaSeconds(text string) (time.Duration, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 32)
	return time.Duration(min(n, longestSession)) * time.Second, err == nil
}

// endRegistration ends the registration, if there is one.
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
