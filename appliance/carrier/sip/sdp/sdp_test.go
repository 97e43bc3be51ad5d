package sdp_test

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"

	"munadi/appliance/carrier/sip/sdp"
)

// localSide is our side at the begin of a call.
func localSide() sdp.LocalMedia {
	return sdp.LocalMedia{
		RTP: netip.MustParseAddrPort("192.0.2.10:20000"), ID: 7, Version: 1,
		Codecs: []sdp.Codec{sdp.PCMA, sdp.PCMU}, Receiving: true,
	}
}

// securedSide is our side with SRTP.
func securedSide() sdp.LocalMedia {
	l := localSide()
	l.Key = bytes.Repeat([]byte{1}, 30)
	return l
}

// joinLines joins lines with CR LF.
func joinLines(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n") + "\r\n") }

// TestOffer compares the offer literally, since every other implementation parses it.
func TestOffer(t *testing.T) {
	t.Parallel()
	want := joinLines("v=0", "o=- 7 1 IN IP4 192.0.2.10", "s=-", "c=IN IP4 192.0.2.10", "t=0 0",
		"m=audio 20000 RTP/AVP 8 0 101", "a=rtpmap:8 PCMA/8000", "a=rtpmap:0 PCMU/8000",
		"a=rtpmap:101 telephone-event/8000", "a=fmtp:101 0-16", "a=ptime:20", "a=sendrecv")
	if got := localSide().MakeOffer(); !bytes.Equal(got, want) {
		t.Errorf("offer:\n%s\nwant:\n%s", got, want)
	}
}

// TestOfferTurns checks what depends on the settings and the state of a call.
func TestOfferTurns(t *testing.T) {
	t.Parallel()
	holding, six, ulaw := localSide(), localSide(), localSide()
	holding.Receiving = false
	six.RTP = netip.MustParseAddrPort("[2001:db8::10]:20002")
	ulaw.Codecs = []sdp.Codec{sdp.PCMU}
	for name, c := range map[string]struct {
		local sdp.LocalMedia
		want  string
	}{
		"hold":    {holding, "\r\na=sendonly\r\n"},
		"IPv6":    {six, "\r\nc=IN IP6 2001:db8::10\r\n"},
		"one":     {ulaw, "\r\nm=audio 20000 RTP/AVP 0 101\r\n"},
		"secure":  {securedSide(), "\r\nm=audio 20000 RTP/SAVP 8 0 101\r\n"},
		"the key": {securedSide(), "\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:" + strings.Repeat("AQEB", 10) + "\r\n"},
	} {
		if got := c.local.MakeOffer(); !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %q is not in\n%s", name, c.want, got)
		}
	}
}
