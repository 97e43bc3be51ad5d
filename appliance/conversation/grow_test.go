package conversation_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/appliance/tts"
)

const longLine = "هذا نص طويل"

// growingVoice gives the sound of longLine, 3 s, in ten parts; other texts at once.
type growingVoice struct {
	toneVoice
	first, next time.Duration // until the first part, and from one to the next
	stall       time.Duration // before the fourth part
	fails       int           // after so many parts; 0: never
}

// longSound is loud, and no frame of it is like another.
func longSound() []int16 {
	pcm := make([]int16, 3*carrier.Rate)
	for i := range pcm {
		pcm[i] = int16(3000 + i%20_011)
	}
	return pcm
}

func (v growingVoice) Speak(ctx context.Context, r tts.SpeechRequest) (tts.SpokenSound, error) {
	if r.Text != longLine || r.Stream == nil {
		r.Stream = nil
		return v.toneVoice.Speak(ctx, r)
	}
	pcm := longSound()
	wide := make([]int16, 2*len(pcm))
	const n = 3 * carrier.Rate / 10
	time.Sleep(v.first)
	for i := range 10 {
		if i == 3 {
			select {
			case <-time.After(v.stall):
			case <-ctx.Done():
				return tts.SpokenSound{}, ctx.Err()
			}
		}
		if i > 0 && i == v.fails {
			err := errors.New("it broke")
			r.Stream.EndParts(err)
			return tts.SpokenSound{}, err
		}
		part := tts.SpokenSound{PCM: pcm[i*n : (i+1)*n], Wide: wide[2*i*n : 2*(i+1)*n]}
		r.Stream.AddPart(part, time.Duration(9-i)*290*time.Millisecond) // an estimate
		time.Sleep(v.next)
	}
	r.Stream.EndParts(nil)
	return tts.SpokenSound{PCM: pcm, Wide: wide}, nil
}

// playedLine keeps what was played on a line in real time.
type playedLine struct {
	*scriptedCallee
	played []int16
}

func (l *playedLine) Next(ctx context.Context) (carrier.Frame, error) {
	f, err := l.scriptedCallee.Next(ctx)
	l.played = append(l.played, f.Out[:]...)
	return f, err
}

// holdGrowing holds a conversation whose voice speaks in parts.
func holdGrowing(t *testing.T, v growingVoice, person *scriptedCallee, steps string) (
	o conversation.ConversationOutcome, played []int16,
) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		person.nap = func() { time.Sleep(carrier.Tick) }
		line := &playedLine{scriptedCallee: person}
		var err error
		o, err = runConversation(t, person, conversation.ConversationInput{
			Scenario: readScenario(t, `"answering_machine":"off",`+steps),
		}, func(d *conversation.Dependencies) { d.Line, d.Speak = line, v })
		if err != nil {
			t.Error(err)
		}
		played = line.played
	})
	return o, played
}

// findSound returns where sound begins in what was played, in its one piece; -1 without it.
func findSound(played, sound []int16) int {
	for at := 0; at+len(sound) <= len(played); at++ {
		if played[at] == sound[0] && slices.Equal(played[at:at+len(sound)], sound) {
			return at
		}
	}
	return -1
}

func tookYes(o conversation.ConversationOutcome) bool {
	return strings.Contains(string(o.Report), `"ok":true`)
}

const (
	saysLong = `"steps":[{"id":"a","type":"say","say":["` + longLine + `","مع السلامة"]}]`
	asksLong = `"steps":[{"id":"q","type":"ask","say":"` + longLine + `","max_reasks":0,"timeout_seconds":2,
		"slot":{"name":"ok","type":"yes_no"}}]`
)

// TestSpeechGrows checks that a line is played as soon as its beginning is synthesized, in one piece, and that the next
// one follows its end.
func TestSpeechGrows(t *testing.T) {
	t.Parallel()
	v := growingVoice{first: 100 * time.Millisecond, next: 50 * time.Millisecond}
	o, played := holdGrowing(t, v, &scriptedCallee{}, saysLong)
	at := findSound(played, longSound())
	if at < 0 {
		t.Fatalf("it was not played in one piece:\n%s", formatOutcome(o))
	}
	if len(o.Messages) != 2 || math.Abs(o.Messages[0].End-o.Messages[0].Start-3) > 0.021 ||
		math.Abs(o.Messages[1].Start-o.Messages[0].End-0.2) > 0.021 || math.Abs(float64(at)/carrier.Rate-o.Messages[0].Start) > 0.021 {
		t.Errorf("played from %.2f s:\n%s", float64(at)/carrier.Rate, formatOutcome(o))
	}
	whole := growingVoice{first: 600 * time.Millisecond}
	late, _ := holdGrowing(t, whole, &scriptedCallee{}, saysLong)
	if earlier := late.Messages[0].Start - o.Messages[0].Start; earlier < 0.3 {
		t.Errorf("the first part came 0.5 s earlier, and is heard %.2f s earlier", earlier)
	}
}

