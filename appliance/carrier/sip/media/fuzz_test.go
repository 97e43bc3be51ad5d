package media_test

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
)

// cutDatagrams splits an input into datagrams, each after a byte with its length and the number of ticks before it.
func cutDatagrams(b []byte, take func(datagram []byte, ticks int)) {
	for len(b) > 1 {
		n := min(int(b[0]), len(b)-2)
		take(b[2:2+n], int(b[1])%4)
		b = b[2+n:]
	}
}

func timedDatagram(ticks byte, datagram []byte) []byte {
	return append([]byte{byte(len(datagram)), ticks}, datagram...)
}

var (
	pbx      = netip.MustParseAddrPort("198.51.100.7:4000")
	stranger = netip.MustParseAddrPort("203.0.113.1:4000")
)

// newSocketless returns the media session of a call without sockets.
func newSocketless(t *testing.T, key bool) *media.MediaSession {
	s := media.NewSocketless()
	l, r := localStream(), sdp.AgreedStream{Remote: pbx, Codec: sdp.PCMA, Payload: 8, Events: 101, Sends: true, Listens: true}
	l.Codecs = sdp.AllCodecs()
	if key {
		l.Key, r.Key = ours, theirs
	}
	if err := s.BeginStill(l, r); err != nil {
		t.Fatal(err)
	}
	return s
}

// Whatever is received as RTP or SRTP, frames are in order and nothing else fails.
func FuzzPacket(f *testing.F) {
	sound := func(p rtp.Packet) []byte {
		b, err := p.Marshal()
		if err != nil {
			f.Fatal(err)
		}
		return timedDatagram(1, b)
	}
	a := sound(rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: 8, SSRC: 7, SequenceNumber: 65535, Timestamp: 1<<32 - 100}, Payload: make([]byte, 160)})
	b := sound(rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: 8, SSRC: 7, SequenceNumber: 0, Timestamp: 60, CSRC: []uint32{1, 2}}, Payload: make([]byte, 80)})
	c := sound(rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: 101, SSRC: 7, SequenceNumber: 1, Timestamp: 220, Marker: true}, Payload: []byte{5, 10, 0, 160}})
	d := sound(rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: 8, SSRC: 9, SequenceNumber: 2, Timestamp: 9999, Padding: true, PaddingSize: 4}, Payload: make([]byte, 20)})
	e := sound(rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: 9, SSRC: 7, SequenceNumber: 2, Timestamp: 320}, Payload: make([]byte, 160)})
	o := sound(rtp.Packet{Header: rtp.Header{Version: 2, PayloadType: 111, SSRC: 7, SequenceNumber: 3, Timestamp: 960}, Payload: []byte{0x0b, 3, 1, 2, 3}})
	f.Add(slices.Concat(a, e, o, o, e))
	f.Add(slices.Concat(a, b, c, d, d))
	f.Add(slices.Concat(d, c, b, a))
	f.Add([]byte{12, 0, 0x80, 8, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, held := newSocketless(t, false), newSocketless(t, true)
		n := 0
		cutDatagrams(b, func(datagram []byte, ticks int) {
			s.ReceiveRTP(slices.Clone(datagram), pbx)
			held.ReceiveRTP(slices.Clone(datagram), pbx)
			for range ticks {
				s.ReceiveRTP(slices.Clone(datagram), stranger)
				turnTicks(s, 1)
				if takeFrames(t, s, 1)[0].At != time.Duration(n)*carrier.Tick {
					t.Fatal("a frame is not in its place")
				}
				n++
			}
		})
		if held.Stats().Received > 0 {
			t.Fatal("a forged packet was accepted")
		}
	})
}

func FuzzReports(f *testing.F) {
	for _, p := range []rtcp.Packet{
		&rtcp.SenderReport{SSRC: 7, Reports: []rtcp.ReceptionReport{{SSRC: 5, LastSenderReport: 1}}},
		&rtcp.ReceiverReport{SSRC: 7}, &rtcp.Goodbye{Sources: []uint32{7}}, rtcp.NewCNAMESourceDescription(7, "someone"),
	} {
		b, err := p.Marshal()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, held := newSocketless(t, false), newSocketless(t, true)
		s.ReceiveRTCP(b, pbx)
		turnTicks(s, 250)
		takeFrames(t, s, 250)
		held.ReceiveRTCP(b, pbx)
		if lost, _, _ := held.PeerReport(); lost != 0 {
			t.Fatal("a forged packet was accepted")
		}
	})
}
