package sip

import (
	"context"
	"strconv"
	"strings"

	"github.com/emiago/sipgo/sip"
)

// reliableProvisionals are the reliable provisional responses of an INVITE (RFC 3262). The zero value is ready.
type reliableProvisionals struct {
	acked map[string]uint32 // last acknowledged RSeq, by the To tag of the early dialog
}

// isReliable reports whether a provisional response must be acknowledged (RFC 3262 §4): 101 to 199, with 100rel
// required and a sequence number.
func isReliable(res *sip.Response) bool {
	_, numbered := sequenceOf(res)
	return res.IsProvisional() && res.StatusCode > 100 && numbered && requiresOption(res, "100rel")
}

// sequenceOf returns the RSeq of a response.
func sequenceOf(res *sip.Response) (uint32, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(headerOf(res, "RSeq")), 10, 32)
	return uint32(n), err == nil && n > 0
}

// requiresOption reports whether a message's Require has an option tag.
func requiresOption(m sip.Message, wanted string) bool {
	for _, h := range m.GetHeaders("Require") {
		for tag := range strings.SplitSeq(h.Value(), ",") {
			if strings.EqualFold(strings.TrimSpace(tag), wanted) {
				return true
			}
		}
	}
	return false
}

// acknowledgeProvisional sends the PRACK of a reliable provisional response. It returns false for one that must not be
// processed: a retransmission, or one after a missing one.
func (i *inviteAttempt) acknowledgeProvisional(res *sip.Response) bool {
	to := res.To()
	if to == nil {
		return false
	}
	tag, number := to.Params.GetOr("tag", ""), uint32(0)
	number, _ = sequenceOf(res)
	before, known := i.acked[tag]
	if known && number != before+1 {
		return false
	}
	if i.acked == nil {
		i.acked = map[string]uint32{}
	}
	i.acked[tag] = number
	early := i.newDialog(res)
	prack := early.newRequest(sip.PRACK)
	cseq := strconv.FormatUint(uint64(i.invite.CSeq().SeqNo), 10)
	prack.AppendHeader(sip.NewHeader("RAck", strconv.FormatUint(uint64(number), 10)+" "+cseq+" INVITE"))
	i.runAside(func() { early.awaitPrack(prack) })
	return true
}

// awaitPrack sends a PRACK until it is answered, with credentials where it is challenged.
func (d *inviteDialog) awaitPrack(prack *sip.Request) {
	ctx, cancel := context.WithTimeout(d.life, untilFinal)
	defer cancel()
	e, err := d.sendRequest(ctx, prack)
	switch {
	case err != nil:
		d.log.Warn("a provisional answer could not be acknowledged (PRACK)", "sip_call_id", d.callID,
			"err", transportFault(err))
	case !e.res.IsSuccess():
		d.log.Warn("the trunk refuses the acknowledgement of a provisional answer (PRACK)", "sip_call_id", d.callID,
			"status", e.res.StatusCode)
	}
}
