package sip

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
)

const (
	// firstAnswer is how long a server may take to say anything: the INVITE has been sent four times then (T1 = 500 ms).
	firstAnswer = 5 * time.Second
	// connecting is how long a call may take until it rings; at the last server, beside what it may ring: some trunks
	// never say that it does.
	connecting  = 15 * time.Second
	defaultRing = 30 * time.Second
)

// inviteAttempt is one INVITE on its way, with the repeats that challenges ask for.
type inviteAttempt struct {
	*Carrier
	request carrier.DialRequest
	by      trunkServer
	sound   *media.MediaSession
	local   sdp.LocalMedia
	invite  *sip.Request
	tx      sip.ClientTransaction
	last    bool // no other server follows
	heard   bool // something came back
	rang    bool // it rang
	said    *inviteAnswers
	proofs  digestProofs
	moved   bool   // a redirection was followed
	early   []byte // the last description of a provisional answer
}

// sendInvite sends the INVITE until its answer is final.
func (i *inviteAttempt) sendInvite(ctx context.Context) (_ *sipLine, err error) {
	if i.by, err = i.findLocalPort(ctx, i.by); err != nil {
		return nil, &carrier.DialError{Err: err}
	}
	i.local = i.localDescription()
	i.invite = i.firstInvite()
	ring := time.NewTimer(i.untilRings())
	defer ring.Stop()
	for try := 1; ; try++ {
		if i.tx, err = i.startTransaction(ctx, i.invite); err != nil {
			return nil, &carrier.DialError{Err: err}
		}
		res, err := i.awaitResponse(ctx, ring)
		if err != nil {
			return nil, err
		}
		if res.IsSuccess() {
			return i.handleAnswer(res)
		}
		again, err := i.retryRequest(ctx, res)
		if err != nil || try == mostTries {
			return nil, newRefusal(res, i.rang)
		}
		i.invite = again
	}
}

// retryRequest is the INVITE that a final answer asks for: with credentials, with a session timer that is long enough, or to
// another server.
func (i *inviteAttempt) retryRequest(ctx context.Context, res *sip.Response) (*sip.Request, error) {
	switch {
	case res.StatusCode == 301 || res.StatusCode == 302:
		return i.redirected(ctx, res)
	case isChallenge(res):
		return i.authorizeRequest(i.invite, res, &i.proofs)
	case res.StatusCode == 422 && i.invite.GetHeader("Session-Expires") == nil:
		least, err := strconv.Atoi(headerOf(res, "Min-SE"))
		if err != nil || least <= 0 || least > longestSession {
			return nil, errors.New("a session timer without a usable Min-SE")
		}
		again := nextRequest(i.invite)
		again.AppendHeader(sip.NewHeader("Session-Expires", strconv.Itoa(least)))
		again.AppendHeader(sip.NewHeader("Min-SE", strconv.Itoa(least)))
		return again, nil
	default:
		return nil, errors.New("final")
	}
}

func headerOf(m sip.Message, name string) string {
	if all := m.GetHeaders(name); len(all) > 0 {
		return all[0].Value()
	}
	return ""
}

// localDescription is our side of the sound.
func (i *inviteAttempt) localDescription() sdp.LocalMedia {
	l := sdp.LocalMedia{
		RTP: netip.AddrPortFrom(i.by.local, i.sound.Port()), ID: sessionID(), Version: 1,
		Codecs: i.options.Codecs, Receiving: true,
	}
	if i.options.SRTP {
		l.Key = make([]byte, 30)
		_, _ = rand.Read(l.Key) // never fails
	}
	return l
}

// sessionID is a random number of 62 bits: some read it as a signed one.
func sessionID() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.BigEndian.Uint64(b[:]) >> 2
}

// firstInvite is the INVITE without credentials. Its Call-ID begins with the call's id, so that the trunk's log can be
// searched for it.
func (i *inviteAttempt) firstInvite() *sip.Request {
	to := i.trunk.trunkURI(i.noteDialled(i.request.Number))
	req := i.newOutOfDialogRequest(sip.INVITE, to, to, i.by)
	callID := sip.CallIDHeader(i.request.CallID + "-" + rand.Text()[:10])
	req.ReplaceHeader(&callID)
	req.AppendHeader(i.newContactHeader(i.by))
	req.AppendHeader(sip.NewHeader("Allow", allowed))
	req.AppendHeader(sip.NewHeader("Supported", "timer"))
	req.AppendHeader(sip.NewHeader("Accept", "application/sdp"))
	if i.options.Identity != "" {
		identity := i.trunk.trunkURI(i.options.Identity)
		identity.UriParams, identity.Port = nil, 0
		req.AppendHeader(sip.NewHeader("P-Asserted-Identity", "<"+identity.String()+">"))
	}
	withSDP(req, i.local.MakeOffer())
	return req
}

