package sip

import (
	"context"
	"time"

	"github.com/emiago/sipgo/sip"
)

// untilFinal is 64*T1: how long a final answer may take after a CANCEL (RFC 3261 §9.1), and a provisional one before.
const untilFinal = 32 * time.Second

// giveUp cancels an INVITE without waiting for it. Whatever comes of it is seen to the end: a 200 that crosses the
// CANCEL is acknowledged and ended, else the person would be in a call with nobody, which is billed.
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

// awaitProvisional waits for a provisional answer: before it there is nothing to cancel (RFC 3261 §9.1). It is false when the
// dial is over anyway.
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

// awaitFinal takes answers until the final one.
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
			return // any other is acknowledged by the transaction
		case <-i.tx.Done():
			return
		case <-ctx.Done():
			i.tx.Terminate()
			return
		}
	}
}

// hangUpLateAnswer ends a call that was answered too late.
func (i *inviteAttempt) hangUpLateAnswer(res *sip.Response) {
	i.turnAway(res)
	i.log.Info("an answer crossed our CANCEL: hung up", "call_id", i.request.CallID)
}

// turnAway acknowledges a 200, as often as it comes, and ends what it began.
func (i *inviteAttempt) turnAway(res *sip.Response) {
	d := i.newDialog(res)
	i.tx.OnRetransmission(d.repeatedOf(i.invite))
	d.sendACK(i.invite)
	d.sayBye()
}

// sendCancel sends the CANCEL: the INVITE's own branch, number and route.
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
	_, _ = i.doOnce(ctx, req) // what counts is the INVITE's own final answer
}
