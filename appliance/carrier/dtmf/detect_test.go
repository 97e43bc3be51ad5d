package dtmf_test

import (
	"bytes"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"munadi/appliance/carrier/dtmf"
	"munadi/engine/audio"
	"munadi/engine/heldout"
)

const rate = 8000

// TestMain runs the tests, or the decoder process of a recording.
func TestMain(m *testing.M) {
	if !heldout.DecodeAudio() {
		os.Exit(m.Run())
	}
}

// keypad is the digits by row and column, with their frequencies in Hz (ITU-T Q.23).
var (
	keypad    = []string{"123A", "456B", "789C", "*0#D"}
	rowHz     = []float64{697, 770, 852, 941}
	columnHz  = []float64{1209, 1336, 1477, 1633}
	fullScale = 32767 / math.Pow(10, 3.14/20) // amplitude of a sine of 0 dBm0 in G.711
	laws      = []lineLaw{{"A-law", audio.EncodeALaw, audio.DecodeALaw}, {"mu-law", audio.EncodeMuLaw, audio.DecodeMuLaw}}
)

// lineLaw is a law of G.711.
type lineLaw struct {
	name   string
	encode func(int16) byte
	decode func(byte) int16
}

// pass returns a sound as it comes over the line.
func (l lineLaw) pass(pcm []int16) []int16 {
	out := make([]int16, len(pcm))
	for i, s := range pcm {
		out[i] = l.decode(l.encode(s))
	}
	return out
}

// pressedTone is a tone as a telephone makes it, or a bad one.
type pressedTone struct {
	level  float64 // of the stronger frequency in dBm0
	twist  float64 // of the higher frequency over the lower one in dB
	offset float64 // of the lower frequency; times Hz, and 2 Hz more
	cross  float64 // the sign of the higher frequency's offset
	noise  float64 // dB below the tone; 0: none
	length float64 // ms
	pause  float64 // ms
}

// playTone returns two presses of a key with a pause, at an odd place, over G.711.
func (p pressedTone) playTone(row, column int, seed uint64) []int16 {
	r := rand.New(rand.NewPCG(seed, 7))
	low, high := rowHz[row], columnHz[column]
	if p.offset != 0 {
		shift := func(hz, by float64) float64 { return hz + math.Copysign(math.Abs(by)*hz+2, by) }
		low, high = shift(low, p.offset), shift(high, p.offset*p.cross)
	}
	a := fullScale * math.Pow(10, (p.level+math.Min(0, -p.twist))/20)
	b := a * math.Pow(10, p.twist/20)
	hiss := 0.0
	if p.noise > 0 {
		hiss = math.Sqrt((a*a+b*b)/2) / math.Pow(10, p.noise/20)
	}
	samples := func(ms float64) int { return int(ms * rate / 1000) }
	first := samples(40) + r.IntN(160)
	second := first + samples(p.length) + samples(p.pause)
	phases := [2]float64{r.Float64() * 6, r.Float64() * 6}
	law := laws[r.IntN(2)]
	out := make([]int16, second+samples(p.length)+samples(100))
	for i := range out {
		v := r.NormFloat64() * hiss
		if on := samples(p.length); i >= first && i < first+on || i >= second && i < second+on {
			turn := 2 * math.Pi * float64(i) / rate
			v += a*math.Sin(low*turn+phases[0]) + b*math.Sin(high*turn+phases[1])
		}
		out[i] = int16(math.Max(-32768, math.Min(32767, v)))
	}
	return law.pass(out)
}

// detectKeys returns the keys in a sound that comes in frames of 20 ms.
func detectKeys(pcm []int16) string {
	var d dtmf.ToneDetector
	var got []byte
	for len(pcm) > 0 {
		n := min(160, len(pcm))
		keys, _ := d.HearSound(pcm[:n])
		got, pcm = append(got, keys...), pcm[n:]
	}
	return string(got)
}

// countKeys returns how many of the 16 keys, each pressed twice, are detected as want times.
func countKeys(p pressedTone, want int, seed uint64) (right int) {
	for row := range rowHz {
		for column := range columnHz {
			expected := ""
			for range want {
				expected += keypad[row][column : column+1]
			}
			if detectKeys(p.playTone(row, column, seed+uint64(4*row+column))) == expected {
				right++
			}
		}
	}
	return right
}

