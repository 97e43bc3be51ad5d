package media

import "munadi/appliance/carrier"

const (
	window    = 8192 // samples that are held at most: 1 s, a power of two
	ms        = carrier.Rate / 1000
	shortest  = 40 * ms // delay
	beginning = 60 * ms
	longest   = 120 * ms
)

// jitterBuffer puts sound back in order and in time. Its places are time stamps: sequence numbers also count packets that
// have no time of their own, such as those of keys. Packets may be of any length.
//
// A packet is played when it has been waiting for the delay, 60 ms at first and then as long as [jitterDepth] finds right.
// What is lost, or comes after its time, is replaced by [playedHistory]. Time is known by pull alone, called each 20 ms.
type jitterBuffer struct {
	ring    [window]int16
	have    [window]bool
	head    uint32 // time stamp of the sample that is played next
	newest  uint32 // end of the latest packet
	running bool
	depth   jitterDepth
	past    playedHistory
	astray  strayCounter
	late    uint64 // packets of which nothing could be played
	adapted uint64 // frames that were left out or stretched, and leaps
}

// pushPacket takes the sound of a packet. The marker says that the other side begins to speak. Where we are late ourselves
// nobody knows when the packet came.
func (j *jitterBuffer) pushPacket(stamp uint32, marker, late bool, payload []byte, decode *[256]int16) {
	if len(payload) == 0 {
		return
	}
	if !j.running {
		j.restartAt(stamp)
	}
	at := int(int32(stamp - j.head))
	if at+len(payload) <= 0 || at >= window {
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
	j.storeSound(stamp, payload, decode)
}

// noteArrival tells how long before its time a packet came. One that is far too late belongs to no jitter that could be waited
// for.
func (j *jitterBuffer) noteArrival(ahead int, late bool) {
	if !late && ahead > -2*longest {
		j.depth.noteArrival(ahead)
	}
}

func (j *jitterBuffer) storeSound(stamp uint32, payload []byte, decode *[256]int16) {
	for _, b := range payload {
		if int32(stamp-j.head) >= 0 && stamp-j.head < window {
			j.ring[stamp%window], j.have[stamp%window] = decode[b], true
		}
		stamp++
	}
	if int32(stamp-j.newest) > 0 {
		j.newest = stamp
	}
}

// restartAt begins anew with the packet of a time stamp.
func (j *jitterBuffer) restartAt(stamp uint32) {
	clear(j.have[:])
	j.running = true
	j.depth.clearWindow()
	j.head, j.newest = stamp-uint32(j.depth.targetDelay()), stamp
}

// pullFrame plays a frame.
func (j *jitterBuffer) pullFrame(frame []int16) {
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

// playNext plays what comes next.
func (j *jitterBuffer) playNext(frame []int16) {
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

// skipFrame plays two frames in one: the first goes over into the second.
func (j *jitterBuffer) skipFrame(frame []int16) {
	j.adapted++
	var second [carrier.Samples]int16
	j.playNext(frame)
	j.playNext(second[:])
	crossFade(frame, frame, second[:])
}

// stretchFrame plays a frame more: one that begins like the next frame, which is still to be played, and ends like the last.
// It so fits to its neighbours.
func (j *jitterBuffer) stretchFrame(frame []int16) {
	j.adapted++
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

func (j *jitterBuffer) concealLoss(frame []int16) {
	for k := range frame {
		frame[k] = j.past.fadeSample()
	}
}

// crossFade goes over from one sound into another.
func crossFade(dst, from, to []int16) {
	for k := range dst {
		dst[k] = int16((int(from[k])*(len(dst)-k) + int(to[k])*k) / len(dst))
	}
}

// changeDelay shortens the delay by so many samples, or makes it longer: what had its place between where it played and where
// it plays is forgotten.
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
