package sip

import (
	"context"
	"crypto/rand"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/store/call"
)

// ReceiveCalls says who takes the calls that come in from the trunk; until then they are answered 480.
func (c *Carrier) ReceiveCalls(receiver carrier.Receiver) { c.receiver.Store(&receiver) }

// IncomingLines returns how many calls at once this machine can hold, whether or not the trunk takes our calls.
func (c *Carrier) IncomingLines() int {
	return c.load.usableLines(int(c.lines.Load()), c.dialogs.count())
}

// incomingCall is an INVITE of the trunk: carrier.IncomingCall.
type incomingCall struct {
	*Carrier
	req   *sip.Request
	tx    sip.ServerTransaction
	by    trunkServer
	tag   string // ours
	sound *media.MediaSession
	local sdp.LocalMedia
	said  inviteAnswers
	trace *carrier.TraceRecorder
	// answer and stream are agreed on; nil without an offer in the INVITE: then our 200 offers, and the ACK answers.
	answer []byte
	stream sdp.AgreedStream
	gone   chan struct{} // closed when the caller has cancelled, or hung up
	done   chan struct{} // closed when the final response needs no more care

	leave   sync.Once // closes gone
	mu      sync.Mutex
	settled bool // answered or refused
}

// onNewInvite handles an INVITE outside of a call. Only the trunk's own are taken; others are answered as by a
// carrier that takes no calls.
func (c *Carrier) onNewInvite(req *sip.Request, tx sip.ServerTransaction) {
	receiver, from := c.receiver.Load(), addrPortOf(req.Source())
	switch {
	case receiver == nil:
		sendResponse(req, tx, 480, "Temporarily Unavailable")
		return
	case !c.sources.isTrunk(c, from.Addr()):
		c.refuseInvite(req, tx, 480, call.RefusalStranger)
		return
	case !c.arrivals.admit(from.Addr()):
		c.refuseInvite(req, tx, 503, call.RefusalFlood)
		return
	case !isUnderstood(req, tx):
		return
	case !isWholeInvite(req):
		c.refuseInvite(req, tx, 400, call.RefusalIncomplete)
		return
	case !c.authenticateCaller(req, tx):
		return
	}
	in, status := c.newIncoming(req, tx, from)
	if status != 0 {
		c.refuseInvite(req, tx, status, refusalCauses[status])
		return
	}
	defer c.ringing.remove(in)
	go c.recoverPanic(func() {
		defer in.trace.FinishTrace(c.life)         // unless the receiver did
		defer in.Refuse(carrier.RefuseUnavailable) // unless it was answered or refused
		(*receiver)(c.life, in)
	})
	<-in.done
}

// isWholeInvite reports whether an INVITE has what a dialog is made of (RFC 3261 §8.1.1, §12.1.1).
func isWholeInvite(req *sip.Request) bool {
	contact, from := req.Contact(), req.From()
	return contact != nil && contact.Address.Host != "" && from != nil && from.Params.Has("tag") && req.To() != nil &&
		req.CallID() != nil && req.CSeq() != nil
}

// newIncoming prepares a call: a line, a port for its sound, our description. A status other than 0 refuses it.
func (c *Carrier) newIncoming(
	req *sip.Request, tx sip.ServerTransaction, from netip.AddrPort,
) (in *incomingCall, status int) {
	if c.life.Err() != nil || c.inUse.Add(1) > int64(c.IncomingLines()) {
		c.inUse.Add(-1)
		return nil, 503
	}
	in = &incomingCall{
		Carrier: c, req: req, tx: tx, tag: rand.Text(), gone: make(chan struct{}), done: make(chan struct{}),
	}
	defer func() {
		if status != 0 {
			c.inUse.Add(-1)
			in.endSound()
		}
	}()
	if c.dialogs.hasCall(req.CallID().Value()) || !c.ringing.add(in) {
		return in, 482 // the same call on another way (RFC 3261 §8.2.2.2)
	}
	if status = in.agreeMedia(from); status != 0 {
		c.ringing.remove(in)
		return in, status
	}
	in.recordLadder()
	req.To().Params.Add("tag", in.tag) // in all responses
	in.respond(100)
	tx.OnCancel(func(*sip.Request) { in.noteGone() })
	return in, 0
}

// recordLadder records the messages of the call, from the INVITE on: the first one, if it was challenged.
func (in *incomingCall) recordLadder() {
	if in.trace = ladders.claimChallenged(in.req.CallID().Value()); in.trace != nil {
		return // it has this INVITE, too
	}
	in.trace = &carrier.TraceRecorder{}
	ladders.recordCall(in.req.CallID().Value(), in.trace)
	in.addInvite(in.req)
}

