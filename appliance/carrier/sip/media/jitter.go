package media

import (
	"slices"

	"munadi/appliance/carrier"
)

const (
	window    = 8192 // maximum buffered samples: 1 s, a power of two
	ms        = carrier.Rate / 1000
	shortest  = 40 * ms // minimum delay
	beginning = 60 * ms
	longest   = 120 * ms
)

// jitterBuffer is an adaptive jitter buffer: it restores order and timing of the audio. Time stamps and lengths are in
// slots, 8000 per second, whatever the codec. Sound is placed by RTP time stamp, because sequence numbers also count
// packets without audio, such as DTMF. Packets may have any length.
//
// A packet is played after the delay, 60 ms at first and then as [jitterDepth] decides. Lost or late audio is concealed
// by [playedHistory]. Time advances by pullFrame alone, called every 20 ms.
type jitterBuffer struct {
	ring    [window]soundSlot
	have    [window]bool
	head    uint32 // time stamp of the next sample to play
	newest  uint32 // end of the latest packet
	running bool
	held    []heldPacket // not decoded yet, by time stamp
	depth   jitterDepth
	past    playedHistory
	astray  strayCounter
	late    uint64 // packets that arrived too late entirely
	adapted uint64 // frames skipped or stretched, and jumps
}

// pushPacket inserts the audio of a packet. marker says that the remote side starts a talk spurt. late: we read it
// late, so its arrival time is unknown.
func (j *jitterBuffer) pushPacket(stamp uint32, marker, late bool, payload []byte, decoder soundDecoder) {
	length := decoder.countSlots(payload)
	if length == 0 {
		return
	}
	if !j.running {
		j.restartAt(stamp)
	}
	at := int(int32(stamp - j.head))
	if at+length <= 0 || at >= window {
		if at < 0 {
			j.late++
			j.noteArrival(at, late)
		}
		if !j.astray.isRestart(marker && int32(j.newest-j.head) <= 0) {
			return
		}
		j.restartAt(stamp)
		at = int(int32(stamp - j.head))
	}
	j.astray = strayCounter{}
	j.noteArrival(at, late)
	if end := stamp + uint32(length); int32(end-j.newest) > 0 {
		j.newest = end
	}
	if decoder.needsOrder() {
		j.holdPacket(stamp, payload, decoder)
		return
	}
	j.storeSound(stamp, decoder.decodeSound(payload))
}

// noteArrival records how long before its playout time a packet arrived. Extremely late ones are ignored, as no delay
// could cover them.
func (j *jitterBuffer) noteArrival(ahead int, late bool) {
	if !late && ahead > -2*longest {
		j.depth.noteArrival(ahead)
	}
}

func (j *jitterBuffer) storeSound(stamp uint32, sound []soundSlot) {
	for _, s := range sound {
		if int32(stamp-j.head) >= 0 && stamp-j.head < window {
			j.ring[stamp%window], j.have[stamp%window] = s, true
		}
		stamp++
	}
}

// restartAt restarts the buffer at a packet's time stamp.
func (j *jitterBuffer) restartAt(stamp uint32) {
	clear(j.have[:])
	j.held = nil
	j.running = true
	j.depth.clearWindow()
	j.head, j.newest = stamp-uint32(j.depth.targetDelay()), stamp
}

// pullFrame plays a frame.
func (j *jitterBuffer) pullFrame(frame []soundSlot) {
	if !j.running {
		return
	}
	excess, now := j.depth.countTick()
	switch {
	case now:
		j.changeDelay(excess)
		j.playNext(frame)
	case excess > carrier.Samples:
		j.skipFrame(frame)
	case excess < -carrier.Samples:
		j.stretchFrame(frame)
	default:
		j.playNext(frame)
	}
	j.astray.countTick()
}

// playNext plays the next samples.
func (j *jitterBuffer) playNext(frame []soundSlot) {
	j.decodeHeld(j.head + uint32(len(frame)))
	for k := range frame {
		place := j.head % window
		if j.have[place] {
			j.have[place] = false
			frame[k] = j.past.keepSample(j.ring[place])
		} else {
			frame[k] = j.past.fadeSample()
		}
		j.head++
	}
}

// skipFrame plays two frames in the time of one (time compression by cross-fade).
func (j *jitterBuffer) skipFrame(frame []soundSlot) {
	j.adapted++
	var second [carrier.Samples]soundSlot
	j.playNext(frame)
	j.playNext(second[:])
	crossFade(frame, frame, second[:])
}

// stretchFrame inserts a frame that begins like the next frame and ends like the last one (time expansion), so that it
// joins both.
func (j *jitterBuffer) stretchFrame(frame []soundSlot) {
	j.adapted++
	j.decodeHeld(j.head + uint32(len(frame)))
	for k := range frame {
		place := (j.head + uint32(k)) % window
		if !j.have[place] {
			j.concealLoss(frame)
			return
		}
		frame[k] = j.ring[place]
	}
	last := j.past.lastFrame()
	crossFade(frame, frame, last[:])
}

func (j *jitterBuffer) concealLoss(frame []soundSlot) {
	for k := range frame {
		frame[k] = j.past.fadeSample()
	}
}

// crossFade fades from one signal into another.
func crossFade(dst, from, to []soundSlot) {
	for k := range dst {
		for i := range dst[k] {
			dst[k][i] = int16((int(from[k][i])*(len(dst)-k) + int(to[k][i])*k) / len(dst))
		}
	}
}

// changeDelay shortens the delay by excess samples, or lengthens it for a negative one, and discards skipped samples.
func (j *jitterBuffer) changeDelay(excess int) {
	j.adapted++
	from, to := j.head, j.head+uint32(excess)
	j.head = to
	if excess < 0 {
		from, to = to, from
	}
	for ; from != to; from++ {
		j.have[from%window] = false
	}
}

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

// fading is the length of packet loss concealment in samples: the last frame repeats and fades out; then silence.
const fading = 60 * ms

// playedHistory is the last 20 ms that were played, for packet loss concealment.
type playedHistory struct {
	ring [carrier.Samples]soundSlot
	at   int // index of the oldest sample
	lost int // lost samples since
}

// keepSample stores a played sample and returns it.
func (p *playedHistory) keepSample(v soundSlot) soundSlot {
	p.ring[p.at] = v
	p.at = (p.at + 1) % len(p.ring)
	p.lost = 0
	return v
}

// fadeSample returns a replacement for a lost sample.
func (p *playedHistory) fadeSample() (v soundSlot) {
	if p.lost >= fading {
		return v
	}
	for i, before := range p.ring[(p.at+p.lost)%len(p.ring)] {
		v[i] = int16(int(before) * (fading - p.lost) / fading)
	}
	p.lost++
	return v
}

// lastFrame returns the last 20 ms in order.
func (p *playedHistory) lastFrame() [carrier.Samples]soundSlot {
	var f [carrier.Samples]soundSlot
	copy(f[copy(f[:], p.ring[p.at:]):], p.ring[:p.at])
	return f
}
