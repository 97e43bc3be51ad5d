package media

import (
	"encoding/binary"
	"slices"
	"strings"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/dtmf"
)

// keyWay is the way by which a key press arrives.
type keyWay int

// The ways of key presses.
const (
	byEvent keyWay = iota // RFC 4733
	byInfo                // SIP INFO
	byTone                // in the sound
)

const (
	most = 64 // keys per frame, and remembered presses, to bound floods
	// twinTicks is within which the same press may arrive by another way, 4 s: an INFO that is lost is sent again after
	// 0.5, 1.5 and 3.5 s (RFC 3261 §17.1.2.1), and must not answer the next question.
	twinTicks = 200
	echoTicks = 20 // for which a tone that we sent may echo: 400 ms
)

// keyCollector gathers the keys that the remote side presses. A press that arrives by two ways, as some gateways send
// it, counts once.
type keyCollector struct {
	pressed []byte // since the last frame
	tick    int
	recent  []keyArrival // of the last twinTicks, in order
}

// keyArrival is a press that may arrive again by another way.
type keyArrival struct {
	key  byte
	way  keyWay
	tick int
}

// addPress adds a press, unless it is one that arrived by another way before.
func (c *keyCollector) addPress(key byte, way keyWay) {
	for len(c.recent) > 0 && (c.tick-c.recent[0].tick > twinTicks || len(c.recent) >= most) {
		c.recent = c.recent[1:]
	}
	for n, r := range c.recent {
		if r.key == key && r.way != way {
			c.recent = append(c.recent[:n], c.recent[n+1:]...)
			return
		}
	}
	c.recent = append(c.recent, keyArrival{key, way, c.tick})
	if len(c.pressed) < most {
		c.pressed = append(c.pressed, key)
	}
}

// takeKeys returns the keys since the last frame.
func (c *keyCollector) takeKeys() string {
	c.tick++
	pressed := string(c.pressed)
	c.pressed = c.pressed[:0]
	return pressed
}

// toneReceiver finds keys in the sound of a remote side that negotiated no telephone-event.
type toneReceiver struct {
	detector dtmf.ToneDetector
	deaf     int // ticks for which a tone may be the echo of ours
}

// ignoreEcho ignores tones until those that we send now, of so many ticks, have no echo any more.
func (t *toneReceiver) ignoreEcho(ticks int) { t.deaf = ticks + echoTicks }

// hearFrame looks for tones in a frame and silences it where it holds one, so that keys are no sound, as with events.
func (t *toneReceiver) hearFrame(f *carrier.Frame, keys *keyCollector) {
	pressed, tone := t.detector.HearSound(f.In[:])
	if t.deaf > 0 {
		t.deaf--
		return
	}
	for _, key := range pressed {
		keys.addPress(key, byTone)
	}
	if tone {
		clear(f.In[:])
		if f.Wide != nil {
			clear(f.Wide[:])
		}
	}
}

// dtmfReceiver decodes DTMF from telephone-event packets (RFC 4733). Each key press is reported once, with its first
// packet; its further packets have the same time stamp.
type dtmfReceiver struct {
	known    bool
	ssrc     uint32
	event    byte
	stamp    uint32
	finished bool // the end was received, or other audio since
	idle     int  // ticks without a packet
	past     pressHistory
}

// pressHistory holds the last presses of a line, so that none counts again, however late one of its packets arrives.
type pressHistory struct {
	presses [32]dtmfPress
	n       int
}

// dtmfPress identifies a press, or a part of a long one.
type dtmfPress struct {
	ssrc, stamp uint32
	event       byte
}

func (h *pressHistory) addPress(p dtmfPress) {
	h.presses[h.n%len(h.presses)] = p
	h.n++
}

func (h *pressHistory) hasPress(p dtmfPress) bool {
	return slices.Contains(h.presses[:min(h.n, len(h.presses))], p)
}

// beginSender begins the events of another SSRC.
func (e *dtmfReceiver) beginSender(ssrc uint32) { *e = dtmfReceiver{ssrc: ssrc, past: e.past} }

// isBehind reports whether a time stamp is earlier than that of the last event, or there is none.
func (e *dtmfReceiver) isBehind(stamp uint32) bool { return !e.known || int32(stamp-e.stamp) < 0 }

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
	if press := (dtmfPress{e.ssrc, stamp, payload[0]}); !e.past.hasPress(press) {
		e.past.addPress(press)
	}
	e.known, e.event, e.stamp, e.finished, e.idle = true, payload[0], stamp, payload[1]&0x80 != 0, 0
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
	case e.known && ahead == 0 && event == e.event:
		if e.finished {
			return pastPress
		}
		return currentPress
	case e.past.hasPress(dtmfPress{e.ssrc, stamp, event}):
		return pastPress
	case !e.known:
		return newPress
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

// Timing of sent DTMF, in frames of 20 ms; ITU-T Q.24 asks for 40 ms of a digit and of a pause at least.
const (
	keyFrames   = 8                            // of a digit
	pauseFrames = carrier.KeyTicks - keyFrames // before the next
	endPackets  = 3                            // that say that a digit is over, against loss (RFC 4733 §2.5.1.4)
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
