package amd_test

import (
	"bytes"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/conversation/amd"
	"munadi/engine/audio"
	"munadi/engine/heldout"
)

// TestMain runs the tests, or the decoder process of a recording.
func TestMain(m *testing.M) {
	if !heldout.DecodeAudio() {
		os.Exit(m.Run())
	}
}

// onOff repeats a tone of these pitches and a pause, in ms, for a time.
func onOff(total, on, off int, hz ...float64) []int16 {
	return repeatSound(total/(on+off)+1, joinSounds(sineMix(on, hz...), sineMix(off)))
}

// answerTone returns ANSam (ITU-T V.8): 2100 Hz, reversed every 450 ms and modulated by a fifth at 15 Hz; without am, ANS
// with reversals (V.25).
func answerTone(ms int, am bool) []int16 {
	out := make([]int16, 8*ms)
	for i := range out {
		v := 4000 * math.Sin(2*math.Pi*2100*float64(i)/8000)
		if i/3600%2 == 1 {
			v = -v
		}
		if am {
			v *= 1 + 0.2*math.Sin(2*math.Pi*15*float64(i)/8000)
		}
		out[i] = int16(v)
	}
	return out
}

// overNoisyLine returns a signal through A-law at a level, over noise of a level (root mean square).
func overNoisyLine(pcm []int16, gain, noise float64) []int16 {
	rng := rand.New(rand.NewPCG(5, 5))
	out := make([]int16, len(pcm))
	for i, v := range pcm {
		out[i] = audio.DecodeALaw(audio.EncodeALaw(int16(gain*float64(v) + noise*rng.NormFloat64())))
	}
	return out
}

// TestLineTonesIn3Seconds checks that fax, busy, fast busy and special information tones are named within 3 s of their
// beginning: in the cadences of the Arab world, Europe and North America, off pitch, loud and soft, over a noisy line, and
// wherever in a frame they begin.
func TestLineTonesIn3Seconds(t *testing.T) {
	t.Parallel()
	sit := joinSounds(sineMix(330, 950), sineMix(330, 1400), sineMix(330, 1800), sineMix(1000))
	for name, c := range map[string]struct {
		pcm  []int16
		want amd.AnswerVerdict
	}{
		"busy, 425 Hz":                      {onOff(4000, 500, 500, 425), amd.BusyTone},
		"busy, 425 Hz, 10 Hz above":         {onOff(4000, 500, 500, 435), amd.BusyTone},
		"busy, 425 Hz, 10 Hz below":         {onOff(4000, 500, 500, 415), amd.BusyTone},
		"busy, British":                     {onOff(4000, 375, 375, 400), amd.BusyTone},
		"busy of 450 Hz":                    {onOff(4000, 350, 350, 450), amd.BusyTone},
		"busy of 400 and 450 Hz":            {onOff(4000, 500, 500, 400, 450), amd.BusyTone},
		"slow busy":                         {onOff(4000, 750, 750, 400), amd.BusyTone},
		"busy, American":                    {onOff(4000, 500, 500, 480, 620), amd.BusyTone},
		"busy, its first burst cut":         {onOff(4000, 500, 500, 425)[8*350:], amd.BusyTone},
		"busy, behind a pause":              {joinSounds(sineMix(300), onOff(4000, 500, 500, 425)), amd.BusyTone},
		"fast busy, British":                {repeatSound(3, joinSounds(sineMix(400, 400), sineMix(350), sineMix(225, 400), sineMix(525))), amd.CongestionTone},
		"fast busy, 425 Hz":                 {onOff(4000, 250, 250, 425), amd.CongestionTone},
		"fast busy of 200 ms":               {onOff(4000, 200, 200, 425), amd.CongestionTone},
		"fast busy, American":               {onOff(4000, 250, 250, 480, 620), amd.CongestionTone},
		"fast busy, American, 200 and 300":  {onOff(4000, 200, 300, 480, 620), amd.CongestionTone},
		"information tones":                 {sit, amd.InformationTone},
		"information tones, the first cut":  {sit[8*250:], amd.InformationTone},
		"information tones, the first lost": {sit[8*330:], amd.InformationTone},
		"an answering fax":                  {sineMix(3000, 2100), amd.Fax},
		"an answering fax, 10 Hz above":     {sineMix(3000, 2110), amd.Fax},
		"an answering modem, reversals":     {answerTone(3000, false), amd.Fax},
		"an answering modem, ANSam":         {answerTone(3000, true), amd.Fax},
		"a calling fax":                     {onOff(3500, 500, 3000, 1100), amd.Fax},
		"a calling fax, 35 Hz below":        {onOff(3500, 500, 3000, 1065), amd.Fax},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, line := range []struct{ gain, noise float64 }{{1, 0}, {0.15, 10}, {1, 200}, {4, 100}} {
				for _, lead := range []int{0, 33, 80, 127} {
					pcm := joinSounds(make([]int16, 8*400+lead), c.pcm)
					d := amd.NewDetector(phraseList(t))
					playSound(d, 0, overNoisyLine(pcm, line.gain, line.noise))
					if got := d.Decision(); got.Verdict != c.want || got.At > 3400*time.Millisecond {
						t.Errorf("at %v, from sample %d: %+v", line, lead, got)
					}
				}
			}
		})
	}
}

