package conversation_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/call"
)

// holdingLine is a line whose other side holds the call: nothing is played meanwhile.
type holdingLine struct {
	*scriptedCallee
	from, lasts time.Duration // in the line's time
	held        time.Duration // so far
}

func (h *holdingLine) Next(ctx context.Context) (carrier.Frame, error) {
	if at := time.Duration(h.n) * carrier.Tick; at >= h.from && h.held < h.lasts {
		h.held += carrier.Tick
		return carrier.Frame{At: at + h.held - carrier.Tick, Held: true, Digits: "9"}, ctx.Err()
	}
	f, err := h.scriptedCallee.Next(ctx)
	f.At += h.held
	return f, err
}

// TestCallOnHold checks that nothing counts as silence while the call is held, that what the hold cut off is said again,
// and that messages keep the times of the recording.
func TestCallOnHold(t *testing.T) {
	t.Parallel()
	const flow = `"steps":[{"id":"q","type":"ask","say":"هل تؤكدون الحضور في هذا الموعد","max_reasks":0,"timeout_seconds":5,
		"slot":{"name":"ok","type":"yes_no"}},{"id":"bye","type":"end","say":"شكرا"}]`
	const question, thanks = "هل تؤكدون الحضور في هذا الموعد", "شكرا"
	for name, c := range map[string]struct {
		from, lasts time.Duration
		said        []string
		codes       string
		answered    any
	}{
		"while the question is asked": {3500 * time.Millisecond, time.Minute, []string{question, "نعم", thanks}, "", true},
		"while it is answered":        {5500 * time.Millisecond, time.Minute, []string{question, "هل تؤكدون", "نعم", thanks}, "", true},
		"by a switch, shortly":        {5500 * time.Millisecond, time.Second, []string{question, "نعم", thanks}, "", true},
		"for too long":                {5500 * time.Millisecond, time.Hour, []string{question}, "hold_limit", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := readScenario(t, flow)
			s.MaxDurationSeconds = 3600
			person := &scriptedCallee{script: func(int, carrier.Speech) calleeReaction {
				return calleeReaction{after: 2 * time.Second, say: "نعم"}
			}}
			line := &holdingLine{scriptedCallee: person, from: c.from, lasts: c.lasts}
			frames := 0
			o, err := runConversation(t, person, conversation.ConversationInput{Scenario: s}, func(d *conversation.Dependencies) {
				d.Line = line
				d.OnFrame = func(f carrier.Frame) {
					if frames++; f.At != time.Duration(frames-1)*carrier.Tick {
						t.Fatalf("frame %d is at %v", frames, f.At)
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			last := 0.0
			for _, m := range o.Messages {
				said = append(said, m.Content)
				last = m.End
			}
			if strings.Join(said, " / ") != strings.Join(c.said, " / ") || outcomeCodes(o) != c.codes || o.Status != call.Completed {
				t.Errorf("%s", formatOutcome(o))
			}
			if c.answered != nil && (readReport(t, o)["ok"] != c.answered || last < c.lasts.Seconds()) {
				t.Errorf("%s", formatOutcome(o))
			}
			if *o.Duration < int(min(c.lasts, conversation.HoldLimit)/time.Second) {
				t.Errorf("the call lasted %d s", *o.Duration)
			}
			want := min(c.lasts, conversation.HoldLimit).Seconds()
			if len(o.Holds) != 1 || o.Holds[0].Duration != want || o.Holds[0].At != c.from.Seconds() || o.Holds[0].By != call.HeldByCustomer {
				t.Errorf("holds %+v, want %v s at %v", o.Holds, want, c.from)
			}
		})
	}
	t.Run("until the longest duration", func(t *testing.T) {
		t.Parallel()
		s := readScenario(t, flow)
		s.MaxDurationSeconds = 60
		person := &scriptedCallee{}
		o, err := runConversation(t, person, conversation.ConversationInput{Scenario: s}, func(d *conversation.Dependencies) {
			d.Line = &holdingLine{scriptedCallee: person, from: 4 * time.Second, lasts: time.Hour}
		})
		if err != nil || outcomeCodes(o) != "max_duration" || *o.Duration != 60 {
			t.Errorf("%v %s", err, formatOutcome(o))
		}
	})
}
