// Package sdp is the offer and answer of one audio stream, as RFC 4566 writes them and RFC 3264 compares them.
//
// A description is read by github.com/pion/sdp; what is decided here is what to offer, what of the other side's
// description counts, and what both sides agree on. It is about G.711, telephone keys (RFC 4733) and SRTP with keys in
// the description (RFC 4568): anything else that is offered is declined, stream by stream. The other side's ptime is
// no part of it: packets of 20 ms are sent, as every telephone takes them, and packets of any length are heard.
//
// The package opens no socket and knows neither SIP nor RTP.
package sdp

import (
	"errors"
	"net/netip"
	"strings"
)

// Codec is a sound format with a static payload type of RFC 3551 §6; its value is that type.
type Codec uint8

// G.711, 8000 samples a second.
const (
	PCMU Codec = 0
	PCMA Codec = 8
)

// String is the format's name in a description.
func (c Codec) String() string {
	if c == PCMA {
		return "PCMA"
	}
	return "PCMU"
}

// CodecByName is the format of that name, in letters of either case.
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

// Why two sides do not agree. Any other error is a description that cannot be read.
var (
	ErrNoAudio = errors.New("no sound is wanted")
	ErrNoCodec = errors.New("no sound format in common")
	ErrAddress = errors.New("no address to send sound to")
	ErrKeys    = errors.New("no agreement on encryption")
)

// LocalMedia is our side of a session.
type LocalMedia struct {
	RTP       netip.AddrPort // where we want to receive
	ID        uint64         // of the session, in o=
	Version   uint64         // of the description, one more with each change
	Codecs    []Codec        // the preferred one first
	Key       []byte         // SRTP master key and salt, 30 bytes of AES_CM_128_HMAC_SHA1_80; nil: plain RTP
	Receiving bool           // false: hold
}

// AgreedStream is what both sides agreed on.
type AgreedStream struct {
	Remote  netip.AddrPort // where the other side wants to receive; zero: nowhere (it holds in the way of RFC 2543)
	Codec   Codec
	Payload uint8  // payload type of the codec, as the other side counts
	Events  uint8  // payload type of telephone-event, as the other side counts; 0: none
	Key     []byte // the other side's SRTP master key and salt; nil: plain RTP
	Sends   bool   // the other side sends, and we take it
	Listens bool   // the other side wants to be sent to: false while it holds
}
