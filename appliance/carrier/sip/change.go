package sip

import (
	"context"
	"errors"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier/sip/sdp"
)

// T1 and T2 of RFC 3261, for the 200 of a re-INVITE, which its transaction does not repeat.
const (
	t1 = 500 * time.Millisecond
	t2 = 4 * time.Second
)

// changing reserves the description; false while it is being changed already.
func (d *dialog) changing() (sdp.Local, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return sdp.Local{}, false
	}
	d.busy = true
	l := d.local
	l.Version++
	return l, true
}

// changed keeps a description with what was agreed on, where the sound follows, and lets go of it.
func (d *dialog) changed(l sdp.Local, stream sdp.Stream) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy = false
	if err := d.sound.Change(l, stream); err != nil {
		return err
	}
	d.local = l
	return nil
}

// unchanged lets go of the description as it was.
func (d *dialog) unchanged() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy = false
}

// offered takes over what the other side offers and returns our answer; an offer of no use leaves all unchanged.
func (d *dialog) offered(l sdp.Local, offer []byte) (answer []byte, err error) {
	answer, stream, err := l.Answer(offer)
	if err != nil {
		d.unchanged()
		return nil, err
	}
	return answer, d.changed(l, stream)
}

// settled takes over what an answer to our offer agrees on; a useless one leaves all unchanged.
func (d *dialog) settled(l sdp.Local, answer []byte) error {
	stream, err := l.Read(answer)
	if err != nil {
		d.unchanged()
		return err
	}
	return d.changed(l, stream)
}

// onInvite takes a change of the call: hold, another address, another codec, or only a sign of life.
func (d *dialog) onInvite(req *sip.Request, tx sip.ServerTransaction) {
	l, free := d.changing()
	if !free {
		respond(req, tx, 491, "Request Pending")
		return
	}
	body, err := l.Offer(), error(nil)
	offer := offerIn(req)
	offered := len(offer) > 0
	if offered {
		if body, err = d.offered(l, offer); err != nil {
			respond(req, tx, 488, "Not Acceptable Here")
			return
		}
	}
	d.retarget(req)
	res := response(req, 200, "OK", d.contact(d.server()))
	d.timeAnswer(req, res)
	withSDP(res, body)
	ack := d.respondUntilAcked(tx, res, req.CSeq().SeqNo)
	switch {
	case offered:
	case ack != nil:
		err = d.settled(l, ack.Body())
	default:
		d.unchanged()
	}
	if err != nil || ack == nil {
		d.log.Warn("a change of a SIP call failed: hung up", "sip_call_id", d.callID, "acknowledged", ack != nil, "err", err)
		d.finish(errChange, true)
	}
}

var errChange = errors.New("the other side's change of the call failed")

// respondUntilAcked repeats a 200 until its ACK comes, for 64*T1 at most (RFC 3261 §13.3.1.4); nil without one.
func (d *dialog) respondUntilAcked(tx sip.ServerTransaction, res *sip.Response, number uint32) *sip.Request {
	end := time.NewTimer(untilFinal)
	defer end.Stop()
	for wait := t1; ; wait = min(2*wait, t2) {
		if err := tx.Respond(res); err != nil {
			return nil
		}
		again := time.NewTimer(wait)
		ack, over := d.awaitAck(number, again.C, end.C)
		again.Stop()
		if over {
			return ack
		}
	}
}

// awaitAck waits for the ACK of a request; over means that there is no use in repeating.
func (d *dialog) awaitAck(number uint32, again, end <-chan time.Time) (ack *sip.Request, over bool) {
	for {
		select {
		case ack := <-d.acks:
			if ack.CSeq().SeqNo == number {
				return ack, true
			}
		case <-again:
			return nil, false
		case <-end:
			return nil, true
		case <-d.over:
			return nil, true
		case <-d.life.Done():
			return nil, true
		}
	}
}

// onUpdate is a change that needs no ACK, or a sign of life (RFC 3311).
func (d *dialog) onUpdate(req *sip.Request, tx sip.ServerTransaction) {
	res := response(req, 200, "OK", d.contact(d.server()))
	if offer := offerIn(req); len(offer) > 0 {
		l, free := d.changing()
		if !free {
			respond(req, tx, 491, "Request Pending")
			return
		}
		body, err := d.offered(l, offer)
		if err != nil {
			respond(req, tx, 488, "Not Acceptable Here")
			return
		}
		withSDP(res, body)
	}
	d.retarget(req)
	d.timeAnswer(req, res)
	_ = tx.Respond(res)
}

// reinvite offers the description as it is once more.
func (d *dialog) reinvite(ctx context.Context, headers ...sip.Header) (*sip.Response, error) {
	l, free := d.changing()
	if !free {
		return nil, errors.New("the call is being changed")
	}
	l.Version-- // nothing is new
	req := d.request(sip.INVITE)
	for _, h := range headers {
		req.AppendHeader(h)
	}
	withSDP(req, l.Offer())
	e, err := d.ask(ctx, req)
	if err != nil || !e.res.IsSuccess() {
		d.unchanged()
		return e.res, err
	}
	d.retarget(e.res)
	d.acknowledge(e.req)
	e.tx.OnRetransmission(d.repeatedOf(e.req))
	return e.res, d.settled(l, e.res.Body())
}
