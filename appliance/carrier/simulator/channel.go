package simulator

import (
	"math"
	"math/rand/v2"

	"munadi/appliance/carrier"
	"munadi/engine/audio"
)

const (
	hissSize   = 1 << 16 // samples; long enough for no audible period
	lineNoise  = 22      // RMS of a quiet line, -63 dBFS
	speechRMS  = 2300    // RMS of levelled speech, in the band
	fadeOfLoss = 0.5     // attenuation of each frame that conceals a lost one
)

// lineChannel simulates the line from the remote side to us: noise, G.711 coding, packet loss. Its input is
// band-limited already.
type lineChannel struct {
	hiss   []float32
	coded  []int16
	level  float32 // RMS of the noise
	at     int     // position in hiss
	loss   float64
	chance *rand.Rand
	before [carrier.Samples]int16 // last received frame, for loss concealment
}

func (s *Simulator) newChannel(who Person, chance *rand.Rand) lineChannel {
	level := float64(lineNoise)
	if who == Noisy {
		level = speechRMS * math.Pow(10, -(10+5*chance.Float64())/20)
	}
	return lineChannel{
		hiss: s.hiss, coded: s.coded, level: float32(level), at: chance.IntN(hissSize), loss: s.options.Loss,
		// A separate generator, so that packet loss does not change the answers.
		chance: rand.New(rand.NewPCG(chance.Uint64(), 0)),
	}
}

// passFrame sends one frame over the line, in place.
func (c *lineChannel) passFrame(frame []int16) {
	at := c.at
	c.at = (at + len(frame)) % hissSize
	if c.loss > 0 && c.chance.Float64() < c.loss {
		for i := range frame {
			c.before[i] = int16(float64(c.before[i]) * fadeOfLoss)
		}
		copy(frame, c.before[:])
		return
	}
	for i, s := range frame {
		v := float32(s) + c.level*c.hiss[(at+i)%hissSize]
		frame[i] = c.coded[int(max(-32768, min(32767, v)))+32768]
	}
	copy(c.before[:], frame)
}

// makeCoded returns the table of G.711 µ-law coding and decoding.
func makeCoded() []int16 {
	out := make([]int16, 1<<16)
	for i := range out {
		out[i] = audio.DecodeMuLaw(audio.EncodeMuLaw(int16(i - 32768)))
	}
	return out
}

// makeHiss returns pink noise (-3 dB per octave, like streets and rooms) in the telephone band.
func makeHiss(seed uint64) []float32 {
	chance := rand.New(rand.NewPCG(seed, 0x68697373))
	f := newBand()
	out := make([]float32, hissSize)
	var b0, b1, b2 float64 // P. Kellet's economical pinking filter
	power := 0.0
	for i := range out {
		white := chance.NormFloat64()
		b0 = 0.99765*b0 + white*0.0990460
		b1 = 0.96300*b1 + white*0.2965164
		b2 = 0.57000*b2 + white*1.0526913
		v := f.filterSample(b0 + b1 + b2 + white*0.1848)
		out[i] = float32(v)
		power += v * v
	}
	scale := float32(1 / math.Sqrt(power/hissSize))
	for i := range out {
		out[i] *= scale
	}
	return out
}
