package media

import (
	"bytes"
	"math/rand/v2"

	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"

	"munadi/appliance/carrier/sip/sdp"
)

// mediaSender builds the packets that we send.
type mediaSender struct {
	speech speechQueue
	keys   dtmfSender
	codec  sdp.Codec
	encode soundEncoder // nil before the negotiation
	header rtp.Header   // of the next packet
	plain  [512]byte

	key     []byte
	context *srtp.Context // nil: plain RTP
	sealed  []byte
	scratch rtp.Header

	sent     uint64
	octets   uint64 // of their payloads
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
	if err := o.changeCodec(stream.Codec); err != nil {
		return err
	}
	o.header.PayloadType = stream.Payload
	o.header.Marker = true
	return nil
}

// changeCodec changes the codec. A codec with another clock rate gets another SSRC: receivers measure time by one clock
// for each (RFC 7160).
func (o *mediaSender) changeCodec(c sdp.Codec) error {
	if o.encode != nil && o.codec == c {
		return nil
	}
	encode, err := newEncoder(c)
	if err != nil {
		return err
	}
	if o.encode != nil && o.codec.ClockRate() != c.ClockRate() {
		o.header.SSRC = rand.Uint32()
	}
	o.codec, o.encode = c, encode
	return nil
}

// frameStamps returns the duration of a frame in the units of RTP time stamps.
func (o *mediaSender) frameStamps() uint32 { return uint32(o.codec.ClockRate() / 50) }

// makePacket builds the packet of a frame; it is valid until the next call.
func (o *mediaSender) makePacket(f *spokenFrame) []byte {
	n, _ := o.header.MarshalTo(o.plain[:]) // the buffer is large enough
	size := o.encode.encodeFrame(o.plain[n:], f)
	if size == 0 {
		o.skipFrame()
		return nil
	}
	o.header.SequenceNumber++
	o.header.Timestamp += o.frameStamps()
	o.header.Marker = false
	o.sent, o.octets = o.sent+1, o.octets+uint64(size)
	return o.sealPacket(o.plain[:n+size])
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

// skipFrame skips a frame. The marker bit (RFC 3551 §4.1) marks the start of a new talk spurt.
func (o *mediaSender) skipFrame() {
	o.header.Timestamp += o.frameStamps()
	o.header.Marker = true
}
