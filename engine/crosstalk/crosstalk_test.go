package crosstalk_test

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"munadi/engine/crosstalk"
	"munadi/engine/heldout"
)

const (
	rate   = 16000
	window = 512 // samples of a window of an echo
)

func TestMain(m *testing.M) {
	if !heldout.DecodeAudio() {
		os.Exit(m.Run())
	}
}

// memorySource is a source of samples that ends with an error.
type memorySource struct {
	left []float32
	end  error
}

func (s *memorySource) Read(p []float32) (int, error) {
	if len(s.left) == 0 {
		return 0, s.end
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}

func recordTrack(t testing.TB, samples []float32) *crosstalk.Track {
	t.Helper()
	track, err := crosstalk.RecordTrack(&memorySource{samples, io.EOF})
	if err != nil {
		t.Fatal(err)
	}
	return track
}

// span is a time in seconds.
type span struct{ from, to float64 }

func (s span) covers(window int) bool {
	at := float64(window) * 512 / rate
	return at >= s.from && at+512./rate <= s.to
}

// speakDuring returns seconds of sound: noise at −20 dB during the spans, at −70 dB otherwise.
func speakDuring(seconds int, seed uint64, spans ...span) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float32, seconds*rate)
	for i := range out {
		out[i] = float32(r.NormFloat64() * 0.0003)
		for _, s := range spans {
			if at := float64(i) / rate; at >= s.from && at < s.to {
				out[i] = float32(r.NormFloat64() * 0.1)
			}
		}
	}
	return out
}

// addEcho adds to near what a line sends back of far: dispersed over 10 ms.
func addEcho(near, far []float32, delay, decibels float64) []float32 {
	r := rand.New(rand.NewPCG(7, 7))
	response := make([]float64, rate/100)
	power := 0.0
	for i := range response {
		response[i] = r.NormFloat64() * math.Exp(-float64(i)/40)
		power += response[i] * response[i]
	}
	gain := math.Pow(10, -decibels/20) / math.Sqrt(power)
	out := append([]float32{}, near...)
	for i := range out {
		for k, h := range response {
			if at := i - k - int(delay*rate); at >= 0 {
				out[i] += float32(gain * h * float64(far[at]))
			}
		}
	}
	return out
}

var (
	theirs = []span{{0, 2}, {4, 6}, {8, 10}, {12, 14}}
	ours   = []span{{2.5, 3.5}, {10.5, 11.5}, {12.5, 13}} // the last one talks over
)

// TestFindEcho checks that an echo is found at every usual delay and loudness, and that what a person says is kept.
func TestFindEcho(t *testing.T) {
	far, near := speakDuring(15, 1, theirs...), speakDuring(15, 2, ours...)
	for _, delay := range []float64{0, 0.02, 0.1, 0.37} {
		for _, decibels := range []float64{12, 20, 25} {
			echo := crosstalk.FindEcho(recordTrack(t, addEcho(near, far, delay, decibels)), recordTrack(t, far))
			lost, left, all := 0, 0, 0
			for i := range 15 * rate / window {
				said, echoed := false, false
				for _, s := range ours {
					said = said || s.covers(i)
				}
				for _, s := range theirs {
					echoed = echoed || span{s.from + delay, s.to + delay}.covers(i)
				}
				switch {
				case said && echo != nil && echo[i]:
					lost++
				case !said && echoed:
					all++
					if echo == nil || !echo[i] {
						left++
					}
				}
			}
			if lost > 0 || left > all/20 {
				t.Errorf("%v s, %v dB: %d windows of speech are lost, %d of %d of the echo are left", delay, decibels, lost, left, all)
			}
		}
	}
}

// TestNoEcho checks that channels without an echo are left as they are, and so are those that are hardly separate.
func TestNoEcho(t *testing.T) {
	far, near := speakDuring(15, 1, theirs...), speakDuring(15, 2, ours...)
	for name, c := range map[string][2][]float32{
		"separate":     {near, far},
		"the same":     {far, far},
		"mixed":        {addEcho(near, far, 0, 0), far},
		"silent":       {make([]float32, 15*rate), far},
		"nobody there": {near, make([]float32, 15*rate)},
		"short":        {addEcho(near, far, 0.1, 20)[:7*rate], far[:7*rate]},
		"empty":        {nil, far},
	} {
		if echo := crosstalk.FindEcho(recordTrack(t, c[0]), recordTrack(t, c[1])); echo != nil {
			t.Errorf("%s: there is an echo", name)
		}
	}
}

// TestSilence checks that the windows of the echo alone are silent, however the source is read.
func TestSilence(t *testing.T) {
	samples := speakDuring(1, 1, span{0, 1})
	echo := crosstalk.EchoWindows{false, true, true, false, true}
	for _, size := range []int{1, 100, 512, 5000} {
		src, at := echo.Silence(&memorySource{samples, io.EOF}), 0
		for block := make([]float32, size); ; {
			n, err := src.Read(block)
			if errors.Is(err, io.EOF) {
				break
			}
			for i, v := range block[:n] {
				w := (at + i) / window
				if silent := w < len(echo) && echo[w]; silent != (v == 0) {
					t.Fatalf("sample %d in blocks of %d: %v", at+i, size, v)
				}
			}
			at += n
		}
		if at != len(samples) {
			t.Errorf("%d samples came, want %d", at, len(samples))
		}
	}
}

// TestDamagedSource checks that the error of a source comes through.
func TestDamagedSource(t *testing.T) {
	damaged := errors.New("damaged")
	if _, err := crosstalk.RecordTrack(&memorySource{make([]float32, 1000), damaged}); !errors.Is(err, damaged) {
		t.Errorf("%v", err)
	}
}

// TestSpeechIsNoEcho checks that what people say at the same time, held-out recordings, is never taken for an echo.
func TestSpeechIsNoEcho(t *testing.T) {
	var tracks []*crosstalk.Track
	var sound []float32
	for i, take := range heldout.ReadSentences(t, heldout.OpenRecordings(t), 8) {
		sound = append(sound, take.Samples...)
		if len(sound) > (10+i%30)*rate {
			tracks = append(tracks, recordTrack(t, sound))
			sound = nil
		}
	}
	pairs := 0
	for i, near := range tracks {
		for _, far := range append(tracks[:i:i], tracks[i+1:]...) {
			pairs++
			if echo := crosstalk.FindEcho(near, far); echo != nil {
				t.Errorf("an echo in pair %d", pairs)
			}
		}
	}
	t.Logf("%d pairs", pairs)
}
