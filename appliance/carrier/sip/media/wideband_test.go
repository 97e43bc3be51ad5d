package media_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/engine/audio"
)

// whistle is a frequency above narrowband audio.
const whistle = 5500 // Hz

// widePackets are three seconds of a tone in packets of 20 ms: G.722 encoded by ffmpeg, Opus by libopus.
func widePackets(t *testing.T, codec sdp.Codec, hz int) [][]byte {
	t.Helper()
	source := fmt.Sprintf("aevalsrc=0.5*sin(2*PI*%d*t):s=16000:d=3", hz)
	if codec == sdp.G722 {
		data, err := runFFmpeg(t, "-f", "lavfi", "-i", source, "-c:a", "g722", "-f", "g722", "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		var all [][]byte
		for ; len(data) >= carrier.Samples; data = data[carrier.Samples:] {
			all = append(all, data[:carrier.Samples])
		}
		return all
	}
	raw, err := runFFmpeg(t, "-f", "lavfi", "-i", source, "-f", "s16le", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := audio.NewOpusLineEncoder()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	pcm := make([]int16, 2*carrier.Samples)
	for ; len(raw) >= 2*len(pcm); raw = raw[2*len(pcm):] {
		for i := range pcm {
			pcm[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
		}
		packet := make([]byte, 500)
		n, err := encoder.EncodeFrame(packet, pcm)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, packet[:n])
	}
	return all
}

// hearPackets receives packets in an order, one per tick, and returns the frames.
func hearPackets(t *testing.T, s *media.MediaSession, p *mediaPeer, codec sdp.Codec, packets [][]byte, order func(n int) []int) []carrier.Frame {
	t.Helper()
	step := uint32(codec.ClockRate() / 50)
	var all []carrier.Frame
	for n := range packets {
		for _, k := range order(n) {
			head := rtp.Header{
				Version: 2, PayloadType: uint8(codec), SSRC: 7, SequenceNumber: uint16(65500 + k), Timestamp: 1<<32 - 4000 + uint32(k)*step,
			}
			b, err := (&rtp.Packet{Header: head, Payload: packets[k]}).Marshal()
			if err != nil {
				t.Fatal(err)
			}
			s.ReceiveRTP(b, p.from)
		}
		turnTicks(s, 1)
		all = append(all, takeFrames(t, s, 1)...)
	}
	return all
}

// inOrder delivers each packet at its tick.
func inOrder(n int) []int { return []int{n} }

// TestWidebandIsHeard checks that audio above 4 kHz is in the wideband frames at its level, and not in the narrowband
// ones, where it would alias to another tone. Reordered packets are decoded in order.
func TestWidebandIsHeard(t *testing.T) {
	t.Parallel()
	for _, codec := range []sdp.Codec{sdp.G722, sdp.Opus} {
		for name, order := range map[string]func(n int) []int{
			"in order": inOrder,
			"overtaken": func(n int) []int { // 0 2 1 4 3 …
				switch {
				case n == 0:
					return []int{0}
				case n%2 == 1 && n+1 < 150:
					return []int{n + 1}
				}
				return []int{n - 1 + n%2}
			},
		} {
			t.Run(codec.String()+", "+name, func(t *testing.T) {
				t.Parallel()
				s := openSession(t)
				p := newPeer(t, s)
				l, r := agreedStream(p, codec, false)
				if err := s.BeginStill(l, r); err != nil {
					t.Fatal(err)
				}
				var wide, narrow []int16
				for _, f := range hearPackets(t, s, p, codec, widePackets(t, codec, whistle), order) {
					if narrow = append(narrow, f.In[:]...); f.Wide != nil {
						wide = append(wide, f.Wide[:]...)
					}
				}
				least, off := 0.99, 0.05
				if codec == sdp.Opus {
					least, off = 0.9, 0.2
				}
				if part, rms := purestHalfSecond(wide, whistle, 2*carrier.Rate); part < least || math.Abs(rms/level-1) > off {
					t.Errorf("%.4f of the power lies at %d Hz, and the level is %.0f, want %d", part, whistle, rms, level)
				}
				if part, rms := purestHalfSecond(narrow[8000:], carrier.Rate-whistle, carrier.Rate); rms > level/100 {
					t.Errorf("the narrowband sound has a level of %.0f, %.2f of it at %d Hz", rms, part, carrier.Rate-whistle)
				}
				if got := s.Stats(); got.Codec != codec.String() || got.Lost+got.Late+got.Ignored > 0 {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}

// TestWidebandLoss checks that audio fades out at lost packets and returns completely.
func TestWidebandLoss(t *testing.T) {
	t.Parallel()
	for _, codec := range []sdp.Codec{sdp.G722, sdp.Opus} {
		t.Run(codec.String(), func(t *testing.T) {
			t.Parallel()
			s := openSession(t)
			p := newPeer(t, s)
			l, r := agreedStream(p, codec, false)
			if err := s.BeginStill(l, r); err != nil {
				t.Fatal(err)
			}
			heard := hearPackets(t, s, p, codec, widePackets(t, codec, pitch), func(n int) []int {
				if n >= 50 && n < 60 {
					return nil
				}
				return []int{n}
			})
			var after []int16
			for _, f := range heard[75:] {
				after = append(after, f.In[:]...)
			}
			checkTone(t, after, codec)
			if loudest := loudestOf(heard[58].In[:]); loudest != 0 {
				t.Errorf("in the gap the sound is %d loud", loudest)
			}
			if got := s.Stats(); got.Lost != 10 {
				t.Errorf("%+v", got)
			}
		})
	}
}

func loudestOf(pcm []int16) (most int16) {
	for _, v := range pcm {
		most = max(most, v, -v)
	}
	return most
}

// TestCodecChanges checks that audio continues in both directions after a re-INVITE changes the codec, with another
// SSRC if its clock rate differs.
func TestCodecChanges(t *testing.T) {
	t.Parallel()
	s := openSession(t)
	p := newPeer(t, s)
	l, r := agreedStream(p, sdp.PCMA, false)
	l.Codecs = sdp.AllCodecs()
	if err := s.BeginStill(l, r); err != nil {
		t.Fatal(err)
	}
	sender := uint32(0)
	for i, codec := range []sdp.Codec{sdp.PCMA, sdp.G722, sdp.Opus, sdp.PCMU} {
		r.Codec, r.Payload = codec, uint8(codec)
		if err := s.Change(l, r); err != nil {
			t.Fatal(err)
		}
		turnTicks(s, 1)
		takeFrames(t, s, 1)
		var sent rtp.Packet
		if err := sent.Unmarshal(p.nextDatagram()); err != nil {
			t.Fatal(err)
		}
		if again := sent.SSRC == sender; sent.PayloadType != uint8(codec) || again != (codec == sdp.G722) {
			t.Errorf("%d: payload type %d of %v, SSRC again: %v", i, sent.PayloadType, codec, again)
		}
		sender = sent.SSRC
	}
}

// TestWidebandNoise checks that packets of random bytes neither end the call nor produce samples out of range.
func TestWidebandNoise(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, codec := range []sdp.Codec{sdp.G722, sdp.Opus} {
		s := openSession(t)
		p := newPeer(t, s)
		l, r := agreedStream(p, codec, false)
		if err := s.BeginStill(l, r); err != nil {
			t.Fatal(err)
		}
		packets := make([][]byte, 500)
		for i := range packets {
			packets[i] = make([]byte, random.IntN(1400))
			for k := range packets[i] {
				packets[i][k] = byte(random.Uint32())
			}
		}
		if heard := hearPackets(t, s, p, codec, packets, inOrder); len(heard) != len(packets) {
			t.Errorf("%v: %d frames", codec, len(heard))
		}
	}
}