// TestRingingIsNotBusy checks that no cadence of a ringing tone is taken for one that ends a call in every policy.
func TestRingingIsNotBusy(t *testing.T) {
	t.Parallel()
	british := joinSounds(sineMix(400, 400, 450), sineMix(200), sineMix(400, 400, 450), sineMix(2000))
	for name, pcm := range map[string][]int16{
		"1 and 4 s":             onOff(12000, 1000, 4000, 425),
		"1.2 and 4.6 s":         onOff(12000, 1200, 4600, 425),
		"1.5 and 3 s":           onOff(12000, 1500, 3000, 450),
		"American":              onOff(12000, 2000, 4000, 440, 480),
		"British":               repeatSound(4, british),
		"British, from within":  repeatSound(4, british)[8*300:],
		"British, second burst": repeatSound(4, british)[8*600:],
	} {
		for _, gain := range []float64{1, 0.15} {
			d := amd.NewDetector(phraseList(t))
			playSound(d, 0, overNoisyLine(joinSounds(sineMix(400), pcm), gain, 20))
			if got := d.Decision(); got.Verdict != amd.RingingTone {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
}

// TestPeopleAreNoLineTones checks talk-off: in real speech no tone of a fax or a line is found. One recording of forty; all
// with MUNADI_LONG=1.
func TestPeopleAreNoLineTones(t *testing.T) {
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
	var speech []int16
	var seconds, files int
	flush := func() {
		d := amd.NewDetector(phraseList(t))
		playSound(d, 0, speech)
		if got := d.Decision(); got.Verdict.IsLineTone() || got.Verdict == amd.RingingTone {
			t.Errorf("within 30 s before file %d: %+v", files, got)
		}
		seconds, speech = seconds+len(speech)/8000, nil
	}
	for _, set := range []string{"asc", "ammi", "digits"} {
		err := filepath.WalkDir(filepath.Join(root, set), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".opus") {
				return err
			}
			if files++; files%every != 0 {
				return nil
			}
			speech = append(speech, overTheLine(readNarrowband(t, path))...)
			if len(speech) >= 30*8000 {
				flush()
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	flush()
	t.Logf("%d s of speech", seconds)
}

// readNarrowband reads a recording at 8000 samples per second.
func readNarrowband(t *testing.T, path string) []int16 {
	t.Helper()
	coded, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := audio.DecodeAll(t.Context(), bytes.NewReader(coded), audio.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	narrow := audio.NewResampler(audio.Rate, 8000).Push(nil, wide)
	out := make([]int16, len(narrow))
	for i, v := range narrow {
		out[i] = int16(32767 * max(-1, min(1, v)))
	}
	return out
}
