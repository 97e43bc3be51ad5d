package media

import (
	"bytes"
	"math/rand/v2"

	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
)

// mediaSender makes the packets that we send.
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
	reported uint64 // of them at the last report
}

func newOutgoing() mediaSender {
	return mediaSender{header: rtp.Header{
		Version: 2, SSRC: rand.Uint32(), Timestamp: rand.Uint32(),
		SequenceNumber: uint16(rand.IntN(1 << 15)), // RFC 3711 §3.3.1: so that no loss hides the first wrap from SRTP
	}}
}

// applyAgreement takes over what both sides agreed on. With the same key SRTP goes on: its counters must not be used again.
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

// makePacket makes the packet of a frame; it is valid until the next.
func (o *mediaSender) makePacket(pcm []int16) []byte {
	n, _ := o.header.MarshalTo(o.plain[:]) // there is room
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

// sealPacket protects a packet, if a key was agreed on.
func (o *mediaSender) sealPacket(plain []byte) []byte {
	if o.context == nil {
		return plain
	}
	sealed, err := o.context.EncryptRTP(o.sealed, plain, &o.scratch)
	if err != nil { // 2^48 packets are sent
		return nil
	}
	o.sealed = sealed
	return sealed
}

// skipFrame lets a frame go by. The mark of RFC 3551 §4.1 tells the other side that it may begin anew.
func (o *mediaSender) skipFrame() {
	o.header.Timestamp += carrier.Samples
	o.header.Marker = true
}
