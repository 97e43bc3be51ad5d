package sip

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
)

// inviteDialog is an INVITE dialog (RFC 3261 §12), from the caller's side, or of an inbound call from the callee's.
type inviteDialog struct {
	*Carrier
	callID   string
	from     *sip.FromHeader     // us, with our tag
	to       *sip.ToHeader       // the remote side, with its tag
	routes   []sip.Uri           // route set, next hop first
	sound    *media.MediaSession // nil: a dialog that is ended at once
	trace    *carrier.TraceRecorder
	said     *inviteAnswers // responses to the INVITE; nil without sound
	acks     chan *sip.Request
	referred chan transferNotice // progress of a transfer
	refer    atomic.Uint32       // CSeq of our last REFER
	numbers  *atomic.Uint32      // CSeq of our last request
	called   bool                // it is an inbound call: the Call-ID is the remote side's
	pressing sync.Mutex          // held by the INFO whose digit is not yet pressed

	mu      sync.Mutex
	accepts string // the remote side's Allow
	by      trunkServer
	target  sip.Uri // remote target: the remote side's Contact
	theirs  int64   // CSeq of the remote side's last request; -1: none yet
	local   sdp.LocalMedia
	answers bool // our last description was an answer, and an offer by local differs from it
	busy    bool // a change of the session description is in progress
	forks   map[string]bool
	timer   sessionTimer

	end  sync.Once
	over chan struct{}
}

// newDialog creates the dialog of a 200 response.
func (i *inviteAttempt) newDialog(res *sip.Response) *inviteDialog {
	d := &inviteDialog{
		Carrier: i.Carrier, by: i.by, callID: i.invite.CallID().Value(), from: i.invite.From(), to: i.invite.To(),
		target: i.invite.Recipient, numbers: i.numbers, accepts: headerOf(res, "Allow"),
		acks: make(chan *sip.Request, 4), referred: make(chan transferNotice, 4), over: make(chan struct{}),
		forks: map[string]bool{}, theirs: -1,
	}
	if to := res.To(); to != nil {
		d.to = to
	}
	for _, h := range res.GetHeaders("Record-Route") {
		if r, ok := h.(*sip.RecordRouteHeader); ok {
			d.routes = append([]sip.Uri{r.Address}, d.routes...) // reversed for the caller (RFC 3261 §12.1.2)
		}
	}
	d.updateRemoteTarget(res)
	d.guard.addKnownAddress(addrOf(res.Source()))
	return d
}

// currentServer returns the server that the dialog's requests go to, with our address as it sees us.
func (d *inviteDialog) currentServer() trunkServer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.by
}

// updateRemoteTarget stores a new Contact (target refresh).
func (d *inviteDialog) updateRemoteTarget(m interface{ Contact() *sip.ContactHeader }) {
	if contact := m.Contact(); contact != nil && contact.Address.Host != "" {
		d.mu.Lock()
		d.target = *contact.Address.Clone()
		d.mu.Unlock()
		d.guard.addKnownAddress(addrOf(contact.Address.Host))
	}
}

func addrOf(host string) netip.Addr {
	if at, err := netip.ParseAddrPort(host); err == nil {
		return at.Addr()
	}
	a, _ := netip.ParseAddr(strings.Trim(host, "[]")) // a host name is not an address: unknown then
	return a
}

// newRequest creates the next request of the dialog.
func (d *inviteDialog) newRequest(method sip.RequestMethod) *sip.Request {
	return d.newNumberedRequest(method, d.numbers.Add(1))
}

// sendRequest sends a request of the dialog and answers digest challenges.
func (d *inviteDialog) sendRequest(ctx context.Context, req *sip.Request) (requestExchange, error) {
	return d.doRequest(ctx, req, d.numbers)
}

func (d *inviteDialog) newNumberedRequest(method sip.RequestMethod, number uint32) *sip.Request {
	d.mu.Lock()
	by, to, routes := d.by, d.target, d.routes
	d.mu.Unlock()
	next := to
	if len(routes) > 0 {
		next = routes[0]
		if !next.UriParams.Has("lr") { // a strict router (RFC 3261 §12.2.1.1)
			routes = append(routes[1:len(routes):len(routes)], to)
			to = next
		}
	}
	req := sip.NewRequest(method, to)
	req.AppendHeader(d.newViaHeader(by))
	for _, r := range routes {
		req.AppendHeader(&sip.RouteHeader{Address: r})
	}
	callID := sip.CallIDHeader(d.callID)
	req.AppendHeader(sip.HeaderClone(d.from))
	req.AppendHeader(sip.HeaderClone(d.to))
	req.AppendHeader(&callID)
	req.AppendHeader(&sip.CSeqHeader{SeqNo: number, MethodName: method})
	req.AppendHeader(d.newContactHeader(by))
	d.addCommonHeaders(req)
	d.sendTo(req, by)
	req.SetDestination(d.nextHop(next, by.remote))
	return req
}

// nextHop returns the destination of a request: the next URI; over TLS the verified server; and for a private address
// behind a public trunk (leaked inner address) the server that answered.
func (d *inviteDialog) nextHop(next sip.Uri, server netip.AddrPort) string {
	if d.trunk.transport == "tls" {
		return server.String()
	}
	a := addrOf(next.Host)
	near := server.Addr().IsPrivate() || server.Addr().IsLoopback()
	if a.IsValid() && (a.IsUnspecified() || a.IsPrivate() && !near) {
		return server.String()
	}
	return net.JoinHostPort(strings.Trim(next.Host, "[]"), strconv.Itoa(int(d.trunk.portOr(next.Port))))
}

