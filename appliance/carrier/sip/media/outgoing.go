package media

import (
	"bytes"
	"math/rand/v2"

	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
)

// mediaSender builds the packets that we send.
type mediaSender struct {
	speech speechQueue
	law    g711Codec
	header rtp.Header // of the next packet
	plain  [256]byte

	key     []byte
	context *srtp.Context // nil: plain RTP
	sealed  []byte
	scratch rtp.Header

	sent     uint64
	reported uint64 // value at the last report
}

func newOutgoing() mediaSender {
	return mediaSender{header: rtp.Header{
		Version: 2, SSRC: rand.Uint32(), Timestamp: rand.Uint32(),
		SequenceNumber: uint16(rand.IntN(1 << 15)), // RFC 3711 §3.3.1: no early wrap, which losses could hide
	}}
}

// applyAgreement applies a negotiated stream. With the same key the SRTP state is kept: its packet indexes must not be
// reused.
func (o *mediaSender) applyAgreement(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	if !bytes.Equal(local.Key, o.key) {
		o.key, o.context = nil, nil
		if local.Key != nil {
			context, err := newContext(local.Key)
			if err != nil {
				return err
			}
			o.key, o.context = bytes.Clone(local.Key), context
		}
	}
	o.law = lawOf(stream.Codec)
	o.header.PayloadType = stream.Payload
	o.header.Marker = true
	return nil
}

// makePacket builds the packet of a frame; it is valid until the next call.
func (o *mediaSender) makePacket(pcm []int16) []byte {
	n, _ := o.header.MarshalTo(o.plain[:]) // the buffer is large enough
	for _, v := range pcm {
		o.plain[n] = o.law.encode(v)
		n++
	}
	o.header.SequenceNumber++
	o.header.Timestamp += carrier.Samples
	o.header.Marker = false
	o.sent++
	return o.sealPacket(o.plain[:n])
}

// sealPacket encrypts a packet, if a key was negotiated.
func (o *mediaSender) sealPacket(plain []byte) []byte {
	if o.context == nil {
		return plain
	}
	sealed, err := o.context.EncryptRTP(o.sealed, plain, &o.scratch)
	if err != nil { // 2^48 packets were sent
		return nil
	}
	o.sealed = sealed
	return sealed
}

// skipFrame skips a frame. The marker bit (RFC 3551 §4.1) tells the remote side that a new talk spurt begins.
func (o *mediaSender) skipFrame() {
	o.header.Timestamp += carrier.Samples
	o.header.Marker = true
}
