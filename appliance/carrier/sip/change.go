package sip

import (
	"context"
	"errors"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
)

// T1 and T2 of RFC 3261, for retransmitting the 200 of a re-INVITE.
const (
	t1 = 500 * time.Millisecond
	t2 = 4 * time.Second
)

// reserveChange locks the session description for a change; false while another change is in progress (glare).
func (d *inviteDialog) reserveChange() (sdp.LocalMedia, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return sdp.LocalMedia{}, false
	}
	d.busy = true
	l := d.local
	l.Version++
	return l, true
}

// lastAnswered reports whether our last description was an answer.
func (d *inviteDialog) lastAnswered() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.answers
}

// commitChange stores the negotiated description, switches the media to it, and releases the lock. answers means that
// our description was an answer.
func (d *inviteDialog) commitChange(l sdp.LocalMedia, stream sdp.AgreedStream, answers bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy = false
	if err := d.sound.Change(l, stream); err != nil {
		return err
	}
	l.Lines = stream.Lines
	d.local, d.answers = l, answers
	return nil
}

// releaseChange releases the lock without a change.
func (d *inviteDialog) releaseChange() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy = false
}

// answerOffer applies the remote side's offer and returns our answer; an unusable offer leaves the media unchanged.
func (d *inviteDialog) answerOffer(l sdp.LocalMedia, offer []byte) (answer []byte, err error) {
	answer, stream, err := l.AnswerOffer(offer)
	if err != nil {
		d.releaseChange()
		return nil, err
	}
	return answer, d.commitChange(l, stream, true)
}

// applyAnswer applies an answer to our offer; an unusable one leaves the media unchanged.
func (d *inviteDialog) applyAnswer(l sdp.LocalMedia, answer []byte) error {
	stream, err := l.Read(answer)
	if err != nil {
		d.releaseChange()
		return err
	}
	return d.commitChange(l, stream, false)
}

// onInvite handles a re-INVITE: hold, new address, new codec, or a session refresh.
func (d *inviteDialog) onInvite(req *sip.Request, tx sip.ServerTransaction) {
	l, free := d.reserveChange()
	if !free {
		sendResponse(req, tx, 491, "Request Pending")
		return
	}
	body, err := l.MakeOffer(), error(nil)
	offer := sessionDescription(req)
	offered := len(offer) > 0
	if offered {
		if body, err = d.answerOffer(l, offer); err != nil {
			sendResponse(req, tx, 488, "Not Acceptable Here")
			return
		}
	}
	d.updateRemoteTarget(req)
	res := newResponse(req, 200, "OK", d.newContactHeader(d.currentServer()))
	d.timeAnswer(req, res)
	withSDP(res, body)
	ack := d.respondUntilAcked(tx, res, req.CSeq().SeqNo)
	switch {
	case offered:
	case ack != nil:
		err = d.applyAnswer(l, descriptionIn(ack))
	default:
		d.releaseChange()
	}
	if err != nil || ack == nil {
		d.log.Warn("a change of a SIP call failed: hung up", "sip_call_id", d.callID, "acknowledged", ack != nil, "err", err)
		d.endDialog(errChange, true)
	}
}

var errChange = &carrier.DialError{Err: errors.New("the other side's change of the call failed")}

// respondUntilAcked retransmits a 200 until its ACK, for at most 64*T1 (RFC 3261 §13.3.1.4); nil without an ACK.
func (d *inviteDialog) respondUntilAcked(tx sip.ServerTransaction, res *sip.Response, number uint32) *sip.Request {
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

// awaitAck waits for the ACK of a request; over means that retransmitting is pointless.
func (d *inviteDialog) awaitAck(number uint32, again, end <-chan time.Time) (ack *sip.Request, over bool) {
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
			return d.takeAck(number), true
		case <-d.life.Done():
			return nil, true
		}
	}
}

// takeAck returns the ACK of a request that came before the call's end; nil without it.
func (d *inviteDialog) takeAck(number uint32) *sip.Request {
	for {
		select {
		case ack := <-d.acks:
			if ack.CSeq().SeqNo == number {
				return ack
			}
		default:
			return nil
		}
	}
}

// onUpdate handles an UPDATE: a change without ACK, or a session refresh (RFC 3311).
func (d *inviteDialog) onUpdate(req *sip.Request, tx sip.ServerTransaction) {
	res := newResponse(req, 200, "OK", d.newContactHeader(d.currentServer()))
	if offer := sessionDescription(req); len(offer) > 0 {
		l, free := d.reserveChange()
		if !free {
			sendResponse(req, tx, 491, "Request Pending")
			return
		}
		body, err := d.answerOffer(l, offer)
		if err != nil {
			sendResponse(req, tx, 488, "Not Acceptable Here")
			return
		}
		withSDP(res, body)
	}
	d.updateRemoteTarget(req)
	d.timeAnswer(req, res)
	_ = tx.Respond(res)
}

// sendReinvite sends a re-INVITE with the current description. Where ctx ends before the final response, the change
// stays reserved until the INVITE transaction has ended, since no other may begin before (RFC 3261 §14.1).
func (d *inviteDialog) sendReinvite(ctx context.Context, headers ...sip.Header) (*sip.Response, error) {
	l, free := d.reserveChange()
	if !free {
		return nil, errors.New("the call is being changed")
	}
	if !d.lastAnswered() {
		l.Version-- // the description is that of our last offer (RFC 3264 §8)
	}
	req := d.newRequest(sip.INVITE)
	for _, h := range headers {
		req.AppendHeader(h)
	}
	withSDP(req, l.MakeOffer())
	e, err := d.sendRequest(ctx, req)
	if err != nil && e.tx != nil && ctx.Err() != nil {
		d.runAside(func() { d.awaitLateResponse(l, e) })
		return nil, err
	}
	return e.res, errors.Join(err, d.finishReinvite(l, e))
}

// awaitLateResponse handles the final response to a re-INVITE that sendReinvite did not wait for: a 200 without an ACK
// would be retransmitted, and the remote side would then hang up (RFC 3261 §13.3.1.4).
func (d *inviteDialog) awaitLateResponse(l sdp.LocalMedia, e requestExchange) {
	ctx, cancel := context.WithTimeout(d.life, untilFinal)
	defer cancel()
	var err error
	if e.res, err = awaitFinalResponse(ctx, e.tx); err != nil {
		e.tx.Terminate()
	}
	_ = d.finishReinvite(l, e) // an unusable description is ignored
}

// finishReinvite releases the change that a re-INVITE reserved; a 200 is acknowledged and its description applied.
func (d *inviteDialog) finishReinvite(l sdp.LocalMedia, e requestExchange) error {
	if e.res == nil || !e.res.IsSuccess() {
		d.releaseChange()
		return nil
	}
	d.updateRemoteTarget(e.res)
	e.tx.OnRetransmission(d.repeatedOf(e.req))
	d.sendACK(e.req)
	return d.applyAnswer(l, descriptionIn(e.res))
}
