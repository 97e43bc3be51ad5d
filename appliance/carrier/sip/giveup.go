package sip

import (
	"context"
	"time"

	"github.com/emiago/sipgo/sip"
)

// untilFinal is 64*T1: the timeout for a final response after a CANCEL (RFC 3261 §9.1), and for a provisional one
// before it.
const untilFinal = 32 * time.Second

// giveUp cancels an INVITE in the background. A 200 that crosses the CANCEL is acknowledged and ended with BYE;
// otherwise the person would be in a silent, billed call.
func (i *inviteAttempt) giveUp() {
	i.runAside(func() {
		ctx, cancel := context.WithTimeout(i.life, untilFinal)
		defer cancel()
		if !i.heard && !i.awaitProvisional(ctx) {
			return
		}
		i.runAside(i.sendCancel)
		i.awaitFinal(ctx)
	})
}

// awaitProvisional waits for a provisional response, before which CANCEL is not allowed (RFC 3261 §9.1). False when the
// dial has ended anyway.
func (i *inviteAttempt) awaitProvisional(ctx context.Context) bool {
	select {
	case res := <-i.tx.Responses():
		if res.IsSuccess() {
			i.hangUpLateAnswer(res)
		}
		return res.IsProvisional()
	case <-i.tx.Done():
	case <-ctx.Done():
		i.tx.Terminate()
	}
	return false
}

// awaitFinal reads responses until the final one.
func (i *inviteAttempt) awaitFinal(ctx context.Context) {
	for {
		select {
		case res := <-i.tx.Responses():
			if res.IsProvisional() {
				continue
			}
			if res.IsSuccess() {
				i.hangUpLateAnswer(res)
			}
			return // the transaction acknowledges all others
		case <-i.tx.Done():
			return
		case <-ctx.Done():
			i.tx.Terminate()
			return
		}
	}
}

// hangUpLateAnswer ends a call that was answered after our CANCEL.
func (i *inviteAttempt) hangUpLateAnswer(res *sip.Response) {
	i.turnAway(res)
	i.log.Info("an answer crossed our CANCEL: hung up", "call_id", i.request.CallID)
}

// turnAway acknowledges a 200, and its retransmissions, and sends BYE.
func (i *inviteAttempt) turnAway(res *sip.Response) {
	d := i.newDialog(res)
	i.tx.OnRetransmission(d.repeatedOf(i.invite))
	d.sendACK(i.invite)
	d.sayBye()
}

// sendCancel sends the CANCEL with the INVITE's branch, CSeq and route.
func (i *inviteAttempt) sendCancel() {
	req := sip.NewRequest(sip.CANCEL, i.invite.Recipient)
	req.AppendHeader(i.invite.Via().Clone())
	req.AppendHeader(sip.HeaderClone(i.invite.From()))
	req.AppendHeader(sip.HeaderClone(i.invite.To()))
	req.AppendHeader(sip.HeaderClone(i.invite.CallID()))
	req.AppendHeader(&sip.CSeqHeader{SeqNo: i.invite.CSeq().SeqNo, MethodName: sip.CANCEL})
	i.addCommonHeaders(req)
	i.sendTo(req, i.by)
	ctx, cancel := context.WithTimeout(i.life, untilFinal)
	defer cancel()
	_, _ = i.doOnce(ctx, req) // the INVITE's own final response decides
}
