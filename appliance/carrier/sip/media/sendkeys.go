package media

import (
	"encoding/binary"
	"strings"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/dtmf"
)

// Timing of sent DTMF, in frames of 20 ms; ITU-T Q.24 asks for 40 ms of a digit and of a pause at least.
const (
	keyFrames   = 8 // of a digit
	pauseFrames = 4 // before the next
	endPackets  = 3 // that say that a digit is over, against loss (RFC 4733 §2.5.1.4)
	keyVolume   = 10
	mostSent    = 64 // digits that wait, to bound floods
)

// dtmfSender sends DTMF as telephone-event packets (RFC 4733), or as tones where the remote side takes none. The zero
// value is ready.
type dtmfSender struct {
	waiting string
	frame   int    // of the digit that is sent, counted from 1; 0: none is
	stamp   uint32 // RTP time stamp of its beginning
}

// SendKeys queues DTMF digits to be sent; other characters are ignored.
func (s *MediaSession) SendKeys(pressed string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range strings.ToUpper(pressed) {
		switch {
		case !strings.ContainsRune(keys, key):
		case s.stream.Events == 0:
			tone := dtmf.MakeTone(byte(key), keyFrames*carrier.Samples)
			s.out.speech.addSound(append(tone, make([]int16, pauseFrames*carrier.Samples)...), nil)
			s.in.tones.ignoreEcho(s.out.speech.left / carrier.Samples)
		case len(s.out.keys.waiting) < mostSent:
			s.out.keys.waiting += string(key)
		}
	}
}

// makeKeyPacket builds the packet of a frame in which a digit is sent; nil in other frames, and while the digits pause.
// The sound of the frame is not sent then.
func (o *mediaSender) makeKeyPacket(payload uint8, eventRate int) []byte {
	k := &o.keys
	if payload == 0 { // the remote side takes none any more
		*k = dtmfSender{}
	}
	if k.frame == 0 && k.waiting == "" {
		return nil
	}
	if k.frame++; k.frame == 1 {
		k.stamp = o.header.Timestamp
	}
	if k.frame > keyFrames+endPackets-1 {
		if k.frame >= keyFrames+pauseFrames {
			k.frame, k.waiting = 0, k.waiting[1:]
		}
		return nil
	}
	header := o.header
	header.PayloadType, header.Timestamp, header.Marker = payload, k.stamp, k.frame == 1
	n, _ := header.MarshalTo(o.plain[:]) // the buffer is large enough
	event := o.plain[n : n+4]
	event[0], event[1] = byte(strings.IndexByte(keys, k.waiting[0])), keyVolume
	if k.frame >= keyFrames {
		event[1] |= 0x80
	}
	binary.BigEndian.PutUint16(event[2:], uint16(min(k.frame, keyFrames)*eventRate/50))
	o.header.SequenceNumber++
	o.skipFrame()
	o.sent, o.octets = o.sent+1, o.octets+4
	return o.sealPacket(o.plain[:n+4])
}
