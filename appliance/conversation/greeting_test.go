package conversation_test

import (
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/call"
)

// TestThePersonGreetsFirst checks that the platform speaks when the greeting has ended, by its audio or by its words,
// after 2.5 s without a greeting, and that it does not wait for the end of a recorded greeting.
func TestThePersonGreetsFirst(t *testing.T) {
	t.Parallel()
	second := time.Second
	for name, c := range map[string]struct {
		person      scriptedCallee
		first, last float64 // when the platform begins
	}{
		"a word":              {scriptedCallee{start: calleeReaction{after: 400 * time.Millisecond, say: "ألو"}}, 0.7, 1.5},
		"a greeting":          {scriptedCallee{start: calleeReaction{after: 900 * time.Millisecond, say: "ألو السلام عليكم", takes: 1900 * time.Millisecond}}, 2.8, 3.6},
		"its sound ends":      {scriptedCallee{tones: toneFrames(400, second, 2*second)}, 2.3, 2.4},
		"silence":             {scriptedCallee{}, 2.48, 2.54},
		"a recorded greeting": {scriptedCallee{start: calleeReaction{after: second, say: "أهلا بكم في بيتنا نحن لسنا هنا", takes: 12 * second}}, 4.98, 5.04},
		"a click":             {scriptedCallee{tones: toneFrames(400, second, second+60*time.Millisecond)}, 2.48, 2.54},
	} {
		o := holdTalk(t, &c.person, conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")})
		for _, m := range o.Messages {
			if m.Role == call.Assistant {
				if m.Start < c.first || m.Start > c.last {
					t.Errorf("%s: the platform speaks at %.2f, want %.2f to %.2f", name, m.Start, c.first, c.last)
				}
				break
			}
		}
	}
}

// TestSilenceGetsThreeReplies checks that silence after a question gets three different replies, and that the call ends
// within 20 s.
func TestSilenceGetsThreeReplies(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"appointment_confirmation", "restaurant_order"} {
		o := holdTalk(t, &scriptedCallee{}, conversation.ConversationInput{Scenario: builtIn(t, id)})
		var ways []string
		asked, end := 0.0, 0.0
		for _, m := range o.Messages {
			switch {
			case len(ways) == 0 && (strings.HasPrefix(m.Content, "هل") || strings.HasPrefix(m.Content, "ماذا")):
				asked, ways = m.End, []string{""}
			case len(ways) > 0 && m.Start-end > 1:
				ways = append(ways, m.Content)
			case len(ways) > 0:
				ways[len(ways)-1] += m.Content
			}
			end = m.End
		}
		last := o.Errors[len(o.Errors)-1]
		if len(ways) != 4 || ways[1] == ways[2] || ways[2] == ways[3] || ways[1] == ways[3] || last.At-asked > 20 {
			t.Errorf("%s: %q until %.2f after %.2f", id, ways, last.At, asked)
		}
	}
}

// TestVoicemailMessage checks that a scenario's message is left after the tone, and that without a message or a tone
// the call ends.
func TestVoicemailMessage(t *testing.T) {
	t.Parallel()
	const message = `"voicemail":["مرحبا اتصلنا بكم",{"text":"سنعاود الاتصال","call_back":true}],"steps":[{"id":"a","type":"ask","say":"هل تؤكدون","slot":{"name":"ok","type":"yes_no"}}]`
	speaks := calleeReaction{after: 500 * time.Millisecond, say: "اترك رسالة بعد الصافرة", takes: 2 * time.Second}
	beep := toneFrames(1000, 4*time.Second, 4500*time.Millisecond)
	for name, c := range map[string]struct {
		person      scriptedCallee
		mayCallBack bool
		want        string
	}{
		"after the words":       {scriptedCallee{start: speaks, tones: beep}, true, "مرحبا اتصلنا بكم | سنعاود الاتصال"},
		"after the tone alone":  {scriptedCallee{tones: beep}, false, "مرحبا اتصلنا بكم"},
		"no tone":               {scriptedCallee{start: speaks}, false, ""},
		"a mailbox that leaves": {scriptedCallee{start: calleeReaction{after: speaks.after, say: speaks.say, then: &calleeReaction{after: 5 * time.Second, hangup: true}}}, false, ""},
	} {
		o := holdTalk(t, &c.person, conversation.ConversationInput{Scenario: readScenario(t, message), MayCallBack: c.mayCallBack})
		_, said, _ := strings.Cut("هل تؤكدون | "+strings.TrimPrefix(saidByPlatform(o), "هل تؤكدون"), "هل تؤكدون | ")
		said = strings.TrimPrefix(said, " | ")
		if o.Status != call.Automation || call.ReasonOf(o.Failure) != call.Voicemail || o.CallBack != c.mayCallBack ||
			!strings.HasSuffix(said, c.want) || c.want == "" && strings.Contains(said, "اتصلنا") {
			t.Errorf("%s: said %q\n%s", name, said, formatOutcome(o))
		}
		for _, m := range o.Messages {
			if m.Content == "مرحبا اتصلنا بكم" && m.Start < 4.7 {
				t.Errorf("%s: the message begins at %.2f, before the tone is over", name, m.Start)
			}
		}
	}
}

// TestLineTonesEndTheCall checks that a busy tone in the audio of an answered call ends it within 8 s, as busy.
func TestLineTonesEndTheCall(t *testing.T) {
	t.Parallel()
	busy := toneFrames(425, 0, time.Hour)
	person := &scriptedCallee{tones: func(at time.Duration) []int16 {
		if at%time.Second >= 500*time.Millisecond {
			return make([]int16, carrier.Samples)
		}
		return busy(at)
	}}
	o := holdTalk(t, person, conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")})
	if o.Status != call.UserRejected || call.ReasonOf(o.Failure) != call.Busy || *o.Duration > 8 || o.Machine.Verdict != "busy_tone" {
		t.Errorf("%s", formatOutcome(o))
	}
}
