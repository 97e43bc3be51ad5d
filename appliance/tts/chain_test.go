package tts_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/tts"
	"munadi/appliance/tts/loudness"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
	"munadi/assets/scenarios"
	"munadi/engine/arabic"
	"munadi/engine/audio"
	"munadi/store/scenario"
)

// openClips opens the built-in voice once for all tests: it decodes the wide sound when first asked.
var openClips = sync.OnceValues(func() (*voicepack.VoicePack, error) {
	return voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
})

func clipNames(t testing.TB) *voicepack.VoicePack {
	t.Helper()
	b, err := openClips()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newChain is a bare machine's chain, but for what o adds; it fails the test on any trouble that o doesn't take.
func newChain(t testing.TB, o tts.ChainOptions) *tts.VoiceChain {
	t.Helper()
	o.Bundle = clipNames(t)
	if o.ESpeak == "" {
		o.ESpeak = "none"
	}
	if o.Trouble == nil {
		o.Trouble = func(s tts.VoiceSource, err error) { t.Errorf("trouble with %s: %v", s, err) }
	}
	c, err := tts.NewChain(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func speakText(t testing.TB, c *tts.VoiceChain, org, said string) tts.SpokenSound {
	t.Helper()
	s, err := c.Speak(t.Context(), tts.SpeechRequest{OrgID: org, Text: said})
	if err != nil {
		t.Fatalf("%q: %v", said, err)
	}
	checkLevel(t, said, s.PCM)
	return s
}

func checkLevel(t testing.TB, what string, pcm []int16) {
	t.Helper()
	samples := toFloats(pcm)
	if got := loudness.IntegratedLoudness(samples, tts.Rate); math.Abs(got-loudness.Target) > 1 {
		t.Errorf("%q: %.2f LUFS, want %.0f ± 1", what, got, loudness.Target)
	}
	if peak := loudness.TruePeak(samples, tts.Rate); peak > 0.95 {
		t.Errorf("%q: true peak %.3f", what, peak)
	}
}

func toFloats(pcm []int16) []float32 {
	samples := make([]float32, len(pcm))
	for i, v := range pcm {
		samples[i] = float32(v) / 32768
	}
	return samples
}

// toneWAV is a tone of a second.
func toneWAV(t testing.TB, hz float64, rate int) []byte {
	t.Helper()
	return wavOf(t, rate, func(at float64) float64 { return 0.9 * math.Sin(hz*at) })
}

// wavOf is a second of a sound; at is the time in seconds, times 2π.
func wavOf(t testing.TB, rate int, sound func(at float64) float64) []byte {
	t.Helper()
	samples := make([]float32, rate)
	for i := range samples {
		samples[i] = float32(sound(2 * math.Pi * float64(i) / float64(rate)))
	}
	var b bytes.Buffer
	if err := audio.WriteWAV(&b, samples, rate); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// powerAt is the part of a sound's power at a frequency (Goertzel).
func powerAt(pcm []int16, hz, rate float64) float64 {
	re, im, power := 0.0, 0.0, 1.0
	for i, v := range pcm {
		w := 2 * math.Pi * hz * float64(i) / rate
		re, im, power = re+float64(v)*math.Cos(w), im+float64(v)*math.Sin(w), power+float64(v)*float64(v)
	}
	return 2 * (re*re + im*im) / (power * float64(len(pcm)))
}

// tonePitch is a tone's frequency by its zero crossings.
func tonePitch(pcm []int16) float64 {
	n := 0
	for i := 1; i < len(pcm); i++ {
		if pcm[i-1] < 0 && pcm[i] >= 0 {
			n++
		}
	}
	return float64(n) * tts.Rate / float64(len(pcm))
}

func writeFile(t *testing.T, data []byte, elements ...string) {
	t.Helper()
	path := filepath.Join(elements...)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestEveryBundledPromptIsSpokenByItsRecording(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	c, b := newChain(t, tts.ChainOptions{}), clipNames(t)
	for _, clip := range b.Clips() {
		if !clip.IsOfGroup("appointment", "common", "restaurant") {
			continue
		}
		for _, written := range []string{clip.Text, clip.Plain, clip.Plain + "؟"} {
			s, err := c.Speak(t.Context(), tts.SpeechRequest{OrgID: "default", Text: written})
			if err != nil || s.Source != tts.Recorded || !slices.Equal(s.PCM, b.PCM(clip)) {
				t.Errorf("%q: spoken by %s, %v, want the recording %s", written, s.Source, err, clip.Name)
			}
		}
	}
}

// TestBundledPromptIsDecodedOnce checks that a bundled recording comes from the cache the second time: its wideband sound
// is expensive to decode, and every call says it.
func TestBundledPromptIsDecodedOnce(t *testing.T) {
	t.Parallel()
	c := newChain(t, tts.ChainOptions{})
	text := clipNames(t).Clips()[0].Text
	first, again := speakText(t, c, "default", text), speakText(t, c, "default", text)
	if first.Source != tts.Recorded || &first.Wide[0] != &again.Wide[0] {
		t.Errorf("%q by %s was decoded twice", text, first.Source)
	}
}

func TestBlocksSpeakNumbersDatesAndTimes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	c := newChain(t, tts.ChainOptions{})
	for n := 0; n < 1000; n += 41 {
		speakText(t, c, "", arabic.SpellNumber(n)+" ريالا")
	}
	for minutes := 0; minutes < 24*60; minutes += 105 {
		speakText(t, c, "", arabic.SpellTime(minutes/60, minutes%60))
	}
	for day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2026; day = day.AddDate(0, 0, 23) {
		s := speakText(t, c, "", arabic.SpellDate(day)+"، "+arabic.SpellTime(17, 30))
		if s.Source != tts.Blocks {
			t.Errorf("%s is spoken by %s", arabic.SpellDate(day), s.Source)
		}
	}
}

func TestBlocksTakeTheLongestMatch(t *testing.T) {
	t.Parallel()
	c, b := newChain(t, tts.ChainOptions{}), clipNames(t)
	length := func(names ...string) int {
		n := 0
		for _, name := range names {
			clip, ok := b.Clip(name)
			if !ok {
				t.Fatal(name)
			}
			n += len(b.PCM(clip))
		}
		return n
	}
	const gap = tts.Rate * 30 / 1000
	for _, tc := range []struct {
		said string
		want int
	}{
		{"مئة وخمسة وعشرين ريال", length("number.100", "word.and", "number.25", "restaurant.riyal") + 2*gap},
		{"اثنان برجر وعصير برتقال", length("callee.two_burgers", "word.and", "callee.orange_juice") + gap},
		{"أربعمائة", length("number.4", "number.100") + gap},
		{
			"شكرا لكم تم تأكيد الموعد. السلام عليكم ورحمة الله",
			length("appointment.confirmed", "appointment.greeting") + tts.Rate/4,
		},
	} {
		if s := speakText(t, c, "", tc.said); len(s.PCM) != tc.want || s.Source != tts.Blocks {
			t.Errorf("%q: %d samples by %s, want %d", tc.said, len(s.PCM), s.Source, tc.want)
		}
	}
}

func TestWhatNothingCanSpeak(t *testing.T) {
	t.Parallel()
	c := newChain(t, tts.ChainOptions{})
	long := string(bytes.Repeat([]byte("نعم "), 1000))
	for _, said := range []string{"", "؟!", "مرحبا يا عبدالمتعال", "الساعة 17:30", "good morning", long} {
		if s, err := c.Speak(t.Context(), tts.SpeechRequest{Text: said}); !errors.Is(err, tts.ErrNoVoice) {
			t.Errorf("%.20q: spoken by %s, %v; want ErrNoVoice", said, s.Source, err)
		}
	}
}

func TestOperatorsRecordings(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	writeFile(t, []byte("hello\tأهلا بكم في عيادتنا\nnobody.wav\tلا أحد\n"), folder, "org-1", "texts.tsv")
	writeFile(t, toneWAV(t, 300, 16000), folder, "org-1", "hello.wav")
	writeFile(t, toneWAV(t, 500, 44100), folder, "org-1", "bye.wav")
	writeFile(t, []byte("إلى اللقاء\n"), folder, "org-1", "bye.txt")
	writeFile(t, toneWAV(t, 700, 8000), folder, "org-1", "appointment.greeting.wav")
	writeFile(t, toneWAV(t, 900, 8000), folder, "org-1", "unknown.wav")
	c := newChain(t, tts.ChainOptions{Recordings: folder})
	for said, want := range map[string]float64{
		"أَهْلًا بكم في عيادتنا": 300, "الى اللقاء": 500, "السلام عليكم ورحمة الله": 700,
	} {
		s := speakText(t, c, "org-1", said)
		if got := tonePitch(s.PCM); s.Source != tts.Recorded || math.Abs(got-want) > 15 {
			t.Errorf("%q: %.0f Hz by %s, want the recording of %.0f Hz", said, got, s.Source, want)
		}
	}
	if s := speakText(t, c, "org-2", "السلام عليكم ورحمة الله"); len(s.PCM) == tts.Rate {
		t.Error("one organization hears another's recording")
	}
	for _, org := range []string{"org-2", "", "..", "../org-1", "/org-1", "."} {
		_, err := c.Speak(t.Context(), tts.SpeechRequest{OrgID: org, Text: "إلى اللقاء"})
		if !errors.Is(err, tts.ErrNoVoice) {
			t.Errorf("organization %q: %v, want ErrNoVoice", org, err)
		}
	}
}

// TestWideSound: what a source has above 4 kHz is there for wideband lines, and nothing of it for the others, where it
// would be heard as another tone.
func TestWideSound(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	both := func(rate int) []byte {
		return wavOf(t, rate, func(at float64) float64 { return (math.Sin(700*at) + math.Sin(6000*at)) / 3 })
	}
	writeFile(t, both(44100), folder, "org-1", "appointment.greeting.wav")
	writeFile(t, toneWAV(t, 700, 8000), folder, "org-1", "appointment.purpose.wav")
	e := newEndpoint(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(both(24000)) })
	e.CacheDir = filepath.Join(t.TempDir(), "speech")
	for name, c := range map[string]struct {
		org, said string
		high      float64 // part of the power at 6 kHz; the rest is at 700 Hz. -1: speech
	}{
		"recording":              {"org-1", "السلام عليكم ورحمة الله", 0.5},
		"narrowband recording":   {"org-1", "نتصل بكم لتأكيد موعدكم", 0},
		"endpoint":               {"", unknown, 0.5},
		"bundled recording":      {"", "السلام عليكم ورحمة الله", -1},
		"bundled blocks, joined": {"", "مئة وخمسة وعشرين ريال. أربعمائة", -1},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 { // the second chain finds the endpoint's on disk
				o := tts.ChainOptions{Recordings: folder}
				if c.said == unknown {
					o.Endpoint = e
				}
				s, err := newChain(t, o).Speak(t.Context(), tts.SpeechRequest{OrgID: c.org, Text: c.said})
				if err != nil || len(s.Wide) != 2*len(s.PCM) {
					t.Fatalf("%d samples, %d at twice the rate, %v", len(s.PCM), len(s.Wide), err)
				}
				if low, high := powerAt(s.Wide, 700, tts.WideRate), powerAt(s.Wide, 6000, tts.WideRate); c.high >= 0 &&
					(math.Abs(high-c.high) > 0.02 || math.Abs(low-(1-c.high)) > 0.02) {
					t.Errorf("%.3f of the power lies at 6 kHz, %.3f at 700 Hz", high, low)
				}
				if low := powerAt(s.PCM, 700, tts.Rate); c.high >= 0 && low < 0.98 {
					t.Errorf("%.3f of the narrowband power lies at 700 Hz", low)
				}
				checkLevel(t, c.said, s.PCM)
				if loud := loudness.IntegratedLoudness(toFloats(s.Wide), tts.WideRate); math.Abs(loud-loudness.Target) > 1 {
					t.Errorf("the wideband sound: %.1f LUFS", loud)
				}
			}
		})
	}
}

func TestAChangedRecordingCountsAtOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := newChain(t, tts.ChainOptions{Recordings: folder})
	const said = "السلام عليكم ورحمة الله"
	bundled := speakText(t, c, "o", said)
	writeFile(t, toneWAV(t, 300, 8000), folder, "o", "appointment.greeting.wav")
	if got := tonePitch(speakText(t, c, "o", said).PCM); math.Abs(got-300) > 15 {
		t.Errorf("after it was put there: %.0f Hz", got)
	}
	writeFile(t, toneWAV(t, 600, 16000), folder, "o", "appointment.greeting.wav")
	if got := tonePitch(speakText(t, c, "o", said).PCM); math.Abs(got-600) > 15 {
		t.Errorf("after it was replaced: %.0f Hz", got)
	}
	if err := os.RemoveAll(filepath.Join(folder, "o")); err != nil {
		t.Fatal(err)
	}
	if s := speakText(t, c, "o", said); !slices.Equal(s.PCM, bundled.PCM) {
		t.Error("after it was removed something else than the bundled prompt is spoken")
	}
}

