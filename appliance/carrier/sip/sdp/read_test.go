package sdp_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"munadi/appliance/carrier/sip/sdp"
)

// theirs is a key of the peer, as in SDP.
var (
	theirKey = bytes.Repeat([]byte{2}, 30)
	theirs   = "inline:" + base64.StdEncoding.EncodeToString(theirKey)
)

// peerAnswers are answers in the forms of common trunks.
func peerAnswers() map[string]struct {
	text []byte
	want sdp.AgreedStream
} {
	type answer = struct {
		text []byte
		want sdp.AgreedStream
	}
	at := netip.MustParseAddrPort
	return map[string]answer{
		"Asterisk": {
			joinLines("v=0", "o=- 3823 3825 IN IP4 198.51.100.4", "s=Asterisk", "c=IN IP4 198.51.100.4", "t=0 0",
				"m=audio 14502 RTP/AVP 8 101", "a=rtpmap:8 PCMA/8000", "a=rtpmap:101 telephone-event/8000",
				"a=fmtp:101 0-16", "a=ptime:20", "a=maxptime:150", "a=sendrecv"),
			sdp.AgreedStream{Remote: at("198.51.100.4:14502"), Codec: sdp.PCMA, Payload: 8, Events: 101, Sends: true, Listens: true},
		},
		"FreeSWITCH": {
			joinLines("v=0", "o=FreeSWITCH 1732197600 1732197601 IN IP4 203.0.113.9", "s=FreeSWITCH",
				"c=IN IP4 203.0.113.9", "t=0 0", "m=audio 27416 RTP/AVP 0 101", "a=rtpmap:0 PCMU/8000",
				"a=rtpmap:101 telephone-event/8000", "a=fmtp:101 0-15", "a=silenceSupp:off - - - -", "a=ptime:20"),
			sdp.AgreedStream{Remote: at("203.0.113.9:27416"), Codec: sdp.PCMU, Payload: 0, Events: 101, Sends: true, Listens: true},
		},
		"Cisco CUBE": {
			joinLines("v=0", "o=CiscoSystemsSIP-GW-UserAgent 5320 9461 IN IP4 198.51.100.20", "s=SIP Call",
				"c=IN IP4 198.51.100.20", "t=0 0", "m=audio 16890 RTP/AVP 8 101", "c=IN IP4 198.51.100.21",
				"a=rtpmap:8 PCMA/8000", "a=rtpmap:101 telephone-event/8000", "a=fmtp:101 0-15", "a=ptime:20"),
			sdp.AgreedStream{Remote: at("198.51.100.21:16890"), Codec: sdp.PCMA, Payload: 8, Events: 101, Sends: true, Listens: true},
		},
		"Kamailio with rtpengine": {
			joinLines("v=0", "o=root 60813 60813 IN IP4 203.0.113.77", "s=call", "c=IN IP4 203.0.113.77",
				"t=0 0", "m=audio 31284 RTP/AVP 8 101", "a=rtpmap:8 PCMA/8000", "a=rtpmap:101 telephone-event/8000",
				"a=fmtp:101 0-16", "a=sendrecv", "a=rtcp:31285", "a=ptime:20"),
			sdp.AgreedStream{Remote: at("203.0.113.77:31284"), Reports: at("203.0.113.77:31285"), Codec: sdp.PCMA, Payload: 8, Events: 101, Sends: true, Listens: true},
		},
		"baresip": {
			joinLines("v=0", "o=- 1763756400 2 IN IP4 192.0.2.55", "s=-", "c=IN IP4 192.0.2.55", "t=0 0",
				"a=tool:baresip 1.0.0", "m=audio 18234 RTP/AVP 8 101", "b=AS:128", "a=rtpmap:8 PCMA/8000",
				"a=rtpmap:101 telephone-event/8000", "a=fmtp:101 0-15", "a=sendrecv", "a=label:1", "a=rtcp-rsize",
				"a=ssrc:2930129 cname:sip:someone@example.com", "a=ptime:20"),
			sdp.AgreedStream{Remote: at("192.0.2.55:18234"), Codec: sdp.PCMA, Payload: 8, Events: 101, Sends: true, Listens: true},
		},
		"SIPp": {
			joinLines("v=0", "o=user1 53655765 2353687637 IN IP4 127.0.0.1", "s=-", "c=IN IP4 127.0.0.1", "t=0 0",
				"m=audio 6000 RTP/AVP 0", "a=rtpmap:0 PCMU/8000"),
			sdp.AgreedStream{Remote: at("127.0.0.1:6000"), Codec: sdp.PCMU, Payload: 0, Sends: true, Listens: true},
		},
		"IPv6, no rtpmap, events elsewhere": {
			joinLines("v=0", "o=- 1 1 IN IP6 2001:db8::4", "s= ", "c=IN IP6 2001:db8::4",
				"t=0 0", "m=audio 4000 RTP/AVP 8 96", "a=rtpmap:96 TELEPHONE-EVENT/8000"),
			sdp.AgreedStream{Remote: at("[2001:db8::4]:4000"), Codec: sdp.PCMA, Payload: 8, Events: 96, Sends: true, Listens: true},
		},
		"a dynamic payload type": {
			joinLines("v=0", "o=- 1 1 IN IP4 192.0.2.4", "s=-", "c=IN IP4 192.0.2.4", "t=0 0",
				"m=audio 4000 RTP/AVP 97", "a=rtpmap:97 pcma/8000/1"),
			sdp.AgreedStream{Remote: at("192.0.2.4:4000"), Codec: sdp.PCMA, Payload: 97, Sends: true, Listens: true},
		},
		"on hold as of old, direction of the session": {
			joinLines("v=0", "o=- 1 1 IN IP4 192.0.2.4", "s=-", "c=IN IP4 0.0.0.0",
				"t=0 0", "a=sendonly", "m=audio 4000 RTP/AVP 8"),
			sdp.AgreedStream{Codec: sdp.PCMA, Payload: 8, Sends: true},
		},
		"the stream's direction counts": {
			joinLines("v=0", "o=- 1 1 IN IP4 192.0.2.4", "s=-", "c=IN IP4 192.0.2.4", "t=0 0",
				"a=sendonly", "m=audio 4000 RTP/AVP 8", "a=recvonly"),
			sdp.AgreedStream{Remote: at("192.0.2.4:4000"), Codec: sdp.PCMA, Payload: 8, Listens: true},
		},
		"bare line ends, disorder, the unheard-of": {
			[]byte("v=0\no=- 1 1 IN IP4 192.0.2.4\ns=\nb=X-NEW:fast\nt=0 0\n" +
				"c=IN IP4 192.0.2.4\nm=audio 4000/2 RTP/AVP 18 8\ny=0100000001\n\n"),
			sdp.AgreedStream{Remote: at("192.0.2.4:4000"), Codec: sdp.PCMA, Payload: 8, Sends: true, Listens: true},
		},
	}
}

func TestReadsAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range peerAnswers() {
		got, err := localSide().Read(c.text)
		if err != nil || !compareAgreement(got, c.want) {
			t.Errorf("%s:\n%+v, %v, want\n%+v", name, got, err, c.want)
		}
	}
}

// compareAgreement compares agreements.
func compareAgreement(a, b sdp.AgreedStream) bool {
	keys := bytes.Equal(a.Key, b.Key) && (a.Key == nil) == (b.Key == nil)
	a.Key, b.Key = nil, nil
	return keys && a.Remote == b.Remote && a.Codec == b.Codec && a.Payload == b.Payload && a.Events == b.Events &&
		a.Sends == b.Sends && a.Listens == b.Listens && a.Discontinuous == b.Discontinuous
}

// TestReadsSilenceSuppression checks which answers announce that silence is not sent.
func TestReadsSilenceSuppression(t *testing.T) {
	t.Parallel()
	l := localSide()
	l.Codecs = sdp.AllCodecs()
	const opus = "m=audio 4000 RTP/AVP 111"
	for name, c := range map[string]struct {
		text []byte
		want bool
	}{
		"comfort noise":            {plainAnswer("m=audio 4000 RTP/AVP 8 13"), true},
		"comfort noise, dynamic":   {plainAnswer("m=audio 4000 RTP/AVP 8 98", "a=rtpmap:98 cn/16000"), true},
		"Opus with DTX":            {plainAnswer(opus, "a=rtpmap:111 opus/48000/2", "a=fmtp:111 useinbandfec=1; usedtx=1"), true},
		"Opus without DTX":         {plainAnswer(opus, "a=rtpmap:111 opus/48000/2", "a=fmtp:111 useinbandfec=1; usedtx=0"), false},
		"DTX of a codec not taken": {plainAnswer("m=audio 4000 RTP/AVP 8 111", "a=rtpmap:111 opus/48000/2", "a=fmtp:111 usedtx=1"), false},
		"silence suppression":      {plainAnswer("m=audio 4000 RTP/AVP 8", "a=silenceSupp:on - - - -"), true},
		"none of it":               {plainAnswer("m=audio 4000 RTP/AVP 8 101", "a=silenceSupp:off - - - -"), false},
	} {
		if got, err := l.Read(c.text); err != nil || got.Discontinuous != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// plainAnswer returns an answer with these lines of the media section, at an address.
func plainAnswer(lines ...string) []byte {
	return joinLines(append([]string{"v=0", "o=- 1 1 IN IP4 192.0.2.4", "s=-", "c=IN IP4 192.0.2.4", "t=0 0"}, lines...)...)
}

// TestReportsAddress checks where RTCP goes (RFC 3605); a line that cannot be used does no harm.
func TestReportsAddress(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"a=rtcp:5001":                        "192.0.2.4:5001",
		"a=rtcp:4000":                        "192.0.2.4:4000",
		"a=rtcp:5001 IN IP4 198.51.100.9":    "198.51.100.9:5001",
		"a=rtcp:5001 IN IP6 2001:db8::9":     "[2001:db8::9]:5001",
		"a=rtcp:5001 IN IP4 0.0.0.0":         "",
		"a=rtcp:5001 IN IP4 224.0.0.1":       "",
		"a=rtcp:5001 IN IP4 rtcp.example":    "",
		"a=rtcp:0":                           "",
		"a=rtcp:70000":                       "",
		"a=rtcp:":                            "",
		"a=rtcp-mux":                         "",
		"c=IN IP4 0.0.0.0\r\na=rtcp:5001":    "",
		"a=rtcp-fb:* nack\r\na=rtcp-rsize":   "",
		"a=rtcp:5001 IN IP4\r\na=rtcp:70000": "192.0.2.4:5001",
	} {
		got, err := localSide().Read(plainAnswer("m=audio 4000 RTP/AVP 8", line))
		if err != nil || got.Reports.IsValid() != (want != "") || want != "" && got.Reports.String() != want {
			t.Errorf("%q: RTCP to %v, %v; want %s", line, got.Reports, err, want)
		}
	}
}

func TestRefusesAnswers(t *testing.T) {
	t.Parallel()
	const audio, safe = "m=audio 4000 RTP/AVP 8", "m=audio 4000 RTP/SAVP 8"
	for name, c := range map[string]struct {
		local sdp.LocalMedia
		text  []byte
		want  error
	}{
		"declined":                       {localSide(), plainAnswer("m=audio 0 RTP/AVP 8"), sdp.ErrNoAudio},
		"no audio":                       {localSide(), plainAnswer("m=image 4000 udptl t38"), sdp.ErrNoAudio},
		"nothing in common":              {localSide(), plainAnswer("m=audio 4000 RTP/AVP 18 101"), sdp.ErrNoCodec},
		"another rate":                   {localSide(), plainAnswer("m=audio 4000 RTP/AVP 97", "a=rtpmap:97 PCMA/16000"), sdp.ErrNoCodec},
		"two channels":                   {localSide(), plainAnswer("m=audio 4000 RTP/AVP 97", "a=rtpmap:97 PCMA/8000/2"), sdp.ErrNoCodec},
		"8 is something else":            {localSide(), plainAnswer(audio, "a=rtpmap:8 G729/8000"), sdp.ErrNoCodec},
		"a host name":                    {localSide(), plainAnswer(audio, "c=IN IP4 media.example.com"), sdp.ErrAddress},
		"a multicast group":              {localSide(), plainAnswer(audio, "c=IN IP4 233.252.0.1/127"), sdp.ErrAddress},
		"a zone":                         {localSide(), plainAnswer(audio, "c=IN IP6 fe80::1%eth0"), sdp.ErrAddress},
		"no address":                     {localSide(), joinLines("v=0", "o=- 1 1 IN IP4 192.0.2.4", "s=-", "t=0 0", audio), sdp.ErrAddress},
		"a key that we did not want":     {localSide(), plainAnswer(safe, cryptoAttribute(1, theirs)), sdp.ErrKeys},
		"plain where we want a key":      {securedSide(), plainAnswer(audio), sdp.ErrKeys},
		"plain, with a key all the same": {securedSide(), plainAnswer(audio, cryptoAttribute(1, theirs)), sdp.ErrKeys},
		"no key":                         {securedSide(), plainAnswer(safe), sdp.ErrKeys},
		"another tag":                    {securedSide(), plainAnswer(safe, cryptoAttribute(2, theirs)), sdp.ErrKeys},
		"another suite":                  {securedSide(), plainAnswer(safe, "a=crypto:1 AES_CM_128_HMAC_SHA1_32 "+theirs), sdp.ErrKeys},
		"an identifier":                  {securedSide(), plainAnswer(safe, cryptoAttribute(1, theirs+"|2^20|1:4")), sdp.ErrKeys},
		"an identifier alone":            {securedSide(), plainAnswer(safe, cryptoAttribute(1, theirs+"|1:4")), sdp.ErrKeys},
		"a key that soon expires":        {securedSide(), plainAnswer(safe, cryptoAttribute(1, theirs+"|2^10")), sdp.ErrKeys},
		"two keys":                       {securedSide(), plainAnswer(safe, cryptoAttribute(1, theirs+";"+theirs)), sdp.ErrKeys},
		"a short key":                    {securedSide(), plainAnswer(safe, cryptoAttribute(1, "inline:AQEB")), sdp.ErrKeys},
		"packets that stay plain":        {securedSide(), plainAnswer(safe, cryptoAttribute(1, theirs+" UNENCRYPTED_SRTP")), sdp.ErrKeys},
		"DTLS with feedback":             {securedSide(), plainAnswer("m=audio 4000 UDP/TLS/RTP/SAVPF 8"), sdp.ErrKeys},
		"clear, with feedback":           {securedSide(), plainAnswer("m=audio 4000 RTP/AVPF 8"), sdp.ErrKeys},
		"DTLS":                           {securedSide(), plainAnswer("m=audio 4000 UDP/TLS/RTP/SAVP 8"), sdp.ErrKeys},
	} {
		if got, err := c.local.Read(c.text); !errors.Is(err, c.want) || !compareAgreement(got, sdp.AgreedStream{}) {
			t.Errorf("%s: %+v, %v, want %v", name, got, err, c.want)
		}
	}
}

// cryptoAttribute returns the crypto attribute of a key.
func cryptoAttribute(tag int, inline string) string {
	return "a=crypto:" + string(rune('0'+tag)) + " AES_CM_128_HMAC_SHA1_80 " + inline
}

func TestReadsKeys(t *testing.T) {
	t.Parallel()
	const safe = "m=audio 4000 RTP/SAVP 8"
	for name, lines := range map[string][]string{
		"bare":          {safe, cryptoAttribute(1, theirs)},
		"a lifetime":    {safe, cryptoAttribute(1, theirs+"|2^31")},
		"in packets":    {safe, cryptoAttribute(1, theirs+"|2147483648")},
		"a window":      {safe, cryptoAttribute(1, theirs+" WSH=128")},
		"a second line": {safe, "a=crypto:1 AEAD_AES_256_GCM inline:AAAA", cryptoAttribute(1, theirs)},
	} {
		got, err := securedSide().Read(plainAnswer(lines...))
		if err != nil || !bytes.Equal(got.Key, theirKey) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestUnreadable checks that invalid SDP gives an error and no agreement.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"", "\r\n", "v=0\r\n", "v=1\r\no=- 1 1 IN IP4 1.1.1.1\r\ns=-\r\nt=0 0\r\nm=audio 1 RTP/AVP 8\r\n",
		"m=audio 4000 RTP/AVP 8\r\n", "m=audio\r\n", strings.Repeat("a", 5000),
		"v=0\r\no=- 1 1 IN IP4 1.1.1.1\r\ns=-\r\nc=IN IP4 1.1.1.1\r\nt=0 0\r\nm=audio 70000 RTP/AVP 8\r\n",
		"v=0\r\no=- 1 1 IN IP4 1.1.1.1\r\ns=-\r\nc=IN IP4 1.1.1.1\r\nt=0 0\r\nm=audio -1 RTP/AVP 8\r\n",
	} {
		if got, err := localSide().Read([]byte(bad)); err == nil || !compareAgreement(got, sdp.AgreedStream{}) {
			t.Errorf("%q: %+v, %v", bad, got, err)
		}
	}
}