// addInvite adds a received INVITE to the ladder of its call, whose recording it begins.
func (c *Carrier) addInvite(req *sip.Request) {
	ladders.addMessage(false, c.trunk.transport, req.Source(), []byte(req.String()))
}

// Trace implements carrier.TracedCall.
func (in *incomingCall) Trace() *carrier.TraceRecorder { return in.trace }

// agreeMedia opens the sound of the call and answers its offer, if it has one.
func (in *incomingCall) agreeMedia(from netip.AddrPort) (status int) {
	local, err := in.localAddressFor(from)
	if err == nil {
		in.by, err = in.findLocalPort(in.life, trunkServer{remote: from, local: local})
	}
	if err == nil {
		in.sound, err = media.OpenSession(in.options.Listen.Addr(), in.options.Ports, in.options.Latch)
	}
	if err != nil {
		in.log.Error("an inbound SIP call has no sound", "err", transportFault(err))
		return 503
	}
	in.sound.Observe(in.load.countPacket)
	in.local = in.describeLocal(in.by, in.sound)
	offer := sessionDescription(in.req)
	if len(offer) == 0 {
		return 0
	}
	if in.answer, in.stream, err = in.local.AnswerOffer(offer); err != nil {
		in.log.Info("an inbound SIP call is refused: its offer cannot be used", "err", err)
		return 488
	}
	in.local.Lines = in.stream.Lines
	return 0
}

func (in *incomingCall) endSound() {
	if in.sound != nil {
		in.sound.End(carrier.ErrHungUp)
	}
}

// noteGone notes that the caller has cancelled; the transaction answers 487 by itself.
func (in *incomingCall) noteGone() {
	in.leave.Do(func() {
		in.said.addStatus(487)
		close(in.gone)
	})
}

// onBye ends a call that rings, for a caller who sends BYE instead of CANCEL (RFC 3261 §15).
func (in *incomingCall) onBye(req *sip.Request, tx sip.ServerTransaction) {
	sendResponse(req, tx, 200, "OK")
	in.noteGone()
	sendResponse(in.req, in.tx, 487, "Request Terminated")
}

// respond sends a response without a body.
func (in *incomingCall) respond(status int, headers ...sip.Header) {
	in.said.addStatus(status)
	sendResponse(in.req, in.tx, status, statusPhrases[status], headers...)
}

// Called implements carrier.IncomingCall: the request's target, else whom the network, or the caller, named.
func (in *incomingCall) Called() []string { return calledNumbers(in.req, in.options.Plus) }

// Caller implements carrier.IncomingCall.
func (in *incomingCall) Caller() string { return callerNumber(in.req) }

// Ring implements carrier.IncomingCall.
func (in *incomingCall) Ring() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.settled {
		in.respond(180, in.newContactHeader(in.by))
	}
}

// settle reports whether the caller of it is the first to answer or refuse the call.
func (in *incomingCall) settle() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	first := !in.settled
	in.settled = true
	return first
}

// Refuse implements carrier.IncomingCall.
func (in *incomingCall) Refuse(why carrier.Refusal) {
	if !in.settle() {
		return
	}
	in.respond(int(why), retryAfter(int(why))...)
	if !in.isGone() {
		refusals.addRefusal(in.Carrier, in.req, int(why), refusalCauses[int(why)])
	}
	in.abandon()
}

// isGone reports whether the caller has cancelled, or hung up.
func (in *incomingCall) isGone() bool {
	select {
	case <-in.gone:
		return true
	default:
		return false
	}
}

// abandon frees what an unanswered call holds.
func (in *incomingCall) abandon() {
	in.endSound()
	in.inUse.Add(-1)
	close(in.done)
}

