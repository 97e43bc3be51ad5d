package conversation_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/engine"
	"munadi/engine/heldout"
)

// soundLine is a line whose other side is heard: sound that begins some time into the prompt, and the prompt's echo.
type soundLine struct {
	*scriptedCallee
	sound  []int16       // of the other side
	into   time.Duration // when it begins, after the first voiced frame of the prompt
	echo   float64       // of what is played, as a factor
	delay  int           // of the echo, in samples
	played []int16
	first  int   // sample at which the prompt began; -1: not yet
	voiced []int // first samples of the voiced frames that were played
}

func (l *soundLine) Next(ctx context.Context) (carrier.Frame, error) {
	f, err := l.scriptedCallee.Next(ctx)
	if err != nil {
		return f, err
	}
	at := len(l.played)
	l.played = append(l.played, f.Out[:]...)
	if levelOf(f.Out[:]) > 150 {
		l.voiced = append(l.voiced, at)
		if l.first < 0 {
			l.first = at
		}
	}
	from := l.first + int(l.into*carrier.Rate/time.Second)
	for i := range f.In {
		v := 0.0
		if k := at + i - from; l.first >= 0 && k >= 0 && k < len(l.sound) {
			v = float64(l.sound[k])
		}
		if k := at + i - l.delay; k >= 0 {
			v += l.echo * float64(l.played[k])
		}
		f.In[i] = int16(v)
	}
	return f, nil
}

func levelOf(pcm []int16) float64 {
	sum := 0.0
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(max(1, len(pcm))))
}

// silentAfter returns for how long the prompt was still heard after the sound began; false if it was not stopped for
// 200 ms within the next second.
func (l *soundLine) silentAfter() (time.Duration, bool) {
	began := l.first + int(l.into*carrier.Rate/time.Second)
	last := began
	for _, at := range l.voiced {
		if at <= began {
			continue
		}
		if at-last > carrier.Rate/5 {
			break
		}
		last = at + carrier.Samples
	}
	return time.Duration(last-began) * time.Second / carrier.Rate, last-began < carrier.Rate
}

const (
	toldLine  = "نرجو الحضور قبل الموعد بربع ساعة"
	askedLine = "هل تؤكدون الحضور في هذا الموعد"
	toldAsked = `"answering_machine":"off","steps":[{"id":"q","type":"ask","say":["` + toldLine + `","` + askedLine + `"],` +
		`"max_reasks":0,"timeout_seconds":1,"slot":{"name":"ok","type":"yes_no"}}]`
)

