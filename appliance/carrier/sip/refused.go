package sip

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/store/call"
)

// mostRefused is how many refused inbound calls are kept; repeats count as one.
const mostRefused = 40

// refusals holds the last inbound calls that were refused, of which no call is stored. A process has one, as of
// signalling.
var refusals = &refusalLog{}

// RefusedCalls returns the last refused inbound calls, the latest first, redacted.
func RefusedCalls() []call.RefusedCall { return refusals.lastCalls() }

// refusalLog keeps refused inbound calls; the zero value is ready.
type refusalLog struct {
	mu   sync.Mutex
	kept []refusedCall // the latest last
}

// refusedCall is one with what tells it apart.
type refusedCall struct {
	call.RefusedCall
	from netip.Addr
}

// isRepeatOf reports whether a refused call is another one again: from the same address, and for the trunk's own calls
// also of the same caller and number. Strangers change those in each call.
func (r refusedCall) isRepeatOf(k refusedCall) bool {
	same := k.from == r.from && k.Trunk == r.Trunk && k.Status == r.Status && k.Cause == r.Cause
	anyone := r.Cause == call.RefusalStranger || r.Cause == call.RefusalFlood
	return same && (anyone || k.Caller == r.Caller && k.Called == r.Called)
}

// addRefusal keeps the refusal of an INVITE. Of a flood the first message in a second is redacted, and the rest
// counted.
func (l *refusalLog) addRefusal(c *Carrier, req *sip.Request, status int, cause call.RefusalCause) {
	r, now := refusedCall{from: addrOf(req.Source())}, time.Now().UTC()
	r.Trunk, r.Status, r.Cause, r.First = c.options.Name, status, cause, now
	r.Caller, r.Called = maskedNumbers(req, c.options.Plus)
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.kept, r.isRepeatOf); i >= 0 {
		r.First, r.Last, r.Times, r.Messages = l.kept[i].First, l.kept[i].Last, l.kept[i].Times, l.kept[i].Messages
		l.kept = slices.Delete(l.kept, i, i+1)
	}
	if r.Times == 0 || now.Sub(r.Last) >= time.Second {
		r.Messages = refusalLadder(req, status, now)
	}
	r.Times, r.Last = r.Times+1, now
	if len(l.kept) >= mostRefused {
		oldest := max(0, slices.IndexFunc(l.kept, func(k refusedCall) bool {
			return k.Cause == call.RefusalStranger
		}))
		l.kept = slices.Delete(l.kept, oldest, oldest+1)
	}
	l.kept = append(l.kept, r)
}

// maskedNumbers returns the caller and the called number of an INVITE, masked; empty where it names none.
func maskedNumbers(req *sip.Request, plus string) (caller, called string) {
	if number := callerNumber(req); number != "" {
		caller = call.MaskNumber(cmp.Or(internationalNumber(number, plus), number))
	}
	number := numberText(req.Recipient.User)
	if all := calledNumbers(req, plus); len(all) > 0 {
		number = all[0]
	}
	if number != "" {
		called = call.MaskNumber(number)
	}
	return caller, called
}

// refusalLadder returns the INVITE and our response as a ladder shows them.
func refusalLadder(req *sip.Request, status int, now time.Time) (ladder []call.SIPMessage) {
	peer := strings.ToLower(req.Transport()) + " " + req.Source()
	received := req.Clone()
	if to := received.To(); to != nil {
		to.Params.Remove("tag") // ours, for the response
	}
	for _, text := range []string{received.String(), newResponse(req, status, statusPhrases[status]).String()} {
		if m, ok := redactForLadder(text[:min(len(text), longestTrace)]); ok {
			m.At, m.Peer, m.Sent, m.Cut = now, peer, len(ladder) > 0, m.Cut || len(text) > longestTrace
			ladder = append(ladder, m)
		}
	}
	return ladder
}

func (l *refusalLog) lastCalls() []call.RefusedCall {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []call.RefusedCall{}
	for _, r := range slices.Backward(l.kept) {
		out = append(out, r.RefusedCall)
	}
	return out
}

// refuseInvite refuses an INVITE that makes no call.
func (c *Carrier) refuseInvite(req *sip.Request, tx sip.ServerTransaction, status int, cause call.RefusalCause) {
	sendResponse(req, tx, status, statusPhrases[status], retryAfter(status)...)
	refusals.addRefusal(c, req, status, cause)
}

// refusalCauses are what our refusals of the trunk's calls mean, by status.
var refusalCauses = map[int]call.RefusalCause{
	404: call.RefusalNoRoute,
	480: call.RefusalNoScenario,
	482: call.RefusalDuplicate,
	486: call.RefusalBusy,
	488: call.RefusalCodec,
	503: call.RefusalNoLine,
}
