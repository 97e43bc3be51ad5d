package sip

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/store/phonenumber"
)

const (
	// usualFirstAnswer is the timeout for any response of a server: the INVITE has been sent four times by then (T1 =
	// 500 ms).
	usualFirstAnswer = 5 * time.Second
	// connecting is the setup timeout until ringing; at the last server it is added to the ring timeout, because some
	// trunks never send 180.
	connecting  = 15 * time.Second
	defaultRing = 30 * time.Second
)

// inviteAttempt is one INVITE in progress, including its repeats with credentials.
type inviteAttempt struct {
	*Carrier
	request carrier.DialRequest
	by      trunkServer
	sound   *media.MediaSession
	local   sdp.LocalMedia
	invite  *sip.Request
	tx      sip.ClientTransaction
	last    bool // no further server to fail over to
	heard   bool // a response was received
	rang    bool // it rang
	said    *inviteAnswers
	pass    *callPass
	proofs  digestProofs
	moved   bool   // a redirect was followed
	early   []byte // the last session description of a provisional response
	// numbers is the CSeq of our last request: INVITE, PRACK and the requests of the dialog draw from it.
	numbers *atomic.Uint32
	reliableProvisionals
}

// sendInvite sends the INVITE and waits for its final response.
func (i *inviteAttempt) sendInvite(ctx context.Context) (_ *sipLine, err error) {
	if i.by, err = i.findLocalPort(ctx, i.by); err != nil {
		return nil, &carrier.DialError{Err: err}
	}
	i.local = i.describeLocal(i.by, i.sound)
	i.invite, i.numbers = i.firstInvite(), new(atomic.Uint32)
	ladders.recordCall(i.invite.CallID().Value(), i.request.Trace)
	defer i.dialogs.addInvite(i.invite)()
	i.numbers.Store(i.invite.CSeq().SeqNo)
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
		i.reliableProvisionals = reliableProvisionals{}
		again, err := i.retryRequest(ctx, res)
		if err != nil || try == mostTries {
			return nil, newRefusal(res, i.rang)
		}
		i.invite = again
		i.invite.CSeq().SeqNo = i.numbers.Add(1)
	}
}