// TestAChangedTextCountsAtOnce: an editor that writes a text in its place changes no folder.
func TestAChangedTextCountsAtOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := newChain(t, tts.ChainOptions{Recordings: folder})
	writeFile(t, toneWAV(t, 300, 8000), folder, "o", "hello.wav")
	writeFile(t, []byte("السلام عليكم"), folder, "o", "hello.txt")
	said := func(text string) bool {
		_, err := c.Speak(t.Context(), tts.SpeechRequest{OrgID: "o", Text: text})
		return err == nil
	}
	if !said("السلام عليكم") || said("أهلا بكم في عيادتنا") {
		t.Fatal("the recording does not say its text")
	}
	writeFile(t, []byte("أهلا بكم في عيادتنا"), folder, "o", "hello.txt")
	later := time.Now().Add(time.Second) // a file system's clock may be coarse
	if err := os.Chtimes(filepath.Join(folder, "o", "hello.txt"), later, later); err != nil {
		t.Fatal(err)
	}
	if !said("أهلا بكم في عيادتنا") || said("السلام عليكم") {
		t.Error("the recording says its old text")
	}
}

func TestABrokenRecordingIsPassedOver(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	writeFile(t, []byte("RIFF, but no more"), folder, "o", "appointment.greeting.wav")
	writeFile(t, toneWAV(t, 0, 8000), folder, "o", "common.goodbye.wav") // silence
	var mu sync.Mutex
	told := 0
	c := newChain(t, tts.ChainOptions{Recordings: folder, Trouble: func(s tts.VoiceSource, _ error) {
		mu.Lock()
		defer mu.Unlock()
		if s == tts.Recorded {
			told++
		}
	}})
	for _, said := range []string{"السلام عليكم ورحمة الله", "شكرا جزيلا مع السلامة"} {
		if s := speakText(t, c, "o", said); s.Source != tts.Recorded {
			t.Errorf("%q is spoken by %s", said, s.Source)
		}
	}
	if told != 2 {
		t.Errorf("Trouble was called for %d recordings, want 2", told)
	}
}

