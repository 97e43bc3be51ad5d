package sip

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
)

// Session timers (RFC 4028): the refresher refreshes at half the interval; without a refresh the call ends before the
// interval does. We do not request timers: a dead line is detected by the RTP timeout.
const (
	shortestSession = 2         // seconds, for a timer without a minimum from the remote side
	longestSession  = 24 * 3600 // seconds
	leastInterval   = "90"      // seconds; RFC 4028 §4
	leastSession    = 90 * time.Second
)

// errExpired is wrapped by the line's error after a session that was not refreshed.
var errExpired = errors.New("the session was not refreshed in time")

// endExpired ends the call because its session was not refreshed: the remote side or the way to it is gone.
func (d *inviteDialog) endExpired() { d.endDialog(&carrier.DialError{Err: errExpired}, true) }

// sessionTimer is the negotiated timer. The zero value is none.
type sessionTimer struct {
	clock *time.Timer
}

func (t *sessionTimer) stop() {
	if t.clock != nil {
		t.clock.Stop()
	}
}

// sessionExpiresHeader is a Session-Expires header.
type sessionExpiresHeader struct {
	interval  time.Duration
	refresher string // uac, uas or empty
}

// sessionExpires parses Session-Expires, or its compact form x; false without a valid one.
func sessionExpires(m sip.Message) (sessionExpiresHeader, bool) {
	value := headerOf(m, "Session-Expires")
	if value == "" {
		value = headerOf(m, "x")
	}
	number, params, _ := strings.Cut(value, ";")
	seconds, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || seconds < shortestSession || seconds > longestSession {
		return sessionExpiresHeader{}, false
	}
	e := sessionExpiresHeader{interval: time.Duration(seconds) * time.Second}
	for param := range strings.SplitSeq(params, ";") {
		if name, who, _ := strings.Cut(strings.TrimSpace(param), "="); strings.EqualFold(name, "refresher") {
			e.refresher = strings.ToLower(strings.TrimSpace(who))
		}
	}
	return e, true
}

// timeSession applies the timer in the response to our request.
func (d *inviteDialog) timeSession(res sip.Message) {
	if e, ok := sessionExpires(res); ok {
		d.setTimer(e.interval, e.refresher != "uas")
	}
}

// timeAnswer applies the session timer of the remote side's request: it refreshes, unless it asks us to, or a proxy
// added the timer and it does not support timers itself: then we refresh, and must not require support (RFC 4028 §9).
func (d *inviteDialog) timeAnswer(req *sip.Request, res *sip.Response) {
	e, ok := sessionExpires(req)
	if !ok {
		return
	}
	who, supported := "uac", supportsOption(req, "timer")
	if e.refresher == "uas" || e.refresher == "" && !supported {
		who = "uas"
	}
	seconds := strconv.Itoa(int(e.interval.Seconds()))
	res.AppendHeader(sip.NewHeader("Session-Expires", seconds+";refresher="+who))
	if supported || who == "uac" {
		res.AppendHeader(sip.NewHeader("Require", "timer"))
	}
	d.setTimer(e.interval, who == "uas")
}

// setTimer restarts the interval.
func (d *inviteDialog) setTimer(interval time.Duration, ours bool) {
	wait := interval - min(32*time.Second, interval/3) // RFC 4028 §10
	act := d.endExpired
	if ours {
		act = func() { d.runAside(func() { d.refreshSession(interval) }) }
		wait = interval / 2
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.timer.stop()
	select {
	case <-d.over:
	default:
		d.timer.clock = time.AfterFunc(wait, act)
	}
}

// leastAllowed returns the shortest session interval that a 422 allows, in seconds; false without a usable one.
func leastAllowed(res *sip.Response) (seconds int, ok bool) {
	number, _, _ := strings.Cut(headerOf(res, "Min-SE"), ";")
	seconds, err := strconv.Atoi(strings.TrimSpace(number))
	return seconds, err == nil && seconds > 0 && seconds <= longestSession
}

// refreshSession refreshes the session: by UPDATE if the remote side supports it, else by re-INVITE. A temporary
// failure, a longer interval that is asked for, and an UPDATE that is not allowed are retried while time remains.
func (d *inviteDialog) refreshSession(interval time.Duration) {
	deadline := time.Now().Add(interval/2 - min(32*time.Second, interval/3)/2)
	ctx, cancel := context.WithDeadline(d.life, deadline)
	defer cancel()
	headers := []sip.Header{refreshHeader(int(interval.Seconds()))}
	for ctx.Err() == nil {
		res, err := d.signOfLife(ctx, headers...)
		wait := min(3*time.Second, interval/8)
		switch {
		case err != nil:
		case res.StatusCode == 491:
			wait = d.glareWait()
		case res.IsSuccess():
			if _, timed := sessionExpires(res); timed {
				d.timeSession(res)
			}
			return
		case res.StatusCode == 408 || res.StatusCode == 481:
			d.endExpired() // RFC 3261 §12.2.1.2
			return
		default:
			headers = d.adaptRefresh(res, headers)
		}
		select {
		case <-time.After(wait):
		case <-d.over:
			return
		case <-ctx.Done():
		}
	}
	d.endExpired()
}

// refreshHeader asks for a session interval in seconds that we refresh.
func refreshHeader(seconds int) sip.Header {
	return sip.NewHeader("Session-Expires", strconv.Itoa(seconds)+";refresher=uac")
}

// adaptRefresh returns the headers of the next try of a refresh that was refused: with the interval that a 422 asks
// for; where an UPDATE is not allowed, as by a proxy on the way, the next try is a re-INVITE.
func (d *inviteDialog) adaptRefresh(res *sip.Response, headers []sip.Header) []sip.Header {
	switch least, ok := leastAllowed(res); {
	case res.StatusCode == 405 || res.StatusCode == 501:
		d.useReinvite()
	case res.StatusCode == 422 && ok:
		return []sip.Header{refreshHeader(least), sip.NewHeader("Min-SE", strconv.Itoa(least))}
	}
	return headers
}

// glareWait returns how long to wait after a 491 before the change is tried again: whoever made the Call-ID waits for
// 2.1 to 4 s, the other side for up to 2 s (RFC 3261 §14.1).
func (d *inviteDialog) glareWait() time.Duration {
	if d.called {
		return time.Duration(rand.IntN(201)) * 10 * time.Millisecond
	}
	return 2100*time.Millisecond + time.Duration(rand.IntN(191))*10*time.Millisecond
}

// signOfLife sends a refresh request, which changes at most our contact address.
func (d *inviteDialog) signOfLife(ctx context.Context, headers ...sip.Header) (*sip.Response, error) {
	headers = append(slices.Clip(headers), sip.NewHeader("Supported", "timer"))
	if !d.takesUpdate() {
		return d.sendReinvite(ctx, headers...)
	}
	req := d.newRequest(sip.UPDATE)
	for _, h := range headers {
		req.AppendHeader(h)
	}
	e, err := d.sendRequest(ctx, req)
	return e.res, err
}

// takesUpdate reports whether the remote side supports UPDATE.
func (d *inviteDialog) takesUpdate() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Contains(d.accepts, "UPDATE")
}

// useReinvite records that an UPDATE does not get through.
func (d *inviteDialog) useReinvite() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.accepts = strings.ReplaceAll(d.accepts, "UPDATE", "")
}
