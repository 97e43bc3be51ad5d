package media

import (
	"encoding/binary"
	"math"
	"strings"

	"munadi/appliance/carrier"
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
			pcm := keyTone(byte(key))
			s.out.speech.addSound(pcm, nil)
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

// The frequencies of DTMF tones in Hz (ITU-T Q.23), and the digits by row and column.
var (
	keyRows    = [4]float64{697, 770, 852, 941}
	keyColumns = [4]float64{1209, 1336, 1477, 1633}
)

const (
	keyPad   = "123A456B789C*0#D"
	keyLevel = 4000 // amplitude of each of the two frequencies
)

// keyTone returns a digit as a tone, and the pause behind it.
func keyTone(key byte) []int16 {
	at := strings.IndexByte(keyPad, key)
	low, high := keyRows[at/4], keyColumns[at%4]
	pcm := make([]int16, (keyFrames+pauseFrames)*carrier.Samples)
	for i := range keyFrames * carrier.Samples {
		turn := 2 * math.Pi * float64(i) / carrier.Rate
		pcm[i] = int16(keyLevel * (math.Sin(low*turn) + math.Sin(high*turn)))
	}
	return pcm
}
