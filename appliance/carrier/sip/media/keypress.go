package media

import (
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
	most      = 64 // keys per frame, and remembered presses, to bound floods
	twinTicks = 50 // within which the same press may arrive by another way: 1 s
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