func TestSpeakTogether(t *testing.T) {
	t.Parallel()
	c := newChain(t, tts.ChainOptions{Keep: 100_000}) // six seconds
	each := 100
	if testing.Short() {
		each = 25 // still more than is kept
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range each {
				if _, err := c.Speak(context.Background(), tts.SpeechRequest{Text: arabic.SpellNumber(100 + (n+i)%50)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// On a bare machine the built-in scenarios speak by recordings alone, and their templates by blocks.
func TestBuiltInScenariosAreSpokenOnABareMachine(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	all, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil || len(all) != 2 {
		t.Fatalf("%d scenarios, %v", len(all), err)
	}
	c := newChain(t, tts.ChainOptions{})
	spoken := 0
	for _, s := range all {
		for _, step := range s.Steps {
			for _, line := range slices.Concat(step.Say, step.Reask, step.NoInput, step.Change) {
				if strings.Contains(line.Text, "{{") {
					continue
				}
				spoken++
				if s := speakText(t, c, "default", line.Text); s.Source != tts.Recorded {
					t.Errorf("%q is spoken by %s, want a recording", line.Text, s.Source)
				}
			}
		}
	}
	if spoken < 40 {
		t.Errorf("%d lines, want those of both scenarios", spoken)
	}
	if s := speakText(t, c, "default", "المبلغ الإجمالي "+arabic.SpellNumber(120)+" ريالا"); s.Source != tts.Blocks {
		t.Errorf("the total is spoken by %s", s.Source)
	}
}