// withSDP gives a message a session description.
func withSDP(m interface {
	RemoveHeader(name string) bool
	AppendHeader(h sip.Header)
	SetBody(body []byte)
}, body []byte,
) {
	m.RemoveHeader("Content-Type")
	kind := sip.ContentTypeHeader("application/sdp")
	m.AppendHeader(&kind)
	m.SetBody(body)
}

func (i *inviteAttempt) ringDuration() time.Duration {
	if i.request.Ring > 0 {
		return i.request.Ring
	}
	return defaultRing
}

// untilRings is how long it may take until it rings.
func (i *inviteAttempt) untilRings() time.Duration {
	if i.last {
		return connecting + i.ringDuration()
	}
	return connecting
}

// awaitResponse is for a final answer, as long as it may ring.
func (i *inviteAttempt) awaitResponse(ctx context.Context, ring *time.Timer) (*sip.Response, error) {
	first := time.NewTimer(firstAnswer)
	defer first.Stop()
	for {
		select {
		case res := <-i.tx.Responses():
			first.Stop()
			i.heard = true
			i.said.addStatus(res.StatusCode)
			if res.StatusCode > 100 && res.StatusCode != 503 { // else it may lead nowhere
				i.watch.noteAnswered()
			}
			if !res.IsProvisional() {
				return res, nil
			}
			i.handleProvisional(res, ring)
		case <-i.tx.Done():
			return nil, &carrier.DialError{Rang: i.rang, Err: transactionError(i.tx)}
		case <-first.C:
			i.giveUp()
			return nil, &carrier.DialError{Err: errNoAnswer}
		case <-ring.C:
			i.giveUp()
			return nil, &carrier.DialError{RingTimeout: true, Rang: i.rang}
		case <-ctx.Done():
			i.giveUp()
			return nil, ctx.Err()
		}
	}
}

// handleProvisional takes a provisional answer: from the first 18x on it rings.
func (i *inviteAttempt) handleProvisional(res *sip.Response, ring *time.Timer) {
	if len(res.Body()) > 0 {
		i.early = res.Body()
	}
	if res.StatusCode < 180 || i.rang {
		return
	}
	i.rang = true
	ring.Reset(i.ringDuration())
	if i.request.Ringing != nil {
		i.request.Ringing()
	}
}

// handleAnswer makes the line of a 200. The dialog is known before the other side has our ACK: its next request may follow
// at once.
func (i *inviteAttempt) handleAnswer(res *sip.Response) (*sipLine, error) {
	stream, err := i.startMedia(res)
	if err != nil {
		i.turnAway(res)
		unacceptable := 488
		return nil, &carrier.DialError{
			SIPCode: &unacceptable, Rang: i.rang, Err: fmt.Errorf("the answer's sound can't be used: %w", err),
		}
	}
	d := i.newDialog(res)
	i.tx.OnRetransmission(d.repeatedOf(i.invite))
	d.local, d.sound, d.said = i.local, i.sound, i.said
	i.dialogs.addDialog(d)
	d.timeSession(res)
	d.sendACK(i.invite)
	if i.trunk.transport == "tls" {
		i.runAside(d.keepReachable)
	}
	i.log.Info("SIP call answered", "call_id", i.request.CallID, "sip_call_id", d.callID, "codec", stream.Codec,
		"encrypted", stream.Key != nil)
	return &sipLine{MediaSession: i.sound, dialog: d}, nil
}

// startMedia starts the sound as the 200 says, or as a provisional answer before it did.
func (i *inviteAttempt) startMedia(res *sip.Response) (sdp.AgreedStream, error) {
	body := res.Body()
	if len(body) == 0 {
		body = i.early
	}
	stream, err := i.local.Read(body)
	if err != nil {
		return stream, err
	}
	return stream, i.sound.Start(i.local, stream)
}
