package sip

import (
	"context"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
)

// inviteDialog is an answered INVITE (RFC 3261 §12), from our side: we are its caller.
type inviteDialog struct {
	*Carrier
	callID   string
	from     *sip.FromHeader     // us, with our tag
	to       *sip.ToHeader       // the other side, with theirs
	routes   []sip.Uri           // the way there, the next hop first
	accepts  string              // the other side's Allow
	sound    *media.MediaSession // nil: the call was never wanted
	said     *inviteAnswers      // to the INVITE; nil with sound
	acks     chan *sip.Request
	referred chan transferNotice // how a transfer goes

	mu     sync.Mutex
	by     trunkServer
	target sip.Uri // the other side's Contact
	cseq   uint32  // of our last request
	theirs int64   // of the other side's last request; -1: none yet
	local  sdp.LocalMedia
	busy   bool // the description is being changed
	forks  map[string]bool
	timer  sessionTimer

	end  sync.Once
	over chan struct{}
}

// newDialog is what a 200 makes of an invitation.
func (i *inviteAttempt) newDialog(res *sip.Response) *inviteDialog {
	d := &inviteDialog{
		Carrier: i.Carrier, by: i.by, callID: i.invite.CallID().Value(), from: i.invite.From(), to: i.invite.To(),
		target: i.invite.Recipient, cseq: i.invite.CSeq().SeqNo, accepts: headerOf(res, "Allow"),
		acks: make(chan *sip.Request, 4), referred: make(chan transferNotice, 4), over: make(chan struct{}),
		forks: map[string]bool{}, theirs: -1,
	}
	if to := res.To(); to != nil {
		d.to = to
	}
	for _, h := range res.GetHeaders("Record-Route") {
		if r, ok := h.(*sip.RecordRouteHeader); ok {
			d.routes = append([]sip.Uri{r.Address}, d.routes...) // for the caller in reverse (RFC 3261 §12.1.2)
		}
	}
	d.updateRemoteTarget(res)
	d.guard.addKnownAddress(addrOf(res.Source()))
	return d
}

// currentServer is where the dialog's requests go, and how the other side sees us.
func (d *inviteDialog) currentServer() trunkServer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.by
}

// updateRemoteTarget takes over a new Contact.
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
	a, _ := netip.ParseAddr(strings.Trim(host, "[]")) // a name is no address: nothing is known then
	return a
}

// newRequest makes the next request of the dialog.
func (d *inviteDialog) newRequest(method sip.RequestMethod) *sip.Request {
	d.mu.Lock()
	d.cseq++
	number := d.cseq
	d.mu.Unlock()
	return d.newNumberedRequest(method, number)
}

// sendRequest sends a request of the dialog; challenges are answered.
func (d *inviteDialog) sendRequest(ctx context.Context, req *sip.Request) (requestExchange, error) {
	e, err := d.doRequest(ctx, req)
	d.mu.Lock()
	d.cseq = max(d.cseq, e.req.CSeq().SeqNo)
	d.mu.Unlock()
	return e, err
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

// nextHop is where a request is sent: to the next URI, but over TLS to whom we have checked, and where that is a private
// address behind a public one (a trunk that tells its inner address) to the server that answered.
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

// sendACK sends the ACK of a 200, with the INVITE's number and credentials (RFC 3261 §13.2.2.4, §22.1).
func (d *inviteDialog) sendACK(invite *sip.Request) {
	ack := d.newNumberedRequest(sip.ACK, invite.CSeq().SeqNo)
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		if h := invite.GetHeader(name); h != nil {
			ack.AppendHeader(sip.HeaderClone(h))
		}
	}
	if err := d.client.WriteRequest(ack, asItIs); err != nil {
		d.log.Warn("the answer of a SIP call could not be acknowledged", "sip_call_id", d.callID, "err", faultOf(err))
	}
}

// repeatedOf hears further 200s of an INVITE.
func (d *inviteDialog) repeatedOf(invite *sip.Request) sip.FnTxResponse {
	return func(res *sip.Response) { d.recoverPanic(func() { d.handleRepeatedOK(invite, res) }) }
}

// handleRepeatedOK takes a further 200: of our dialog it is acknowledged again, of another branch of a fork it is a person too
// many, whose call is ended.
func (d *inviteDialog) handleRepeatedOK(invite *sip.Request, res *sip.Response) {
	other := (&inviteAttempt{Carrier: d.Carrier, by: d.currentServer(), invite: invite}).newDialog(res)
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
		other.sayBye()
	}
}

// hangUp ends the call from our side.
func (d *inviteDialog) hangUp() { d.endDialog(carrier.ErrHungUp, true) }

// hungUp ends it because the other side did.
func (d *inviteDialog) hungUp() { d.endDialog(io.EOF, false) }

// endDialog ends the call once; why is what the line says from then on.
func (d *inviteDialog) endDialog(why error, bye bool) {
	d.end.Do(func() {
		close(d.over)
		d.mu.Lock()
		d.timer.stop()
		d.mu.Unlock()
		d.dialogs.removeDialog(d)
		d.sound.End(why)
		heard := d.sound.Stats()
		d.foreign.addCall(heard)
		d.log.Info("SIP call over", "sip_call_id", d.callID, "sent", heard.Sent, "received", heard.Received,
			"lost", heard.Lost, "late", heard.Late, "jitter_ms", heard.Jitter.Milliseconds(),
			"ignored", heard.Ignored+heard.Forged, "foreign", heard.Foreign)
		if bye {
			d.sayBye()
		}
	})
}

// sayBye sends the BYE without waiting for its answer.
func (d *inviteDialog) sayBye() {
	bye := d.newRequest(sip.BYE)
	d.runAside(func() {
		ctx, cancel := context.WithTimeout(d.life, untilFinal)
		defer cancel()
		if _, err := d.doRequest(ctx, bye); err != nil { // any answer will do: the call is over there
			d.log.Warn("the end of a SIP call was not confirmed", "sip_call_id", d.callID, "err", err)
		}
	})
}
