package conversation_test

import (
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/call"
	"munadi/store/scenario"
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

// TestMailboxWithoutAudio checks that a mailbox that sends no audio while it records is an answering machine, not a line
// that broke.
func TestMailboxWithoutAudio(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"voicemail":["مرحبا اتصلنا بكم","سنعاود الاتصال"],"steps":[{"id":"a","type":"ask","say":"هل تؤكدون","slot":{"name":"ok","type":"yes_no"}}]`)
	mailbox := &scriptedCallee{tones: toneFrames(1000, 500*time.Millisecond, time.Second)}
	d := newDependencies(t, mailbox)
	d.Line = breakingLine{mailbox, &carrier.DialError{Err: carrier.ErrNoAudio}}
	o, err := conversation.RunConversation(t.Context(), d, conversation.ConversationInput{Scenario: s})
	if err != nil {
		t.Error(err)
	}
	checkEnd(t, o, call.Automation, call.Voicemail)
}

// TestLineTonesEndTheCall checks that a line tone in the audio of an answered call ends it within 3 s, also where machines
// are only noted, and not where they are not looked for.
func TestLineTonesEndTheCall(t *testing.T) {
	t.Parallel()
	type tones = func(at time.Duration) []int16
	cadence := func(hz float64, on, cycle time.Duration) tones {
		sound := toneFrames(hz, 0, time.Hour)
		return func(at time.Duration) []int16 {
			if at%cycle >= on {
				return make([]int16, carrier.Samples)
			}
			return sound(at)
		}
	}
	sit := func(at time.Duration) []int16 {
		for i, hz := range []float64{950, 1400, 1800} {
			if from := time.Duration(i) * 340 * time.Millisecond; at < from+340*time.Millisecond {
				return toneFrames(hz, from, from+340*time.Millisecond)(at)
			}
		}
		return nil
	}
	for reason, sound := range map[call.FailureReason]tones{
		call.BusyTone:        cadence(425, 500*time.Millisecond, time.Second),
		call.CongestionTone:  cadence(425, 240*time.Millisecond, 480*time.Millisecond),
		call.InformationTone: sit,
		call.Fax:             toneFrames(2100, 200*time.Millisecond, 3*time.Second),
	} {
		for _, policy := range []scenario.MachinePolicy{scenario.MachineDetect, scenario.MachineHangUp, scenario.MachineOff} {
			t.Run(string(reason)+" "+string(policy), func(t *testing.T) {
				t.Parallel()
				s := builtIn(t, "appointment_confirmation")
				s.AnsweringMachine = policy
				o := holdTalk(t, &scriptedCallee{tones: sound}, conversation.ConversationInput{Scenario: s})
				ended := o.Status == call.Automation && call.ReasonOf(o.Failure) == reason && *o.Duration <= 3 && o.Machine.Verdict == string(reason)
				if ended == (policy == scenario.MachineOff) {
					t.Errorf("%s", formatOutcome(o))
				}
			})
		}
	}
}
