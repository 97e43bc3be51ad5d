package engine

import (
	"io"
	"math"
	"math/rand/v2"
	"testing"
)

// generatedAudio is audio computed while it is read: n samples of f, a function of the sample's index.
type generatedAudio struct {
	n, at int
	f     func(i int) float64
}

func (g *generatedAudio) Read(p []float32) (int, error) {
	n := min(len(p), g.n-g.at)
	if n == 0 {
		return 0, io.EOF
	}
	for i := range n {
		p[i] = float32(g.f(g.at + i))
	}
	g.at += n
	return n, nil
}

// sineAt is a tone of frequency hz at sample i.
func sineAt(hz float64, i int) float64 { return math.Sin(2 * math.Pi * hz * float64(i) / sampleRate) }

// mainsHum is a mains hum with its harmonics and some noise.
func mainsHum(rng *rand.Rand) func(int) float64 {
	return func(i int) float64 {
		v := 0.0
		for h := 1; h <= 9; h += 2 {
			v += sineAt(50*float64(h), i) / float64(h*h)
		}
		return 0.1*v + 0.002*rng.NormFloat64()
	}
}

// holdMusic is a chord progression with an arpeggio, a bass and soft attacks, as a telephone exchange plays it.
func holdMusic(i int) float64 {
	chords := [][]float64{{261.63, 329.63, 392}, {220, 261.63, 329.63}, {174.61, 220, 261.63}, {196, 246.94, 293.66}}
	const beat = sampleRate * 6 / 10
	n, within := i/beat, float64(i%beat)/beat
	chord := chords[(n/4)%len(chords)]
	note := chord[n%3] * float64(1+n%2)
	envelope := math.Min(within*20, 1) * math.Exp(-2*within)
	v := envelope * (sineAt(note, i) + 0.4*sineAt(2*note, i) + 0.2*sineAt(3*note, i))
	for _, hz := range chord {
		v += 0.25 * sineAt(hz, i) * (0.8 + 0.2*sineAt(0.2, i))
	}
	return 0.12 * (v + 0.5*sineAt(chord[0]/2, i))
}

// formantNotes plays random notes through two vowel-like resonances, with vibrato: the seeds are those of sixty that
// the VAD alone classifies as speech.
func formantNotes(seed uint64) func(int) float64 {
	rng := rand.New(rand.NewPCG(seed, 7))
	harmonics, roll := 1+rng.IntN(12), rng.Float64()*1.5+0.3
	vibrato, rate := rng.Float64()*0.02, 3+rng.Float64()*4
	beat, fade := int(sampleRate*(0.12+rng.Float64()*0.8)), rng.Float64()*4
	drums, tremolo := rng.IntN(2) == 0, rng.Float64()*0.7
	notes := make([]float64, 512)
	base := 80 * math.Pow(2, rng.Float64()*2.5)
	for i := range notes {
		notes[i] = base * math.Pow(2, []float64{0, 2, 4, 5, 7, 9, 11, 12}[rng.IntN(8)]/12)
	}
	first, second := 300+rng.Float64()*700, 900+rng.Float64()*1800
	gain := func(hz float64) float64 {
		a, b := (hz-first)/150, (hz-second)/250
		return 0.15 + math.Exp(-a*a) + 0.6*math.Exp(-b*b)
	}
	phase := 0.0
	return func(i int) float64 {
		within := float64(i%beat) / float64(beat)
		hz := notes[i/beat%512] * (1 + vibrato*sineAt(rate, i))
		phase += 2 * math.Pi * hz / sampleRate
		v := 0.0
		for h := 1.0; h <= float64(harmonics); h++ {
			v += math.Sin(h*phase) * gain(h*hz) / math.Pow(h, roll)
		}
		v *= math.Min(within*15, 1) * math.Exp(-fade*within) * (1 - tremolo/2 + tremolo/2*sineAt(5, i))
		if drums && within < 0.15 {
			v += rng.NormFloat64() * math.Exp(-within*40)
		}
		return 0.15 * v
	}
}

// fromAfar is a sound 30 dB quieter: quiet recordings are raised for the VAD.
func fromAfar(f func(int) float64) func(int) float64 {
	return func(i int) float64 { return f(i) / 32 }
}

// An hour without speech gives an empty text.
func TestAnHourWithoutSpeechIsEmpty(t *testing.T) {
	if testing.Short() {
		t.Skip("an hour of sound")
	}
	e := openTest(t)
	rng := rand.New(rand.NewPCG(1, 2))
	const minutes = 6
	for name, f := range map[string]func(int) float64{
		"silence":    func(int) float64 { return 0 },
		"faint hiss": func(int) float64 { return 0.0005 * rng.NormFloat64() },
		"noise":      func(int) float64 { return 0.05 * rng.NormFloat64() },
		"hum":        mainsHum(rng),
		"hold music": holdMusic,
		"a flute":    formantNotes(16),
		"a choir":    formantNotes(39),
		"far hum":    fromAfar(mainsHum(rng)),
		"far music":  fromAfar(holdMusic),
		"far flute":  fromAfar(formantNotes(16)),
		"far choir":  fromAfar(formantNotes(39)),
	} {
		res, err := e.Transcribe(t.Context(), &generatedAudio{n: minutes * 60 * sampleRate, f: f}, TranscribeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if res.Text != "" {
			t.Errorf("%d minutes of %s came out as %q", minutes, name, res.Text)
		}
		if want := float64(minutes * 60); res.Duration != want {
			t.Errorf("%s: duration = %v, want %v", name, res.Duration, want)
		}
	}
}
