package simulator

import (
	"math"
	"math/rand/v2"

	"munadi/appliance/carrier"
	"munadi/appliance/tts/voicepack"
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

// bandPassFilter is a telephone band-pass filter, 300 to 3400 Hz: fourth-order Butterworth at both edges.
type bandPassFilter [4]audio.BiquadFilter

// Q factors of the two sections of a fourth-order Butterworth filter.
var butterworth = [2]float64{0.54119610, 1.3065630}

func newBand() *bandPassFilter {
	const low, high = 300, 3400
	f := &bandPassFilter{}
	for i, q := range butterworth {
		f[i] = highPass(low, q)
		f[2+i] = lowPass(high, q)
	}
	return f
}

func (f *bandPassFilter) filterSample(x float64) float64 {
	for i := range f {
		x = f[i].FilterSample(x)
	}
	return x
}

// filterTelephoneBand returns audio limited to the telephone band.
func filterTelephoneBand(pcm []int16) []int16 {
	f := newBand()
	out := make([]int16, len(pcm))
	for i, s := range pcm {
		out[i] = int16(max(-32768, min(32767, math.Round(f.filterSample(float64(s))))))
	}
	return out
}

// lowPass and highPass have the coefficients of RBJ's cookbook.
func lowPass(hz, q float64) audio.BiquadFilter {
	cos, alpha := prewarpFrequency(hz, q)
	return normalizeSection((1-cos)/2, 1-cos, (1-cos)/2, 1+alpha, -2*cos, 1-alpha)
}

func highPass(hz, q float64) audio.BiquadFilter {
	cos, alpha := prewarpFrequency(hz, q)
	return normalizeSection((1+cos)/2, -(1 + cos), (1+cos)/2, 1+alpha, -2*cos, 1-alpha)
}

func prewarpFrequency(hz, q float64) (cos, alpha float64) {
	w := 2 * math.Pi * hz / carrier.Rate
	return math.Cos(w), math.Sin(w) / (2 * q)
}

func normalizeSection(b0, b1, b2, a0, a1, a2 float64) audio.BiquadFilter {
	return audio.BiquadFilter{B0: b0 / a0, B1: b1 / a0, B2: b2 / a0, A1: a1 / a0, A2: a2 / a0}
}

// personVoice is one person's voice.
type personVoice struct {
	bundle  *voicepack.VoicePack
	variant string // high, low or empty
}

// lengths are the time-stretch factors of the other voices, for clips that exist in the normal voice only.
var lengths = map[string]float64{"high": 0.9, "low": 1.1}

// loadClip returns a clip in the telephone band; empty for an unknown name.
func (v personVoice) loadClip(name string) []int16 {
	if v.variant != "" {
		if c, own := v.bundle.Clip(name + "." + v.variant); own {
			return filterTelephoneBand(v.bundle.PCM(c))
		}
	}
	c, found := v.bundle.Clip(name)
	if !found {
		return nil
	}
	return filterTelephoneBand(stretchVoice(v.bundle.PCM(c), v.variant))
}

// clipWords returns a clip's normalized words.
func (v personVoice) clipWords(name string) string {
	c, _ := v.bundle.Clip(name)
	return c.Folded
}

// stretchVoice speaks faster and higher, or slower and lower (resampling).
func stretchVoice(pcm []int16, variant string) []int16 {
	length, other := lengths[variant]
	if !other {
		return pcm
	}
	samples := make([]float32, len(pcm))
	for i, s := range pcm {
		samples[i] = float32(s)
	}
	r := audio.NewResampler(carrier.Rate, int(carrier.Rate*length))
	samples = r.Flush(r.Push(nil, samples))
	out := make([]int16, len(samples))
	for i, s := range samples {
		out[i] = int16(max(-32768, min(32767, math.Round(float64(s)))))
	}
	return out
}

// makeBeep returns an answering machine's beep.
func makeBeep(hz, seconds float64) []int16 {
	const amplitude, fade = 6000, carrier.Rate / 100
	out := make([]int16, int(seconds*carrier.Rate))
	for i := range out {
		edge := min(1, float64(i)/fade, float64(len(out)-1-i)/fade)
		out[i] = int16(amplitude * edge * math.Sin(2*math.Pi*hz*float64(i)/carrier.Rate))
	}
	return out
}

// makeSilence returns silence.
func makeSilence(seconds float64) []int16 { return make([]int16, int(seconds*carrier.Rate)) }

func samplesForSeconds(s float64) int { return int(s * carrier.Rate / carrier.Samples) }
