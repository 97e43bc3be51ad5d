package media

import "slices"

// mostHeld is the maximum number of packets that wait for decoding.
const mostHeld = 256

// heldPacket is a packet that is decoded shortly before it is played: its codec needs packets in order.
type heldPacket struct {
	stamp   uint32
	payload []byte
	decoder soundDecoder
}

// holdPacket stores a packet by its time stamp.
func (j *jitterBuffer) holdPacket(stamp uint32, payload []byte, decoder soundDecoder) {
	if len(j.held) >= mostHeld {
		return
	}
	at := len(j.held)
	for at > 0 && int32(j.held[at-1].stamp-stamp) > 0 {
		at--
	}
	j.held = slices.Insert(j.held, at, heldPacket{stamp, slices.Clone(payload), decoder})
}

// decodeHeld decodes the packets that begin before a time stamp, in order.
func (j *jitterBuffer) decodeHeld(before uint32) {
	n := 0
	for n < len(j.held) && int32(j.held[n].stamp-before) < 0 {
		j.storeSound(j.held[n].stamp, j.held[n].decoder.decodeSound(j.held[n].payload))
		n++
	}
	j.held = slices.Delete(j.held, 0, n)
}