// retryRequest returns the INVITE to send after a non-final refusal: with credentials, with a longer session timer, or
// to a redirect's server.
func (i *inviteAttempt) retryRequest(ctx context.Context, res *sip.Response) (*sip.Request, error) {
	switch {
	case res.StatusCode == 301 || res.StatusCode == 302:
		return i.followRedirect(ctx, res)
	case isChallenge(res):
		return i.authorizeRequest(i.invite, res, &i.proofs)
	case res.StatusCode == 422 && i.invite.GetHeader("Session-Expires") == nil:
		least, ok := leastAllowed(res)
		if !ok {
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

// untilRings returns the setup timeout.
func (i *inviteAttempt) untilRings() time.Duration {
	if i.last {
		return connecting + i.ringDuration()
	}
	return connecting
}

// awaitResponse waits for a final response, within the setup and ring timeouts.
func (i *inviteAttempt) awaitResponse(ctx context.Context, ring *time.Timer) (*sip.Response, error) {
	first := time.NewTimer(i.firstAnswer)
	defer first.Stop()
	for {
		select {
		case res := <-i.tx.Responses():
			first.Stop()
			i.heard = true
			i.said.addStatus(res.StatusCode)
			if res.StatusCode > 100 && res.StatusCode != 503 { // otherwise the trunk may not reach a telephone
				i.watch.noteAnswered()
			}
			if !res.IsProvisional() {
				return res, nil
			}
			i.handleProvisional(res, ring)
		case <-i.tx.Done():
			return nil, &carrier.DialError{Rang: i.rang, Err: transactionError(i.tx)}
		case <-first.C:
			i.giveUpAndWait(ctx)
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

// handleProvisional handles a provisional response: the first 18x starts the ring timeout.
func (i *inviteAttempt) handleProvisional(res *sip.Response, ring *time.Timer) {
	if isReliable(res) && !i.acknowledgeProvisional(res) {
		return
	}
	if body := descriptionIn(res); len(body) > 0 {
		i.early = body
		i.hearEarlyMedia(body)
	}
	if res.StatusCode == 180 { // another one may announce a refusal
		i.pass.noteTaken(true)
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

// hearEarlyMedia keeps the early media that a provisional response describes: an operator may announce there why nobody
// answers.
func (i *inviteAttempt) hearEarlyMedia(body []byte) {
	stream, err := i.local.Read(body)
	if err == nil {
		err = i.sound.HearEarly(i.local, stream)
	}
	if err != nil {
		i.log.Info("the early media of a call is not heard", "call_id", i.request.CallID, "err", err)
	}
}

// handleAnswer creates the line of a 200. The dialog is registered before the ACK is sent, since the remote side's next
// request may follow immediately.
func (i *inviteAttempt) handleAnswer(res *sip.Response) (*sipLine, error) {
	stream, err := i.startMedia(res)
	if err != nil {
		i.turnAway(res)
		i.log.Warn("the media description of an answer cannot be used", "call_id", i.request.CallID, "err", err)
		return nil, &carrier.DialError{
			SIPCode: &res.StatusCode, Rang: true, Err: fmt.Errorf("the answer's media description cannot be used: %w", err),
		}
	}
	i.pass.noteTaken(i.rang)
	d := i.newDialog(res)
	i.tx.OnRetransmission(d.repeatedOf(i.invite))
	d.local, d.sound, d.said, d.trace = i.local, i.sound, i.said, i.request.Trace
	i.dialogs.addDialog(d)
	d.timeSession(res)
	d.sendACK(i.invite)
	i.runAside(d.endWithMedia)
	if i.trunk.transport == "tls" {
		i.runAside(d.keepReachable)
	}
	i.log.Info("SIP call answered", "call_id", i.request.CallID, "sip_call_id", d.callID, "codec", stream.Codec,
		"encrypted", stream.Key != nil)
	return &sipLine{MediaSession: i.sound, dialog: d}, nil
}

// startMedia starts the media as negotiated by the 200, or by a provisional response before it.
func (i *inviteAttempt) startMedia(res *sip.Response) (sdp.AgreedStream, error) {
	body := descriptionIn(res)
	if len(body) == 0 {
		body = i.early
	}
	stream, err := i.local.Read(body)
	if err != nil {
		return stream, err
	}
	return stream, i.sound.Start(i.local, stream)
}

func headerOf(m sip.Message, name string) string {
	if all := m.GetHeaders(name); len(all) > 0 {
		return all[0].Value()
	}
	return ""
}

// describeLocal returns our media description of a call by a server.
func (c *Carrier) describeLocal(by trunkServer, sound *media.MediaSession) sdp.LocalMedia {
	l := sdp.LocalMedia{
		RTP: netip.AddrPortFrom(by.local, sound.Port()), ID: sessionID(), Version: 1,
		Codecs: c.options.Codecs, Receiving: true,
	}
	if c.options.SRTP {
		l.Key = make([]byte, 30)
		_, _ = rand.Read(l.Key) // never fails
	}
	return l
}

// sessionID returns a random number of 62 bits, since some implementations parse it as signed.
func sessionID() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.BigEndian.Uint64(b[:]) >> 2
}

// firstInvite returns the INVITE without credentials. Its Call-ID begins with the call's id, so that the trunk's log
// can be searched for it.
func (i *inviteAttempt) firstInvite() *sip.Request {
	to := i.targetURI()
	req := i.newOutOfDialogRequest(sip.INVITE, to, to, i.by)
	callID := sip.CallIDHeader(i.request.CallID + "-" + rand.Text()[:10])
	req.ReplaceHeader(&callID)
	req.AppendHeader(i.newContactHeader(i.by))
	req.AppendHeader(sip.NewHeader("Allow", allowed))
	req.AppendHeader(sip.NewHeader("Supported", "100rel, timer"))
	req.AppendHeader(sip.NewHeader("Accept", "application/sdp"))
	i.addCaller(req)
	withSDP(req, i.local.MakeOffer())
	return req
}

// targetURI returns the URI that is called: the number at the trunk, or the address of the request, to which the trunk
// routes the call.
func (i *inviteAttempt) targetURI() sip.Uri {
	var uri sip.Uri
	if i.request.Address != "" && sip.ParseUri(i.request.Address, &uri) == nil {
		return uri
	}
	return i.trunk.trunkURI(i.dialString(i.request.Number))
}

// withSDP sets a message's session description.
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

// CallerHeader is where the trunk takes a call's own caller number from.
type CallerHeader string

// Caller headers.
const (
	CallerInFrom     CallerHeader = "from"     // From; P-Asserted-Identity stays the trunk's
	CallerInIdentity CallerHeader = "identity" // P-Asserted-Identity (RFC 3325); From stays the trunk's
	CallerInBoth     CallerHeader = "both"
)

// addCaller adds P-Asserted-Identity, and sets the call's own caller number where the trunk takes it from. It reports
// the number that is shown.
func (i *inviteAttempt) addCaller(req *sip.Request) {
	identity, shown := i.options.Identity, i.ownNumber()
	if caller := i.callerNumber(); caller != "" {
		local := i.dialString(caller)
		if i.options.CallerHeader != CallerInIdentity {
			req.From().Address = i.trunk.userURI(local)
		}
		if i.options.CallerHeader != CallerInFrom {
			identity = local
		}
		shown = caller
	}
	if identity != "" {
		uri := i.trunk.userURI(identity)
		req.AppendHeader(sip.NewHeader("P-Asserted-Identity", "<"+uri.String()+">"))
	}
	i.request.ReportShown(shown)
}

// callerNumber returns the call's own caller number, if the trunk may show it, else the trunk's for the destination;
// empty: the trunk's own.
func (i *inviteAttempt) callerNumber() string {
	caller := i.request.Caller
	if caller == "" || len(i.options.Callers) > 0 && !hasPrefix(caller, i.options.Callers) {
		return i.options.Numbers.PickNumber(i.request.OrgID, i.request.Number)
	}
	return caller
}

// localNumber matches a number as a trunk writes it.
var localNumber = regexp.MustCompile(`^\+?[0-9]{3,20}$`)

// ownNumber returns the number that the trunk shows by itself, if it is one: in E.164 form, or in the trunk's notation.
func (i *inviteAttempt) ownNumber() string {
	own := i.options.From
	if !localNumber.MatchString(own) {
		return ""
	}
	if rest, found := strings.CutPrefix(own, i.options.Plus); found && phonenumber.IsAssigned("+"+rest) {
		return "+" + rest
	}
	return own
}

// hasPrefix reports whether a number begins with one of prefixes.
func hasPrefix(number string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(number, prefix) })
}