// TestSpeechThatStalls checks that nothing of a line is lost, and nothing is played over it, when its voice stalls.
func TestSpeechThatStalls(t *testing.T) {
	t.Parallel()
	v := growingVoice{first: 100 * time.Millisecond, next: 50 * time.Millisecond, stall: 2 * time.Second}
	o, played := holdGrowing(t, v, &scriptedCallee{}, saysLong)
	sound := longSound()
	const cut = 3 * carrier.Rate * 3 / 10
	first, second := findSound(played, sound[:cut]), findSound(played, sound[cut:])
	if first < 0 || second <= first+cut || len(o.Messages) != 2 || o.Messages[1].Start < o.Messages[0].End {
		t.Errorf("parts at %d and %d:\n%s", first, second, formatOutcome(o))
	}
}

// TestGrowingQuestion checks that a question which grows waits for its whole sound, that its answer counts, and that a
// noise into it lets the rest be heard.
func TestGrowingQuestion(t *testing.T) {
	t.Parallel()
	v := growingVoice{first: 100 * time.Millisecond, next: 200 * time.Millisecond}
	answers := func(int, carrier.Speech) calleeReaction {
		return calleeReaction{after: 500 * time.Millisecond, say: "نعم"}
	}
	o, played := holdGrowing(t, v, &scriptedCallee{script: answers}, asksLong)
	if !tookYes(o) || findSound(played, longSound()) < 0 {
		t.Errorf("in peace:\n%s", formatOutcome(o))
	}
	noise := calleeReaction{after: 2900 * time.Millisecond, say: "…", takes: 100 * time.Millisecond}
	o, played = holdGrowing(t, v, &scriptedCallee{script: answers, start: noise}, asksLong)
	sound := longSound()
	if end := findSound(played, sound[len(sound)-carrier.Rate:]); !tookYes(o) || end < 0 || findSound(played, sound) >= 0 {
		t.Errorf("with a noise into it, its last second at %d:\n%s", end, formatOutcome(o))
	}
	words := calleeReaction{after: 2900 * time.Millisecond, say: "نعم أؤكد"}
	o, played = holdGrowing(t, v, &scriptedCallee{start: words}, asksLong)
	if !tookYes(o) || findSound(played, sound[len(sound)-carrier.Rate:]) >= 0 {
		t.Errorf("answered before its end:\n%s", formatOutcome(o))
	}
}

// TestSpeechThatBreaksOff checks that a line whose voice fails midway, or gives nothing for 10 s, ends there, with an
// error, and the call goes on; and that a slow voice may take longer than that for a whole line.
func TestSpeechThatBreaksOff(t *testing.T) {
	t.Parallel()
	v := growingVoice{first: 100 * time.Millisecond, next: 50 * time.Millisecond, fails: 4}
	o, played := holdGrowing(t, v, &scriptedCallee{}, saysLong)
	if findSound(played, longSound()[:carrier.Rate]) < 0 || len(o.Messages) != 2 || len(o.Errors) != 1 || o.Errors[0].Code != "speech_failed" {
		t.Errorf("it broke off:\n%s", formatOutcome(o))
	}
	if said := o.Messages[0].Content; said != "هذا" {
		t.Errorf("of the line 40 %% were heard, and %q is recorded", said)
	}
	v = growingVoice{first: 100 * time.Millisecond, stall: 15 * time.Second}
	o, played = holdGrowing(t, v, &scriptedCallee{}, saysLong)
	if findSound(played, longSound()[:carrier.Rate*9/10]) < 0 || len(o.Messages) != 2 || len(o.Errors) != 1 || o.Errors[0].Code != "speech_failed" {
		t.Errorf("it stalled:\n%s", formatOutcome(o))
	}
	v = growingVoice{first: 100 * time.Millisecond, next: 1200 * time.Millisecond}
	o, played = holdGrowing(t, v, &scriptedCallee{}, saysLong)
	sound := longSound()
	if findSound(played, sound[len(sound)-carrier.Rate/4:]) < 0 || len(o.Messages) != 2 || len(o.Errors) > 0 {
		t.Errorf("it is slow:\n%s", formatOutcome(o))
	}
}
