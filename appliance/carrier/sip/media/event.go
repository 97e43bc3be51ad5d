package media

// dtmfReceiver decodes DTMF from telephone-event packets (RFC 4733). Each key press is reported once, with its first
// packet; its further packets have the same time stamp.
type dtmfReceiver struct {
	known    bool
	event    byte
	stamp    uint32
	finished bool // the end was received, or other audio since
	idle     int  // ticks without a packet
}

// lostEventTicks is the number of ticks without a packet that end an event whose end was lost: 120 ms.
const lostEventTicks = 6

// pushPacket handles a packet's payload, and returns the key of a new press; 0: none.
func (e *dtmfReceiver) pushPacket(stamp uint32, marker bool, payload []byte) byte {
	if len(payload) < 4 || int(payload[0]) >= len(keys) {
		return 0
	}
	fresh := e.classifyEvent(stamp, marker, payload[0])
	if fresh == pastPress {
		return 0
	}
	*e = dtmfReceiver{known: true, event: payload[0], stamp: stamp, finished: payload[1]&0x80 != 0}
	if fresh == currentPress {
		return 0
	}
	return keys[e.event]
}

// Classes of packets.
const (
	pastPress    = iota // of a press that is over
	currentPress        // of the current press
	newPress            // of another press
)

// classifyEvent classifies a packet. A press of more than 8 s continues under another time stamp (§2.5.1.3), without a
// marker; some gateways give each packet its own.
func (e *dtmfReceiver) classifyEvent(stamp uint32, marker bool, event byte) int {
	ahead := int32(stamp - e.stamp)
	switch {
	case !e.known:
		return newPress
	case ahead == 0 && event == e.event:
		if e.finished {
			return pastPress
		}
		return currentPress
	case ahead < 0 && ahead > -reordered:
		return pastPress
	case event == e.event && !marker && ahead != 0 &&
		(!e.finished && e.idle < lostEventTicks || ahead == maxEventDuration):
		return currentPress
	}
	return newPress
}

const (
	maxEventDuration = 0xffff // maximum duration of one time stamp
	reordered        = 8000   // reordering tolerance in samples
)

// endPress ends a press because audio arrived.
func (e *dtmfReceiver) endPress() { e.finished = true }

// countTick counts a tick.
func (e *dtmfReceiver) countTick() { e.idle = min(e.idle+1, lostEventTicks) }
