package sip

import (
	"context"
	"time"

	"github.com/emiago/sipgo/sip"
)

// untilFinal is 64*T1: the timeout for a final response after a CANCEL (RFC 3261 §9.1), and for a provisional one
// before it.
const untilFinal = 32 * time.Second

// giveUp cancels an INVITE in the background; ended is closed when the transaction is over. A 200 that crosses the
// CANCEL is acknowledged and ended with BYE; otherwise the person would be in a silent, billed call.
func (i *inviteAttempt) giveUp() (ended <-chan struct{}) {
	done, exchanged := make(chan struct{}), i.request.Trace.BeginExchange()
	i.runAside(func() {
		defer exchanged()
		defer close(done)
		ctx, cancel := context.WithTimeout(i.life, untilFinal)
		defer cancel()
		if !i.heard && !i.awaitProvisional(ctx) {
			return
		}
		i.runAside(i.sendCancel)
		i.awaitFinal(ctx)
	})
	return done
}

// cancelWait is how long a cancelled INVITE may take to end before the trunk's next server is asked.
const cancelWait = 3 * time.Second

// giveUpAndWait is giveUp for a server that took the INVITE: the telephone may ring there, so that the next server is
// asked only when this attempt has ended, or after cancelWait. One person is not rung by two servers at once.
func (i *inviteAttempt) giveUpAndWait(ctx context.Context) {
	ended := i.giveUp()
	if !i.heard {
		return
	}
	timer := time.NewTimer(cancelWait)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	case <-ctx.Done():
	}
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
	d.trace = i.request.Trace
	i.tx.OnRetransmission(d.repeatedOf(i.invite))
	d.sendACK(i.invite)
	d.sendByeAside(normalClearing)
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
	_, _ = i.sendOnce(ctx, req) // the INVITE's own final response decides
}