// TestTonesAreDetected checks every key at the limits of ITU-T Q.24: levels from -3 to -27 dBm0 for the stronger
// frequency, twist from
// -8 to 4 dB, offsets of 1.5 % and 2 Hz, noise 15 dB below, tones and pauses of 40 ms.
func TestTonesAreDetected(t *testing.T) {
	t.Parallel()
	levels := []float64{-3, -12, -20, -27}
	if testing.Short() {
		levels = levels[3:]
	}
	tried, right := 0, 0
	for _, level := range levels {
		for _, twist := range []float64{-8, -4, 0, 4} {
			for _, offset := range [][2]float64{{0, 1}, {0.015, 1}, {0.015, -1}, {-0.015, 1}, {-0.015, -1}} {
				for _, noise := range []float64{0, 25, 15} {
					for _, length := range [][2]float64{{40, 40}, {50, 50}, {65, 40}, {100, 70}, {250, 300}} {
						p := pressedTone{level, twist, offset[0], offset[1], noise, length[0], length[1]}
						got := countKeys(p, 2, uint64(tried))
						if tried, right = tried+16, right+got; got < 16 {
							t.Errorf("%+v: %d of 16", p, got)
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d", right, tried)
}

// TestOtherTonesAreNoKeys checks that tones beyond the limits are no keys: short, weak, beside the frequencies, with
// much twist, or one frequency alone.
func TestOtherTonesAreNoKeys(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]pressedTone{
		"23 ms":            {level: -10, length: 23, pause: 50},
		"weak":             {level: -45, length: 100, pause: 50},
		"3.5 % above":      {level: -10, offset: 0.035, cross: 1, length: 100, pause: 50},
		"3.5 % below":      {level: -10, offset: -0.035, cross: 1, length: 100, pause: 50},
		"forward twist":    {level: -10, twist: -12, length: 100, pause: 50},
		"reverse twist":    {level: -10, twist: 8, length: 100, pause: 50},
		"lower alone":      {level: -10, twist: -60, length: 100, pause: 50},
		"as loud as noise": {level: -10, noise: 1, length: 100, pause: 50},
	} {
		for seed := range uint64(10) {
			if got := countKeys(p, 0, 100*seed); got < 16 {
				t.Errorf("%s: %d of 16 keys are no keys", name, got)
			}
		}
	}
}

// TestInterruptedTone checks that an interruption of 10 ms makes no second key.
func TestInterruptedTone(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		if got := countKeys(pressedTone{level: -10, length: 60, pause: 10}, 1, 100*seed); got < 16 {
			t.Errorf("%d of 16 keys count once", got)
		}
	}
}

// TestMadeTonesAreDetected checks the tones that we make ourselves.
func TestMadeTonesAreDetected(t *testing.T) {
	t.Parallel()
	var pcm []int16
	const keys = "159D*0#A"
	for i := range keys {
		pcm = append(append(pcm, dtmf.MakeTone(keys[i], 800)...), make([]int16, 400)...)
	}
	if got := detectKeys(pcm); got != keys {
		t.Errorf("%q", got)
	}
}

// TestSpeechIsNoKey checks talk-off: no key is heard in recordings of people, over either law. One recording of forty; all
// with MUNADI_LONG=1.
func TestSpeechIsNoKey(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	root := filepath.Join("..", "..", "..", "..", "shared", "speech")
	if _, err := os.Stat(filepath.Join(root, "ammi")); err != nil {
		t.Skip("no recordings of people beside the project (../shared/speech)")
	}
	every := 40
	if os.Getenv("MUNADI_LONG") == "1" {
		every = 1
	}
	files, samples := 0, 0
	for _, set := range []string{"ammi", "digits", "asc"} {
		err := filepath.WalkDir(filepath.Join(root, set), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".opus" {
				return err
			}
			if files++; files%every != 0 {
				return nil
			}
			pcm := readNarrowband(t, path)
			samples += len(pcm)
			for _, law := range laws {
				if got := detectKeys(law.pass(pcm)); got != "" {
					t.Errorf("%s over %s: keys %s", filepath.Base(path), law.name, got)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d s of speech", samples/rate)
}

// readNarrowband reads a recording at 8000 samples per second, at the level of a telephone call.
func readNarrowband(t *testing.T, path string) []int16 {
	t.Helper()
	coded, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := audio.DecodeAll(t.Context(), bytes.NewReader(coded), audio.DecodeOptions{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	r := audio.NewResampler(audio.Rate, rate)
	pcm := make([]int16, 0, len(wide)/2)
	for _, v := range r.Flush(r.Push(nil, wide)) {
		pcm = append(pcm, int16(max(-1, min(1, v))*32767))
	}
	return pcm
}

func BenchmarkDetector(b *testing.B) {
	var d dtmf.ToneDetector
	r := rand.New(rand.NewPCG(1, 2))
	frame := make([]int16, 160)
	for i := range frame {
		frame[i] = int16(r.NormFloat64() * 2000)
	}
	for b.Loop() {
		for range 50 {
			d.HearSound(frame)
		}
	}
}
