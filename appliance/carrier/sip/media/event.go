package media

// dtmfReceiver finds the keys in packets of telephone-event (RFC 4733). Each press is told once, by the first packet of it
// that comes through; the rest of its packets carry the same time stamp.
type dtmfReceiver struct {
	known    bool
	event    byte
	stamp    uint32
	finished bool // the end was seen, or something else came since
	idle     int  // ticks without a packet
}

// gone is how many ticks without a packet end an event whose end got lost: 120 ms.
const gone = 6

// pushPacket takes a packet's payload, and returns the key whose press begins with it; 0: none.
func (e *dtmfReceiver) pushPacket(stamp uint32, marker bool, payload []byte) byte {
	if len(payload) < 4 || int(payload[0]) >= len(keys) {
		return 0
	}
	fresh := e.classifyEvent(stamp, marker, payload[0])
	if fresh == old {
		return 0
	}
	*e = dtmfReceiver{known: true, event: payload[0], stamp: stamp, finished: payload[1]&0x80 != 0}
	if fresh == same {
		return 0
	}
	return keys[e.event]
}

// What a packet belongs to.
const (
	old  = iota // a press that is over
	same        // the press that is going on
	next        // another press
)

// classifyEvent says what a packet belongs to. A press of more than 8 s goes on under another time stamp (§2.5.1.3), without a
// mark; some gateways give each packet its own.
func (e *dtmfReceiver) classifyEvent(stamp uint32, marker bool, event byte) int {
	ahead := int32(stamp - e.stamp)
	switch {
	case !e.known:
		return next
	case ahead == 0 && event == e.event:
		if e.finished {
			return old
		}
		return same
	case ahead < 0 && ahead > -reordered:
		return old
	case event == e.event && !marker && ahead != 0 && (!e.finished && e.idle < gone || ahead == segment):
		return same
	}
	return next
}

const (
	segment   = 0xffff // longest duration of one time stamp
	reordered = 8000   // samples that a packet may come too late by
)

// endPress is told that sound came.
func (e *dtmfReceiver) endPress() { e.finished = true }

// countTick counts the time.
func (e *dtmfReceiver) countTick() { e.idle = min(e.idle+1, gone) }
