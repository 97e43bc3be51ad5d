// Package sdp is the SDP offer/answer of one audio stream: syntax of RFC 4566, negotiation of RFC 3264.
//
// Parsing is done by github.com/pion/sdp; this package decides what to offer, which parts of the remote description
// count, and the negotiated result. It supports G.711, telephone-event (RFC 4733) and SRTP with keys in the description
// (SDES, RFC 4568); anything else is declined, stream by stream. The remote side's ptime is ignored: packets of 20 ms
// are sent, as every telephone accepts them, and packets of any length are received.
//
// The package opens no sockets and is independent of SIP and RTP.
package sdp

import (
	"errors"
	"net/netip"
	"strings"
)

// Codec is an audio codec with a static payload type of RFC 3551 §6, which is its value.
type Codec uint8

// G.711, 8000 samples per second.
const (
	PCMU Codec = 0
	PCMA Codec = 8
)

// String returns the codec's name in a description.
func (c Codec) String() string {
	if c == PCMA {
		return "PCMA"
	}
	return "PCMU"
}

// CodecByName returns the codec of a name, case-insensitive.
func CodecByName(name string) (Codec, bool) {
	for _, c := range []Codec{PCMA, PCMU} {
		if strings.EqualFold(name, c.String()) {
			return c, true
		}
	}
	return 0, false
}

// OfferedEvents is the payload type of telephone-event in our offers.
const OfferedEvents = 101

// Negotiation errors. Any other error is a malformed description.
var (
	ErrNoAudio = errors.New("no sound is wanted")
	ErrNoCodec = errors.New("no sound format in common")
	ErrAddress = errors.New("no address to send sound to")
	ErrKeys    = errors.New("no agreement on encryption")
)

// LocalMedia is our side of a session.
type LocalMedia struct {
	RTP       netip.AddrPort // our receiving address
	ID        uint64         // of the session, in o=
	Version   uint64         // of the description, incremented with each change
	Codecs    []Codec        // in order of preference
	Key       []byte         // SRTP master key and salt, 30 bytes of AES_CM_128_HMAC_SHA1_80; nil: plain RTP
	Receiving bool           // false: hold
}

// AgreedStream is the negotiated stream.
type AgreedStream struct {
	Remote  netip.AddrPort // the remote side's receiving address; zero: none (hold by RFC 2543)
	Codec   Codec
	Payload uint8  // payload type of the codec, by the remote side's numbering
	Events  uint8  // payload type of telephone-event, by the remote side's numbering; 0: none
	Key     []byte // the other side's SRTP master key and salt; nil: plain RTP
	Sends   bool   // the remote side sends, and we receive
	Listens bool   // the remote side receives: false while it holds
}
