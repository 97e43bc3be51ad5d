package media

import (
	"fmt"

	"github.com/pion/rtp"

	"munadi/appliance/carrier/sip/sdp"
)

// incoming makes frames and keys of the packets that are received.
type incoming struct {
	stream   sdp.Stream
	law      law
	jitter   jitter
	events   events
	pressed  []byte // since the last frame
	received uint64
}

// most keys of one frame; who presses more is no person.
const most = 64

func (i *incoming) agree(_ sdp.Local, stream sdp.Stream) error {
	if stream.Codec != sdp.PCMA && stream.Codec != sdp.PCMU {
		return fmt.Errorf("no codec has number %d", stream.Codec)
	}
	i.stream, i.law = stream, lawOf(stream.Codec)
	return nil
}

// take takes a packet, and says whether it was of use.
func (i *incoming) take(p *rtp.Packet) bool {
	switch {
	case p.PayloadType == i.stream.Payload:
		i.jitter.push(p.Timestamp, p.Payload, i.law.decode)
		i.events.over()
	case i.stream.Events != 0 && p.PayloadType == i.stream.Events:
		if key := i.events.push(p.Timestamp, p.Marker, p.Payload); key != 0 {
			i.press(key)
		}
	default:
		return false
	}
	i.received++
	return true
}

func (i *incoming) press(key byte) {
	if len(i.pressed) < most {
		i.pressed = append(i.pressed, key)
	}
}

// tick fills a frame and returns its keys.
func (i *incoming) tick(frame []int16) string {
	i.jitter.pull(frame)
	i.events.tick()
	pressed := string(i.pressed)
	i.pressed = i.pressed[:0]
	return pressed
}
