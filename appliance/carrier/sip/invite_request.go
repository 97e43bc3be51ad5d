package sip

import (
	"crypto/rand"
	"encoding/binary"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/store/phonenumber"
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