// hear holds a call of one question and returns its outcome.
func (l *soundLine) hear(t *testing.T, w simulatedWorld) conversation.ConversationOutcome {
	t.Helper()
	l.scriptedCallee, l.first = &scriptedCallee{hung: make(chan struct{})}, -1
	s, err := w.engine.OpenStream(engine.StreamOptions{Onset: true})
	if err != nil {
		t.Fatal(err)
	}
	o, err := conversation.RunConversation(t.Context(), conversation.Dependencies{
		Line: l, Hear: recognizerStream{s}, Speak: w.speaker, Book: newPhraseBook(t), Now: func() time.Time { return saturday },
	}, conversation.ConversationInput{Scenario: readScenario(t, toldAsked)})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// wasTold reports whether both lines were played to their end.
func wasTold(o conversation.ConversationOutcome) bool {
	told := 0
	for _, m := range o.Messages {
		if m.Content == toldLine || m.Content == askedLine {
			told++
		}
	}
	return told == 2
}

// coughs are generated: bursts of noise through the throat's resonances, which fade.
func coughs(chance *rand.Rand) []int16 {
	var out []int16
	for range 1 + chance.IntN(3) {
		level, fade := 3000+3000*chance.Float64(), 25+40*chance.Float64()
		low, band := 0.0, 0.0
		for i := range int(carrier.Rate * (0.15 + 0.25*chance.Float64())) {
			noise := chance.NormFloat64()
			band += 0.5 * (noise - band)
			low += 0.3 * (band - low)
			rise := math.Min(1, float64(i)/80)
			out = append(out, int16(max(-32000, min(32000, level*rise*math.Exp(-float64(i)/carrier.Rate*1000/fade/3)*(band-0.4*low)*2))))
		}
		out = append(out, make([]int16, carrier.Rate/10+chance.IntN(carrier.Rate/3))...)
	}
	return out
}

// noises are a second and a half of what a line carries beside voices.
func noises(chance *rand.Rand) []int16 {
	kind, level := chance.IntN(4), 300+2000*chance.Float64()
	slow := 0.0
	out := make([]int16, carrier.Rate*3/2)
	for i := range out {
		white := chance.NormFloat64()
		slow += 0.05 * (white - slow)
		v := white
		switch kind {
		case 1:
			v = 4 * slow // traffic
		case 2:
			v = 1.4 * math.Sin(2*math.Pi*50*float64(i)/carrier.Rate) // mains
		case 3:
			v = white * math.Exp(-float64(i%(carrier.Rate/4))/100) * 3 // knocks
		}
		out[i] = int16(max(-32000, min(32000, level*v)))
	}
	return out
}

// TestNothingButWordsInterrupts counts prompts that do not come to their end: over noise, coughs, and their own echo at
// -20 dB, none of which is an answer.
func TestNothingButWordsInterrupts(t *testing.T) {
	w := simulatedWorld{speaker: bundledVoice(t), engine: openRecognizer(t)}
	chance := rand.New(rand.NewPCG(1, 2))
	for name, sound := range map[string]func(*soundLine){
		"noise":  func(l *soundLine) { l.sound = noises(chance) },
		"coughs": func(l *soundLine) { l.sound = coughs(chance) },
		"echo":   func(l *soundLine) { l.echo, l.delay = 0.1, 400+chance.IntN(2400) },
	} {
		const calls = 50
		stopped, paused := 0, 0
		for range calls {
			l := &soundLine{into: 300*time.Millisecond + time.Duration(chance.Int64N(int64(3500*time.Millisecond)))}
			sound(l)
			o := l.hear(t, w)
			if !wasTold(o) {
				stopped++
				t.Logf("%s: %s", name, formatOutcome(o))
			}
			if _, silent := l.silentAfter(); silent && l.into < time.Second {
				paused++
			}
		}
		t.Logf("%s: %d of %d prompts were stopped; of those that began in the first second %d paused", name, stopped, calls, paused)
		if 50*stopped > calls {
			t.Errorf("%s stops more than 2 %% of the prompts", name)
		}
	}
}

// TestWordsInterrupt measures how soon a prompt falls silent when somebody speaks into it, and that a back-channel while
// something is told lets it go on, but answers the question that is being asked.
func TestWordsInterrupt(t *testing.T) {
	w := simulatedWorld{speaker: bundledVoice(t), engine: openRecognizer(t)}
	voice := clipVoices(t)
	clip := func(name string) []int16 {
		c, ok := voice.Clip(name)
		if !ok {
			t.Fatal("no clip", name)
		}
		return trimStart(voice.PCM(c))
	}
	for _, name := range []string{"callee.cannot_come", "callee.yes_confirm", "callee.repeat", "callee.agent", "callee.busy_now", "callee.dont_call"} {
		for _, into := range []time.Duration{700 * time.Millisecond, 1300 * time.Millisecond, 3800 * time.Millisecond} {
			l := &soundLine{sound: clip(name), into: into}
			o := l.hear(t, w)
			took, silent := l.silentAfter()
			t.Logf("%s after %v: silent after %v\n%s", name, into, took, formatOutcome(o))
			if !silent || took > 200*time.Millisecond {
				t.Errorf("%s after %v: the prompt is silent after %v", name, into, took)
			}
		}
	}
	for _, name := range []string{"callee.yes", "callee.aywa"} {
		o := (&soundLine{sound: clip(name), into: 900 * time.Millisecond}).hear(t, w)
		if !wasTold(o) || readReport(t, o)["ok"] != nil {
			t.Errorf("%s while something is told:\n%s", name, formatOutcome(o))
		}
		o = (&soundLine{sound: clip(name), into: 4200 * time.Millisecond}).hear(t, w)
		if wasTold(o) || readReport(t, o)["ok"] != true {
			t.Errorf("%s to the question:\n%s", name, formatOutcome(o))
		}
	}
}

// trimStart leaves out the silence before a clip.
func trimStart(pcm []int16) []int16 {
	for len(pcm) > carrier.Samples && levelOf(pcm[:carrier.Samples/2]) < 150 {
		pcm = pcm[carrier.Samples/2:]
	}
	return pcm
}

// trimBackground leaves out what a microphone hears before the word: up to the first 20 ms within
// 20 dB of the loudest, about the margin of active speech in ITU-T P.56 (15.9 dB below its mean level).
func trimBackground(pcm []int16) []int16 {
	loudest := 0.0
	for frame := range slices.Chunk(pcm, carrier.Samples) {
		loudest = max(loudest, levelOf(frame))
	}
	for len(pcm) > carrier.Samples && levelOf(pcm[:carrier.Samples]) < loudest/10 {
		pcm = pcm[carrier.Samples/2:]
	}
	return pcm
}

// TestHeldOutPeopleInterrupt does the same with single words of people whom the model was not trained with. MUNADI_SPEECH
// names the folder of the recordings.
func TestHeldOutPeopleInterrupt(t *testing.T) {
	takes := heldout.WordTakes(t, heldout.OpenRecordings(t), "yes", "no", "stop", "left")
	w := simulatedWorld{speaker: bundledVoice(t), engine: openRecognizer(t)}
	var within, words, gone, channels int
	for i, take := range takes {
		into := time.Duration(600+i*37%1000) * time.Millisecond
		l := &soundLine{sound: trimBackground(eightKilohertz(take.Samples)), into: into}
		o := l.hear(t, w)
		if take.Word == "نعم" {
			channels++
			if wasTold(o) {
				gone++
			}
			continue
		}
		words++
		took, silent := l.silentAfter()
		if silent && took <= 150*time.Millisecond && !wasTold(o) {
			within++
			continue
		}
		t.Logf("%s %s: silent after %v, whole prompt heard: %v", take.Who, take.Word, took, wasTold(o))
	}
	t.Logf("%d of %d words silence the prompt within 150 ms; it goes on after %d of %d back-channels", within, words, gone, channels)
	if 100*within < 98*words || 100*gone < 95*channels {
		t.Error("fewer than 98 % of the words, or 95 % of the back-channels")
	}
}
