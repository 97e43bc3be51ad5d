package sip

import (
	"crypto/rand"
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
)

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

// addCaller adds P-Asserted-Identity, and sets the call's own caller number where the trunk takes it from. A number
// outside of the allowed prefixes is not shown: the trunk's own is.
func (i *inviteAttempt) addCaller(req *sip.Request) {
	identity := i.options.Identity
	if caller := i.callerNumber(); caller != "" {
		shown := i.dialString(caller)
		if i.options.CallerHeader != CallerInIdentity {
			req.From().Address = i.trunk.userURI(shown)
		}
		if i.options.CallerHeader != CallerInFrom {
			identity = shown
		}
	}
	if identity != "" {
		uri := i.trunk.userURI(identity)
		req.AppendHeader(sip.NewHeader("P-Asserted-Identity", "<"+uri.String()+">"))
	}
}

// callerNumber returns the call's own caller number, if the trunk may show it; else empty.
func (i *inviteAttempt) callerNumber() string {
	caller := i.request.Caller
	if caller == "" || len(i.options.Callers) > 0 && !hasPrefix(caller, i.options.Callers) {
		return ""
	}
	return caller
}

// hasPrefix reports whether a number begins with one of prefixes.
func hasPrefix(number string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(number, prefix) })
}