// sendACK sends the ACK of a 200, with the INVITE's CSeq and credentials (RFC 3261 §13.2.2.4, §22.1).
func (d *inviteDialog) sendACK(invite *sip.Request) {
	ack := d.newNumberedRequest(sip.ACK, invite.CSeq().SeqNo)
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		if h := invite.GetHeader(name); h != nil {
			ack.AppendHeader(sip.HeaderClone(h))
		}
	}
	if err := d.client.WriteRequest(ack, keepHeaders); err != nil {
		d.log.Warn("the answer of a SIP call could not be acknowledged", "sip_call_id", d.callID, "err", transportFault(err))
	}
}

// repeatedOf returns the handler of further 200 responses to an INVITE.
func (d *inviteDialog) repeatedOf(invite *sip.Request) sip.FnTxResponse {
	return func(res *sip.Response) { d.recoverPanic(func() { d.handleRepeatedOK(invite, res) }) }
}

// handleRepeatedOK handles a further 200: a retransmission is acknowledged again; one of another fork is acknowledged
// and its call ended.
func (d *inviteDialog) handleRepeatedOK(invite *sip.Request, res *sip.Response) {
	other := (&inviteAttempt{
		Carrier: d.Carrier, by: d.currentServer(), invite: invite, numbers: d.numbers,
	}).newDialog(res)
	other.sendACK(invite)
	tag := other.to.Params.GetOr("tag", "")
	if tag == d.to.Params.GetOr("tag", "") {
		return
	}
	d.mu.Lock()
	known := d.forks[tag]
	d.forks[tag] = true
	d.mu.Unlock()
	if !known {
		other.sendByeAside(normalClearing)
	}
}

// hangUp ends the call from our side.
func (d *inviteDialog) hangUp() { d.endDialog(carrier.ErrHungUp, true) }

// endByRemote ends the call after the remote side's BYE.
func (d *inviteDialog) endByRemote() { d.endDialog(io.EOF, false) }

// endWithMedia ends the call when its media session has ended by itself, so that the callee is not left in a silent
// call while the conversation is brought to its end.
func (d *inviteDialog) endWithMedia() {
	<-d.sound.Ended()
	d.endDialog(d.sound.Err(), true)
}

// endDialog ends the call once; why becomes the line's error.
func (d *inviteDialog) endDialog(why error, bye bool) {
	d.end.Do(func() {
		defer d.trace.BeginExchange()() // the line ends before its quality is known
		close(d.over)
		d.mu.Lock()
		d.timer.stop()
		d.mu.Unlock()
		d.dialogs.removeDialog(d)
		d.inUse.Add(-1)
		broken := d.sound.Err()
		d.sound.End(why)
		why = cmp.Or(broken, why)
		heard := d.sound.Stats()
		d.trace.SetQuality(d.sound.Quality())
		d.foreign.addCall(heard)
		d.heard.addCall(why, heard)
		d.log.Info("SIP call over", "sip_call_id", d.callID, "why", why, "sent", heard.Sent, "received", heard.Received,
			"lost", heard.Lost, "late", heard.Late, "jitter_ms", heard.Jitter.Milliseconds(),
			"ignored", heard.Ignored+heard.Forged, "foreign", heard.Foreign)
		if bye {
			d.sendByeAside(byeReason(why))
		}
	})
}

// byeReason returns the value of the Reason header (RFC 3326) of a BYE: the Q.850 cause of the end.
func byeReason(why error) string {
	switch {
	case errors.Is(why, carrier.ErrNoAudio):
		return `Q.850;cause=44;text="no audio came: RTP timeout"`
	case errors.Is(why, errExpired):
		return `Q.850;cause=102;text="recovery on timer expiry"`
	case errors.Is(why, io.EOF), errors.Is(why, carrier.ErrHungUp):
		return normalClearing
	default:
		return `Q.850;cause=41;text="temporary failure"`
	}
}

const normalClearing = `Q.850;cause=16;text="normal call clearing"`

// sendByeAside sends the BYE without waiting for its response.
func (d *inviteDialog) sendByeAside(reason string) {
	bye := d.newRequest(sip.BYE)
	bye.AppendHeader(sip.NewHeader("Reason", reason))
	ended := d.trace.BeginExchange()
	d.runAside(func() {
		defer ended()
		if err := d.sendBye(bye); err != nil {
			d.log.Warn("the end of a SIP call was not confirmed", "sip_call_id", d.callID, "err", err)
		}
	})
}

const (
	byeTries = 3           // of a BYE whose transport fails
	byePause = time.Second // between them
)

// sendBye sends the BYE and waits for a response; any will do: the call is over there. Where the transport fails, it is
// sent again over a new connection, since the remote side would otherwise stay in a silent, billed call.
func (d *inviteDialog) sendBye(bye *sip.Request) error {
	ctx, cancel := context.WithTimeout(d.life, untilFinal)
	defer cancel()
	for try := 1; ; try++ {
		_, err := d.sendRequest(ctx, bye)
		if err == nil || errors.Is(err, errNoAnswer) || try == byeTries {
			return err
		}
		select {
		case <-time.After(byePause):
		case <-ctx.Done():
			return err
		}
		again := d.newRequest(sip.BYE)
		again.AppendHeader(sip.HeaderClone(bye.GetHeader("Reason")))
		bye = again
	}
}
