package media_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/engine/audio"
)

// whistleSecond returns a second of a tone above 4 kHz at 16,000 samples per second.
func whistleSecond() []int16 {
	out := make([]int16, 2*carrier.Rate)
	for i := range out {
		out[i] = int16(math.Round(level * math.Sqrt2 * math.Sin(2*math.Pi*whistle*float64(i)/(2*carrier.Rate))))
	}
	return out
}

// sentSound returns what the session sends in n ticks, decoded at 16,000 samples per second.
func sentSound(t *testing.T, s *media.MediaSession, p *mediaPeer, codec sdp.Codec, n int) (wide []int16, all []carrier.Frame) {
	t.Helper()
	g722 := audio.NewG722Decoder()
	opus, err := audio.NewOpusLineDecoder()
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		turnTicks(s, 1)
		var sent rtp.Packet
		if err := sent.Unmarshal(p.nextDatagram()); err != nil {
			t.Fatal(err)
		}
		if codec == sdp.G722 {
			wide = g722.DecodeBytes(wide, sent.Payload)
			continue
		}
		pcm, err := opus.DecodePacket(sent.Payload)
		if err != nil {
			t.Fatal(err)
		}
		wide = append(wide, pcm...)
	}
	return wide, takeFrames(t, s, n)
}

// TestWidebandIsSpoken checks that a wideband codec sends the wideband audio of prompts, mixed with prompts that have
// none; the frames that are recorded have the narrowband audio.
func TestWidebandIsSpoken(t *testing.T) {
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
			said := toneSecond()
			s.Say(said, whistleSecond())
			s.Say(said[:6100], nil) // ends within a frame
			s.Say(said[:5900], whistleSecond()[:11800])
			wide, all := sentSound(t, s, p, codec, 125)
			least := map[sdp.Codec]float64{sdp.G722: 0.98, sdp.Opus: 0.9}[codec]
			for name, part := range map[string]struct {
				pitch, from, to int
			}{
				"wideband": {whistle, 0, 16000}, "narrowband between": {pitch, 16500, 28000}, "wideband again": {whistle, 28700, 40000},
			} {
				if of, rms := purestHalfSecond(wide[part.from:part.to], part.pitch, 16000); of < least || math.Abs(rms/level-1) > 0.2 {
					t.Errorf("%s: %.4f of the power lies at %d Hz, and the level is %.0f, want %d", name, of, part.pitch, rms, level)
				}
			}
			_, out := heardFrames(all)
			if !slices.Equal(out, slices.Concat(said, said[:6100], said[:5900])) {
				t.Error("the frames have something else than what was said at 8000 samples per second")
			}
		})
	}
}

// TestWidebandOnANarrowLine checks that a narrowband codec sends the narrowband audio, and that wideband audio that is
// not twice as long is ignored.
func TestWidebandOnANarrowLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		codec sdp.Codec
		wide  []int16
	}{"A-law": {sdp.PCMA, whistleSecond()}, "too short": {sdp.G722, whistleSecond()[:15999]}, "too long": {sdp.G722, append(whistleSecond(), 0)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openSession(t)
			p := newPeer(t, s)
			l, r := agreedStream(p, c.codec, false)
			if err := s.BeginStill(l, r); err != nil {
				t.Fatal(err)
			}
			s.Say(toneSecond(), c.wide)
			if c.codec == sdp.G722 {
				wide, _ := sentSound(t, s, p, c.codec, 50)
				if of, _ := purestHalfSecond(wide, pitch, 16000); of < 0.98 {
					t.Errorf("%.4f of the power lies at %d Hz", of, pitch)
				}
				return
			}
			var pcm []int16
			for range 50 {
				turnTicks(s, 1)
				var sent rtp.Packet
				if err := sent.Unmarshal(p.nextDatagram()); err != nil {
					t.Fatal(err)
				}
				for _, b := range sent.Payload {
					pcm = append(pcm, audio.DecodeALaw(b))
				}
			}
			checkTone(t, pcm, c.codec)
		})
	}
}

// TestFFmpegReceivesWideband checks with ffmpeg's decoder that audio above 4 kHz is sent.
func TestFFmpegReceivesWideband(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		if soundRate(way.codec) == carrier.Rate {
			continue
		}
		t.Run(fmt.Sprint(way.name), func(t *testing.T) {
			t.Parallel()
			pcm := heardByFFmpeg(t, way, 2*carrier.Rate, toneSecond(), whistleSecond())
			if of, rms := purestHalfSecond(pcm, whistle, 2*carrier.Rate); of < 0.9 || math.Abs(rms/level-1) > 0.2 {
				t.Errorf("%.4f of the power lies at %d Hz, and the level is %.0f, want %d", of, whistle, rms, level)
			}
		})
	}
}
