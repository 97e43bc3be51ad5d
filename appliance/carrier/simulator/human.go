package simulator

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/engine/arabic"
)

// humanParty simulates a person: says hello, listens to a question to its end, thinks and answers. People differ in
// their behaviour (Person) and answers (answer.go).
type humanParty struct {
	who    Person
	voice  personVoice
	ears   *playQueue
	chance *rand.Rand
	speak  func(context.Context, string) ([]int16, error)

	greets   int             // frames until hello; negative: said
	question *carrier.Speech // pending question
	taken    *queuedSpeech   // question that was answered before its end
	thinks   int             // frames until the answer; negative: not started
	saying   []int16
	keying   string // keys still to press
	rest     int    // frames until the next key

	last     string   // clip of the last answer
	said     string   // last answer that may be read back, normalized
	since    []string // normalized words heard since then
	answers  int      // number of answers
	refused  *string  // slot of the question that was answered by no
	patience int      // frames until a person hangs up midway
}

// Timing of people, in frames unless noted.
const (
	keyFrames   = 12               // between two keys
	midSentence = 35               // into the next question, until a hang-up
	enough      = 200              // without a question, until a hang-up
	interrupts  = carrier.Rate     // samples of a question before it is interrupted,
	worthwhile  = carrier.Rate / 2 // if at least this many remain
)

func newHuman(
	who Person, v personVoice, ears *playQueue, chance *rand.Rand, speak func(context.Context, string) ([]int16, error),
) *humanParty {
	h := &humanParty{who: who, voice: v, ears: ears, chance: chance, speak: speak, thinks: -1, patience: enough}
	h.greets = h.randomFrames(300*time.Millisecond, 900*time.Millisecond)
	return h
}

func (h *humanParty) randomFrames(low, high time.Duration) int {
	return int(randomDuration(h.chance, low, high) / carrier.Tick)
}

func (h *humanParty) tick(ctx context.Context, in []int16) (keys string, gone bool) {
	if h.who == Silent {
		return "", false
	}
	h.hearSpeech(ctx)
	if h.hangsUpNow() {
		return "", true
	}
	h.startSpeaking(ctx)
	h.saying = h.saying[copy(in, h.saying):]
	return h.nextKey(), false
}

// hearSpeech processes the speech that was played to its end.
func (h *humanParty) hearSpeech(ctx context.Context) {
	for _, s := range h.ears.heard {
		h.since = append(h.since, strings.Fields(arabic.FoldSpelling(s.Text))...)
		if s.expectsAnswer() && s != h.taken {
			h.question, h.thinks = &s.Speech, -1
		}
	}
	s := h.ears.currentSpeech()
	if h.who != Interrupts || s == nil || !s.expectsAnswer() || s == h.taken || s.Expects.Again > 0 || h.greets >= 0 {
		return
	}
	if len(h.saying) == 0 && s.at >= interrupts && len(s.PCM)-s.at >= worthwhile {
		h.taken = s
		h.replyTo(ctx, s.Speech)
	}
}

// startSpeaking starts to speak at the right time.
func (h *humanParty) startSpeaking(ctx context.Context) {
	switch {
	case len(h.saying) > 0 || h.keying != "":
	case h.greets >= 0:
		if h.greets == 0 {
			h.saying = h.voice.loadClip("callee.hello_salam")
		}
		h.greets--
	case h.question == nil:
	case h.ears.currentSpeech() != nil: // something else is being played
		h.thinks = -1
	case h.thinks < 0:
		h.thinks = h.thinkingFrames()
	case h.thinks > 0:
		h.thinks--
	default:
		h.replyTo(ctx, *h.question)
	}
}

// thinkingFrames returns the thinking time in frames.
func (h *humanParty) thinkingFrames() int {
	if h.who == Slow {
		return h.randomFrames(2*time.Second, 3500*time.Millisecond)
	}
	return h.randomFrames(300*time.Millisecond, 900*time.Millisecond)
}

func (h *humanParty) replyTo(ctx context.Context, q carrier.Speech) {
	h.question, h.thinks = nil, -1
	if h.who == Shy && h.answers == 0 && q.Expects.Again == 0 {
		h.answers++
		return
	}
	a := h.chooseAnswer(ctx, q)
	h.answers++
	h.patience = enough
	h.keying, h.saying = a.keys, a.sound
	if a.words != "" {
		h.said = a.words
	}
	h.since = nil
}

// nextKey returns the next key to press now; empty for none.
func (h *humanParty) nextKey() string {
	if h.keying == "" {
		return ""
	}
	if h.rest > 0 {
		h.rest--
		return ""
	}
	key := h.keying[:1]
	h.keying, h.rest = h.keying[1:], keyFrames
	return key
}

// hangsUpNow reports whether a person who hangs up midway does so now: some time into the question after the first
// answer, or when none comes. A repeated question counts as not answered.
func (h *humanParty) hangsUpNow() bool {
	s := h.ears.currentSpeech()
	if h.who != HangsUp || h.answers == 0 || s == nil || len(h.saying) > 0 {
		return false
	}
	switch {
	case s.expectsAnswer() && s.Expects.Again > 0:
		h.patience = enough
		return false
	case s.expectsAnswer():
		h.patience = min(h.patience, midSentence)
	}
	h.patience--
	return h.patience <= 0
}
