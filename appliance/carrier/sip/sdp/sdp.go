// Package sdp is the SDP offer/answer of one audio stream: syntax of RFC 4566, negotiation of RFC 3264.
//
// Parsing is done by github.com/pion/sdp; this package decides what to offer, which parts of the remote description to
// use, and the negotiated result. It supports G.711, G.722, Opus (RFC 7587), telephone-event (RFC 4733) and SRTP with
// keys in the description (SDES, RFC 4568), each also in the profile with feedback (AVPF, RFC 4585; SAVPF, RFC 5124),
// of which we send none; other streams are declined one by one. The remote side's ptime is ignored:
// packets of 20 ms are sent, which every telephone accepts, and packets of any length are received.
//
// The package opens no sockets and is independent of SIP and RTP.
package sdp

import (
	"errors"
	"net/netip"
	"strings"
)

// Codec is an audio codec. Its value is the payload type in our offers: static (RFC 3551 §6), or a dynamic one.
type Codec uint8

// Codecs: G.711 at 8000 samples per second, G.722 and Opus at 16000.
const (
	PCMU Codec = 0
	PCMA Codec = 8
	G722 Codec = 9
	Opus Codec = 111
)

// AllCodecs returns all codecs that we support.
func AllCodecs() []Codec { return []Codec{PCMA, PCMU, G722, Opus} }

// String returns the codec's name in a description.
func (c Codec) String() string {
	switch c {
	case PCMA:
		return "PCMA"
	case G722:
		return "G722"
	case Opus:
		return "opus"
	default:
		return "PCMU"
	}
}

// ClockRate returns the rate of the RTP time stamps. That of G.722 is 8000 for historic reasons (RFC 3551 §4.5.2).
func (c Codec) ClockRate() int {
	if c == Opus {
		return 48000
	}
	return 8000
}

// channels returns the channels in the codec's rtpmap; Opus always has two there (RFC 7587 §7).
func (c Codec) channels() uint16 {
	if c == Opus {
		return 2
	}
	return 0
}

// formatParameters returns the codec's fmtp: Opus is played as mono at 16000 samples per second.
func (c Codec) formatParameters() string {
	if c == Opus {
		return "maxplaybackrate=16000;sprop-maxcapturerate=16000"
	}
	return ""
}

// CodecByName returns the codec of a name, case-insensitive.
func CodecByName(name string) (Codec, bool) {
	for _, c := range AllCodecs() {
		if strings.EqualFold(name, c.String()) {
			return c, true
		}
	}
	return 0, false
}

// Payload types of telephone-event in our offers, by its clock rate: 8000, and beside Opus 48000 (RFC 4733 §2.1).
const (
	OfferedEvents     = 101
	OfferedWideEvents = 102
)

// Negotiation errors. Any other error is a malformed description.
var (
	ErrNoAudio = errors.New("the description has no active audio stream")
	ErrNoCodec = errors.New("no audio codec in common")
	ErrAddress = errors.New("no address to send audio to")
	ErrKeys    = errors.New("no SRTP keys in common")
)

// LocalMedia is our side of a session.
type LocalMedia struct {
	RTP       netip.AddrPort // our receiving address
	ID        uint64         // of the session, in o=
	Version   uint64         // of the description, incremented with each change
	Codecs    []Codec        // in order of preference
	Key       []byte         // SRTP master key and salt, 30 bytes of AES_CM_128_HMAC_SHA1_80; nil: plain RTP
	Receiving bool           // false: hold
	Lines     SessionLines   // of the session; the zero value before an offer of the remote side
}

// AgreedStream is the negotiated stream.
type AgreedStream struct {
	Remote  netip.AddrPort // the remote side's receiving address; zero: none (hold by RFC 2543)
	Reports netip.AddrPort // where it receives RTCP, by a=rtcp (RFC 3605); zero: at the port after that of Remote
	Codec   Codec
	Payload uint8 // payload type of the codec, by the remote side's numbering
	Events  uint8 // payload type of telephone-event, by the remote side's numbering; 0: none
	// EventRate is the clock rate of telephone-event; 0: none.
	EventRate int
	Key       []byte // the other side's SRTP master key and salt; nil: plain RTP
	Sends     bool   // the remote side sends, and we receive
	Listens   bool   // the remote side receives: false while it holds
	Lines     SessionLines
	// Discontinuous: the remote side may send no packets while it is silent (comfort noise, DTX).
	Discontinuous bool
}