// Answer implements carrier.IncomingCall. The line begins with the ACK, so that nothing is said before the caller
// hears it.
func (in *incomingCall) Answer(ctx context.Context) (carrier.Line, error) {
	if !in.settle() {
		return nil, &carrier.DialError{Err: errors.New("the call was refused")}
	}
	select {
	case <-in.gone:
		in.abandon()
		return nil, carrier.ErrCallerGone
	case <-ctx.Done():
		in.respond(int(carrier.RefuseOverload))
		in.abandon()
		return nil, ctx.Err()
	default:
	}
	defer close(in.done)
	d := in.newDialog()
	if in.answer != nil {
		if err := in.sound.Start(in.local, in.stream); err != nil {
			in.respond(488)
			in.endSound()
			in.inUse.Add(-1)
			return nil, &carrier.DialError{Err: err}
		}
	}
	in.dialogs.addDialog(d)
	if err := in.acceptInvite(d); err != nil {
		return nil, err
	}
	in.runAside(d.endWithMedia)
	if in.trunk.transport == "tls" {
		in.runAside(d.keepReachable)
	}
	in.log.Info("inbound SIP call answered", "sip_call_id", d.callID, "codec", in.stream.Codec,
		"encrypted", in.stream.Key != nil)
	return &sipLine{MediaSession: in.sound, dialog: d}, nil
}

// acceptInvite sends the 200 until it is acknowledged. Without an ACK, or with an unusable answer in it, the call is
// ended.
func (in *incomingCall) acceptInvite(d *inviteDialog) error {
	in.said.addStatus(200)
	res := newResponse(in.req, 200, "OK", in.newContactHeader(in.by), sip.NewHeader("Supported", "timer"))
	d.timeAnswer(in.req, res)
	body := in.answer
	if body == nil {
		body = in.local.MakeOffer()
	}
	withSDP(res, body)
	cancelled := make(chan struct{})
	defer close(cancelled)
	go func() {
		select {
		case <-in.gone:
			d.endDialog(carrier.ErrCallerGone, false)
		case <-cancelled:
		}
	}()
	ack := d.respondUntilAcked(in.tx, res, in.req.CSeq().SeqNo)
	if ack == nil && in.isGone() {
		d.endDialog(carrier.ErrCallerGone, false)
		return carrier.ErrCallerGone
	}
	err := errUnacknowledged
	if ack != nil {
		err = in.startOffered(ack)
	}
	if err == nil {
		return nil // even if they have hung up since
	}
	select {
	case <-d.over: // a BYE came instead of the ACK
		return carrier.ErrCallerGone
	default:
	}
	in.log.Warn("an inbound SIP call did not come about", "sip_call_id", d.callID, "err", err)
	d.endDialog(err, true)
	return &carrier.DialError{Err: err}
}

var errUnacknowledged = errors.New("the answer was not acknowledged")

// startOffered starts the sound by the answer in an ACK, if our 200 held the offer.
func (in *incomingCall) startOffered(ack *sip.Request) (err error) {
	if in.answer != nil {
		return nil
	}
	if in.stream, err = in.local.Read(descriptionIn(ack)); err != nil {
		return err
	}
	return in.sound.Start(in.local, in.stream)
}

// newDialog creates the dialog of the call, from the callee's side (RFC 3261 §12.1.1).
func (in *incomingCall) newDialog() *inviteDialog {
	d := &inviteDialog{
		Carrier: in.Carrier, by: in.by, callID: in.req.CallID().Value(), local: in.local, sound: in.sound,
		answers: in.answer != nil, called: true,
		said: &in.said, trace: in.trace,
		from:    &sip.FromHeader{Address: in.req.To().Address, Params: in.req.To().Params.Clone()},
		to:      &sip.ToHeader{Address: in.req.From().Address, Params: in.req.From().Params.Clone()},
		accepts: headerOf(in.req, "Allow"), numbers: new(atomic.Uint32), theirs: int64(in.req.CSeq().SeqNo),
		acks: make(chan *sip.Request, 4), referred: make(chan transferNotice, 4), over: make(chan struct{}),
		forks: map[string]bool{},
	}
	for _, h := range in.req.GetHeaders("Record-Route") {
		if r, ok := h.(*sip.RecordRouteHeader); ok {
			d.routes = append(d.routes, r.Address)
		}
	}
	d.updateRemoteTarget(in.req)
	return d
}

// statusPhrases are the reason phrases of the responses to an INVITE.
var statusPhrases = map[int]string{
	100: "Trying",
	180: "Ringing",
	400: "Bad Request",
	401: "Unauthorized",
	404: "Not Found",
	480: "Temporarily Unavailable",
	482: "Loop Detected",
	486: "Busy Here",
	488: "Not Acceptable Here",
	503: "Service Unavailable",
}

// overloadPause is the Retry-After of a call for which there is no line, in seconds.
const overloadPause = "5"

// retryAfter returns the Retry-After header of a status that has one.
func retryAfter(status int) []sip.Header {
	if status != 503 {
		return nil
	}
	return []sip.Header{sip.NewHeader("Retry-After", overloadPause)}
}
