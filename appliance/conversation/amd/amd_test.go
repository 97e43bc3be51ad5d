package amd_test

import (
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"munadi/appliance/conversation/amd"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
	"munadi/assets/scenarios"
)

func phraseList(t testing.TB) *amd.GreetingPhrases {
	t.Helper()
	data, err := fs.ReadFile(scenarios.ScenarioFiles(), "words/machine_ar.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := amd.ReadPhrases(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const tick = 20 * time.Millisecond

// playSound passes a signal to the detector, except for an incomplete last frame, and returns the time at its end.
func playSound(d *amd.MachineDetector, at time.Duration, pcm []int16) time.Duration {
	for ; len(pcm) >= 160; at += tick {
		d.PushFrame(at, pcm[:160])
		pcm = pcm[160:]
	}
	return at
}

// sineMix returns a mix of sines of amplitude 4000 with faint noise.
func sineMix(ms int, hz ...float64) []int16 {
	rng := rand.New(rand.NewPCG(1, uint64(ms)))
	out := make([]int16, ms*8)
	for i := range out {
		v := 40 * rng.NormFloat64()
		for _, f := range hz {
			v += 4000 * math.Sin(2*math.Pi*f*float64(i)/8000)
		}
		out[i] = int16(v)
	}
	return out
}

// vowelHum returns a voice-like hum: a fundamental with falling overtones and vibrato.
func vowelHum(ms int, hz float64) []int16 {
	out := make([]int16, ms*8)
	phase := 0.0
	for i := range out {
		phase += 2 * math.Pi * hz * (1 + 0.02*math.Sin(2*math.Pi*5*float64(i)/8000)) / 8000
		v := 0.0
		for h := 1.0; h < 12; h++ {
			v += 4000 / h * math.Sin(h*phase)
		}
		out[i] = int16(v)
	}
	return out
}

func TestTones(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pcm  []int16
		want amd.AnswerVerdict
	}{
		"silence":            {sineMix(2000), amd.Unsure},
		"beep of 440 Hz":     {sineMix(400, 480), amd.Voicemail},
		"beep of 1000 Hz":    {sineMix(400, 1000), amd.Voicemail},
		"between two bins":   {sineMix(400, 1012.5), amd.Voicemail},
		"beep of 1400 Hz":    {sineMix(260, 1400), amd.Voicemail},
		"highest beep":       {sineMix(400, 2195), amd.Voicemail},
		"too short":          {sineMix(180, 1000), amd.Unsure},
		"ringing or busy":    {sineMix(1000, 425), amd.Unsure},
		"below the band":     {sineMix(1000, 200), amd.Unsure},
		"two tones: a key":   {sineMix(400, 770, 1336), amd.Unsure},
		"dial tone":          {sineMix(1000, 350, 440), amd.Unsure},
		"fax":                {sineMix(700, 2100), amd.Fax},
		"a beep at 2100 Hz":  {append(sineMix(300, 2100), sineMix(200)...), amd.Voicemail},
		"a low voice's hum":  {vowelHum(1500, 110), amd.Unsure},
		"a high voice's hum": {vowelHum(1500, 240), amd.Unsure},
		"a child's hum":      {vowelHum(1500, 380), amd.Unsure},
	} {
		d := amd.NewDetector(phraseList(t))
		playSound(d, 0, append(sineMix(500), append(c.pcm, sineMix(200)...)...))
		if got := d.Decision(); got.Verdict != c.want {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}

// glideTone returns a tone whose pitch and level change linearly.
func glideTone(ms int, hz, toHz, level, toLevel float64) []int16 {
	out := make([]int16, ms*8)
	phase := 0.0
	for i := range out {
		part := float64(i) / float64(len(out))
		phase += 2 * math.Pi * (hz + (toHz-hz)*part) / 8000
		out[i] = int16((level + (toLevel-level)*part) * math.Sin(phase))
	}
	return out
}

// TestVoicesAreNotDetectedAsBeeps checks that voice-like tones, which are pure but vary, are not detected as beeps.
func TestVoicesAreNotDetectedAsBeeps(t *testing.T) {
	t.Parallel()
	for name, pcm := range map[string][]int16{
		"a hum that falls":     glideTone(600, 420, 360, 4000, 4000),
		"a hum that swells":    glideTone(600, 380, 380, 1000, 4000),
		"a hum behind a vowel": append(vowelHum(200, 190), glideTone(300, 380, 382, 3000, 3000)...),
		"somebody whistles":    glideTone(500, 900, 1300, 4000, 4000),
	} {
		d := amd.NewDetector(phraseList(t))
		playSound(d, 0, append(sineMix(500), append(pcm, sineMix(300)...)...))
		if got := d.Decision(); got.Verdict.IsMachine() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestBundledVoicesAreNotDetectedAsBeeps checks all clips of simulated callees, over a telephone's band.
func TestBundledVoicesAreNotDetectedAsBeeps(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	clips, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clips.Clips() {
		if !c.IsOfGroup("callee") {
			continue
		}
		pcm := append(sineMix(300), overTheLine(clips.PCM(c))...)
		for _, skip := range []int{0, 80} {
			d := amd.NewDetector(phraseList(t))
			playSound(d, 0, pcm[skip:])
			if got := d.Decision(); got.Verdict.IsMachine() {
				t.Errorf("%s: %+v", c.Name, got)
			}
		}
	}
}

// overTheLine removes what is below a telephone's band: a first-order high-pass at 300 Hz, four times.
func overTheLine(in []int16) []int16 {
	const keep = 0.81 // 1 / (1 + 2π·300/8000)
	out := slices.Clone(in)
	for range 4 {
		var x, y float64
		for i, v := range out {
			y = keep * (y + float64(v) - x)
			x = float64(v)
			out[i] = int16(y)
		}
	}
	return out
}

// joinSounds concatenates signals.
func joinSounds(parts ...[]int16) (all []int16) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// repeatSound repeats a signal.
func repeatSound(n int, pcm []int16) (all []int16) {
	for range n {
		all = append(all, pcm...)
	}
	return all
}

// TestLineTones checks that fax tones, special information tones and call progress tones are classified within 8 s of
// the answer.
func TestLineTones(t *testing.T) {
	t.Parallel()
	tone := func(on int, hz ...float64) []int16 { return sineMix(on, hz...) }
	for name, c := range map[string]struct {
		pcm     []int16
		verdict amd.AnswerVerdict
		cause   string
	}{
		"a calling fax":               {repeatSound(2, joinSounds(tone(500, 1100), tone(3000))), amd.Fax, "calling_tone"},
		"an answering fax":            {tone(2600, 2100), amd.Fax, "tone"},
		"a mailbox's beep of 1100 Hz": {joinSounds(vowelHum(1200, 150), tone(300), tone(500, 1100), tone(500)), amd.Voicemail, "beep"},
		"information tones":           {joinSounds(tone(330, 950), tone(330, 1400), tone(330, 1800), tone(1000)), amd.InformationTone, "information_tones"},
		"information tones, American": {joinSounds(tone(276, 985.2), tone(276, 1370.6), tone(380, 1776.7), tone(500)), amd.InformationTone, "information_tones"},
		"information tones, apart":    {joinSounds(tone(380, 913.8), tone(30), tone(380, 1428.5), tone(30), tone(380, 1776.7), tone(500)), amd.InformationTone, "information_tones"},
		"a beep of 950 Hz":            {joinSounds(tone(400, 950), tone(500)), amd.Voicemail, "beep"},
		"a long beep of 950 Hz":       {joinSounds(tone(1500, 950), tone(500)), amd.Voicemail, "beep"},
		"busy":                        {repeatSound(8, joinSounds(tone(500, 425), tone(500))), amd.BusyTone, "cadence"},
		"congestion":                  {repeatSound(16, joinSounds(tone(250, 425), tone(250))), amd.CongestionTone, "cadence"},
		"busy, American":              {repeatSound(8, joinSounds(tone(500, 480, 620), tone(500))), amd.BusyTone, "cadence"},
		"a dial tone":                 {tone(7000, 350, 440), amd.BusyTone, "cadence"},
		"ringing":                     {repeatSound(2, joinSounds(tone(1000, 425), tone(4000))), amd.RingingTone, "cadence"},
		"ringing, American":           {repeatSound(2, joinSounds(tone(2000, 440, 480), tone(4000))), amd.RingingTone, "cadence"},
		"ringing, British":            {repeatSound(3, joinSounds(tone(400, 400, 450), tone(200), tone(400, 400, 450), tone(2000))), amd.RingingTone, "cadence"},
		"music":                       {repeatSound(4, chordMelody()), amd.Music, "music"},
	} {
		d := amd.NewDetector(phraseList(t))
		playSound(d, 0, append(sineMix(200), c.pcm...))
		if got := d.Decision(); got.Verdict != c.verdict || got.Cause != c.cause || got.At > 8*time.Second {
			t.Errorf("%s: %+v, want %s by %s", name, got, c.verdict, c.cause)
		}
	}
}

// chordMelody returns four seconds of chords that are struck and decay.
func chordMelody() (all []int16) {
	for _, root := range []float64{392, 440, 523.25, 349.23, 587.33, 440, 392, 659.25} {
		chord := make([]int16, 4000)
		for i := range chord {
			at := float64(i) / 8000
			fade := math.Exp(-2 * at)
			v := math.Sin(2*math.Pi*root*at) + 0.5*math.Sin(2*math.Pi*root*1.25*at) + 0.4*math.Sin(2*math.Pi*root*1.5*at)
			chord[i] = int16(3000 * fade * v)
		}
		all = append(all, chord...)
	}
	return all
}

// TestSpeechAndNoiseAreNoLineTones checks that continuous speech and street noise are never taken for a line tone.
func TestSpeechAndNoiseAreNoLineTones(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	clips, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, variant := range []string{"", "high", "low"} {
		var speech []int16
		for _, c := range clips.Clips() {
			if c.IsOfGroup("callee") && c.Variant() == variant {
				speech = append(speech, overTheLine(clips.PCM(c))...) // hardly a pause between
			}
		}
		for from := 0; from+9*8000 < len(speech); from += 4 * 8000 {
			d := amd.NewDetector(phraseList(t))
			playSound(d, 0, speech[from:from+9*8000])
			if got := d.Decision(); got.Verdict.IsMachine() {
				t.Errorf("voice %q from %d s: %+v", variant, from/8000, got)
			}
		}
	}
	rng := rand.New(rand.NewPCG(3, 3))
	noise := make([]int16, 9*8000)
	low := 0.0
	for i := range noise {
		low = 0.9*low + 400*rng.NormFloat64()
		noise[i] = int16(low)
	}
	d := amd.NewDetector(phraseList(t))
	playSound(d, 0, noise)
	if got := d.Decision(); got.Verdict.IsMachine() {
		t.Errorf("noise: %+v", got)
	}
}

func TestBeepCountsEarlyOnly(t *testing.T) {
	t.Parallel()
	d := amd.NewDetector(phraseList(t))
	playSound(d, 31*time.Second, sineMix(600, 1000))
	if d.Decision().Verdict.IsMachine() {
		t.Error("a beep after 30 s is a machine's")
	}
}

func TestTurns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		seconds float64
		verdict amd.AnswerVerdict
		cause   string
	}{
		// Greetings of machines, transcribed at best and with wrong letters.
		{"الرقم الذي طلبته غير متاح الآن اترك رسالة بعد الصافرة", 5, amd.Voicemail, "phrase"},
		{"الرقم الذي طلبت غير متاح الان اترك رساله بعد الصافره", 5, amd.Voicemail, "phrase"},
		{"هذا البريد الصوتي سجل رسالتك بعد سماع النغمة", 4, amd.Voicemail, "phrase"},
		{"هذا البريد الصوت", 2, amd.Voicemail, "phrase"},
		{"الهاتف المطلوب مغلق أو خارج نطاق التغطية", 4, amd.Announcement, "phrase"},
		{"للغة العربية اضغط واحد لخدمة العملاء اضغط اثنين", 5, amd.IVR, "phrase"},
		// Greetings of people.
		{"ألو", 0.5, amd.Human, "phrase"},
		{"ألو السلام عليكم", 1.9, amd.Human, "phrase"},
		{"وعليكم السلام ورحمة الله وبركاته أهلا وسهلا كيف الحال", 4.5, amd.Human, "phrase"},
		{"نعم أنا غير متاح الآن", 2, amd.Human, "phrase"},
		{"نعم الرقم الذي طلبته صحيح", 2, amd.Human, "phrase"},
		{"غير متاح حاليا", 1.2, amd.Human, "greeting"},
		{"البريد الصوتي", 1.2, amd.Human, "greeting"},
		{"أخوي مو موجود هذا جواله وهو مسافر اليوم", 3, amd.Unsure, "length"},
		{"", 3, amd.Unsure, "undecided"},
	} {
		d := amd.NewDetector(phraseList(t))
		end := time.Duration(c.seconds * float64(time.Second))
		d.PushTurn(c.text, 0, end, end+tick)
		if got := d.Decision(); got.Verdict != c.verdict || got.Cause != c.cause {
			t.Errorf("%q: %+v, want %s by %s", c.text, got, c.verdict, c.cause)
		}
	}
}

func TestSilenceIsNoMachine(t *testing.T) {
	t.Parallel()
	d := amd.NewDetector(phraseList(t))
	playSound(d, 0, sineMix(10_000))
	if got := d.Decision(); got.Verdict != amd.Unsure || got.Cause != "silence" || got.At < 6*time.Second {
		t.Errorf("%+v", got)
	}
}

func TestVerdictsAreOverturned(t *testing.T) {
	t.Parallel()
	second := time.Second
	t.Run("a short greeting by a beep", func(t *testing.T) {
		t.Parallel()
		d := amd.NewDetector(phraseList(t))
		d.PushTurn("البريد الصوتي", 0, second, second)
		playSound(d, 2*second, sineMix(400, 1000))
		if got := d.Decision(); got.Verdict != amd.Voicemail || got.Cause != "beep" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("a recorded hello by two phrases", func(t *testing.T) {
		t.Parallel()
		d := amd.NewDetector(phraseList(t))
		d.PushTurn("السلام عليكم", 0, second, second)
		d.PushTurn("محمد مو موجود اترك رسالة", 2*second, 4*second, 4*second)
		if got := d.Decision(); got.Verdict != amd.Human {
			t.Errorf("one phrase behind a hello: %+v", got)
		}
		d.PushTurn("اترك رسالتك بعد الصافرة", 5*second, 7*second, 7*second)
		if got := d.Decision(); got.Verdict != amd.Voicemail {
			t.Errorf("two phrases behind a hello: %+v", got)
		}
	})
	t.Run("never who has answered", func(t *testing.T) {
		t.Parallel()
		d := amd.NewDetector(phraseList(t))
		d.ConfirmPerson(3 * second)
		d.PushTurn("اترك رسالة بعد الصافرة", 4*second, 6*second, 6*second)
		playSound(d, 6*second, sineMix(400, 1000))
		if got := d.Decision(); got.Verdict != amd.Human || got.Cause != "answer" {
			t.Errorf("%+v", got)
		}
	})
}

func BenchmarkFrame(b *testing.B) {
	pcm := vowelHum(1000, 150)
	d := amd.NewDetector(&amd.GreetingPhrases{})
	for b.Loop() {
		playSound(d, 0, pcm)
	}
}
