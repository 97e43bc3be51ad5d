package media

import (
	"math/rand/v2"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
)

// outgoing makes the packets that we send.
type outgoing struct {
	speech speech
	law    law
	header rtp.Header // of the next packet
	buffer [256]byte
	sent   uint64
}

func newOutgoing() outgoing {
	return outgoing{header: rtp.Header{
		Version: 2, SSRC: rand.Uint32(), Timestamp: rand.Uint32(),
		SequenceNumber: uint16(rand.IntN(1 << 15)), // RFC 3711 §3.3.1: SRTP counts from the first wrap on
	}}
}

func (o *outgoing) agree(stream sdp.Stream) {
	o.law = lawOf(stream.Codec)
	o.header.PayloadType = stream.Payload
	o.header.Marker = true
}

// packet makes the packet of a frame.
func (o *outgoing) packet(pcm []int16) []byte {
	n, _ := o.header.MarshalTo(o.buffer[:]) // there is room
	for _, v := range pcm {
		o.buffer[n] = o.law.encode(v)
		n++
	}
	o.header.SequenceNumber++
	o.header.Timestamp += carrier.Samples
	o.header.Marker = false
	o.sent++
	return o.buffer[:n]
}

// skip lets a frame go by. The mark of RFC 3551 §4.1 tells the other side that it may begin anew.
func (o *outgoing) skip() {
	o.header.Timestamp += carrier.Samples
	o.header.Marker = true
}
