package sip

import (
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/store/call"
)

// mostRefused is how many refused inbound calls are kept; repeats from one address count as one.
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
	from     netip.Addr
	stranger bool // from none of the trunk's addresses
}

// addRefusal keeps the refusal of an INVITE. Of a flood the first message in a second is redacted, and the rest
// counted.
func (l *refusalLog) addRefusal(c *Carrier, req *sip.Request, status int, why string, stranger bool) {
	from, now := addrOf(req.Source()), time.Now().UTC()
	l.mu.Lock()
	defer l.mu.Unlock()
	r := refusedCall{from: from, stranger: stranger}
	r.Trunk, r.Status, r.Why, r.First = c.options.Name, status, why, now
	if i := slices.IndexFunc(l.kept, func(k refusedCall) bool {
		return k.from == from && k.Trunk == r.Trunk && k.Status == status && k.Why == why
	}); i >= 0 {
		r = l.kept[i]
		l.kept = slices.Delete(l.kept, i, i+1)
	}
	if r.Times == 0 || now.Sub(r.Last) >= time.Second {
		r.Messages = refusalLadder(req, status, now)
	}
	r.Times, r.Last = r.Times+1, now
	if len(l.kept) >= mostRefused {
		oldest := max(0, slices.IndexFunc(l.kept, func(k refusedCall) bool { return k.stranger }))
		l.kept = slices.Delete(l.kept, oldest, oldest+1)
	}
	l.kept = append(l.kept, r)
}

// refusalLadder returns the INVITE and our response as a ladder shows them.
func refusalLadder(req *sip.Request, status int, now time.Time) (ladder []call.SIPMessage) {
	peer := strings.ToLower(req.Transport()) + " " + req.Source()
	for _, text := range []string{req.String(), newResponse(req, status, statusPhrases[status]).String()} {
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
func (c *Carrier) refuseInvite(req *sip.Request, tx sip.ServerTransaction, status int, why string) {
	sendResponse(req, tx, status, statusPhrases[status], retryAfter(status)...)
	refusals.addRefusal(c, req, status, why, false)
}

// refusalReasons are what our refusals of calls mean, by status.
var refusalReasons = map[int]string{
	404: "no number of the inbound routes was called",
	480: "the scenario of its route is gone, or it could not be held",
	482: "the same call came by another way, too",
	486: "all lines of the route or of the organization were in use",
	488: "no codec of its offer is one of sip-codecs, or it wants encryption that the trunk does not have",
	503: "all lines were in use, or the appliance was not ready",
}
