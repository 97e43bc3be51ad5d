package conversation_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/call"
)

// TestTakeOver checks that a member of staff becomes the platform's side at once, and that the dialogue goes on where
// it was left, or at the step that they choose; who is lost is excused.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	const flow = `"steps":[{"id":"q","type":"ask","say":"هل تؤكدون الحضور في هذا الموعد","max_reasks":0,"slot":{"name":"ok","type":"yes_no"}},
		{"id":"more","type":"say","say":"نرجو الحضور قبل الموعد"},{"id":"bye","type":"end","say":"شكرا"}]`
	for name, c := range map[string]struct {
		phone staffPhone
		back  string // step; "-": not handed back
		said  string // after it
		how   string
	}{
		"handed back":           {staffPhone{speaks: 1}, "", "هل تؤكدون الحضور في هذا الموعد / نرجو الحضور قبل الموعد / شكرا", conversation.HandedBack},
		"handed back to a step": {staffPhone{speaks: 1}, "bye", "شكرا", conversation.HandedBack},
		"to an unknown step":    {staffPhone{speaks: 1}, "x", "هل تؤكدون الحضور في هذا الموعد / نرجو الحضور قبل الموعد / شكرا", conversation.HandedBack},
		"lost":                  {staffPhone{speaks: 1, ends: 5 * time.Second}, "-", "لحظة / هل تؤكدون الحضور في هذا الموعد / نرجو الحضور قبل الموعد / شكرا", conversation.StaffLost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := &staffTestLine{phone: &c.phone}
			back := make(chan string, 1)
			if c.back != "-" {
				back <- c.back
			}
			taken := conversation.NewTakeOver(line, "user:1", back)
			requests := make(chan *conversation.TakeOver, 1)
			said := 0
			var messages []string
			person := &scriptedCallee{script: func(asked int, _ carrier.Speech) calleeReaction {
				if asked == 0 {
					requests <- taken
				}
				return calleeReaction{}
			}}
			in := conversation.ConversationInput{Scenario: readScenario(t, flow)}
			o, err := runConversation(t, person, in, func(d *conversation.Dependencies) {
				d.TakeOvers = requests
				d.OnMessage = func(m call.Message) { messages = append(messages, m.Content) }
			})
			if err != nil {
				t.Fatal(err)
			}
			<-taken.Over()
			checkEnd(t, o, call.Completed, "")
			if said = len(messages); said == 0 || strings.Join(messages[1:], " / ") != c.said {
				t.Errorf("said %q, want %q", messages, c.said)
			}
			if len(o.Transfers) != 1 || o.Transfers[0].Way != call.BrowserWay || o.Transfers[0].To != "user:1" || taken.How() != c.how || !line.hung {
				t.Errorf("%+v, %s, hung up %v", o.Transfers, taken.How(), line.hung)
			}
		})
	}
}

// TestCallerLeavesWhoTookOver checks that a call whose person hangs up while staff talk is completed.
func TestCallerLeavesWhoTookOver(t *testing.T) {
	t.Parallel()
	taken := conversation.NewTakeOver(&staffTestLine{phone: &staffPhone{speaks: 1}}, "user:1", nil)
	requests := make(chan *conversation.TakeOver, 1)
	requests <- taken
	person := &scriptedCallee{start: calleeReaction{after: 8 * time.Second, hangup: true}}
	o, err := runConversation(t, person, conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")}, func(d *conversation.Dependencies) { d.TakeOvers = requests })
	if err != nil && !errors.Is(err, carrier.ErrHungUp) {
		t.Fatal(err)
	}
	<-taken.Over()
	checkEnd(t, o, call.Completed, "")
	if taken.How() != conversation.CallEnded || len(o.Transfers) != 1 || *o.Transfers[0].Duration < 7 {
		t.Errorf("%s: %+v", taken.How(), o.Transfers)
	}
}

// TestDisclosureAfterTakeOver checks that a disclosure that a takeover cut off is spoken when the platform goes on.
func TestDisclosureAfterTakeOver(t *testing.T) {
	t.Parallel()
	back := make(chan string, 1)
	back <- "bye"
	requests := make(chan *conversation.TakeOver, 1)
	requests <- conversation.NewTakeOver(&staffTestLine{phone: &staffPhone{speaks: 1}}, "user:1", back)
	in := conversation.ConversationInput{
		Scenario:   readScenario(t, `"steps":[{"id":"q","type":"say","say":"نرجو الحضور قبل الموعد"},{"id":"bye","type":"end","say":"شكرا"}]`),
		Disclosure: "شركة الاختبار المحدودة", Announce: true,
	}
	o, err := runConversation(t, &scriptedCallee{}, in, func(d *conversation.Dependencies) { d.TakeOvers = requests })
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Messages) != 3 || o.Messages[0].Content != in.Disclosure || o.Messages[2].Content != "شكرا" {
		t.Errorf("%s", formatOutcome(o))
	}
}

// TestJoinedStaff checks that a person is joined with the member of staff who waits for them: after the disclosure, and
// without a step of a scenario.
func TestJoinedStaff(t *testing.T) {
	t.Parallel()
	phone := &staffPhone{speaks: 1, ends: 8 * time.Second}
	line := &staffTestLine{phone: phone}
	person := &scriptedCallee{script: func(int, carrier.Speech) calleeReaction { return calleeReaction{} }}
	in := conversation.ConversationInput{
		Scenario: readScenario(t, `"steps":[{"id":"bye","type":"end","say":"شكرا"}]`), Disclosure: "شركة الاختبار المحدودة",
	}
	o, err := runConversation(t, person, in, func(d *conversation.Dependencies) {
		d.Joined = &conversation.JoinedStaff{Line: line, To: "sip:204@pbx"}
	})
	if err != nil {
		t.Fatal(err)
	}
	checkEnd(t, o, call.Completed, "")
	if said := saidTexts(o); said != in.Disclosure {
		t.Errorf("said %q", said)
	}
	if len(o.Transfers) != 1 || o.Transfers[0].Outcome != call.Transferred || *o.Transfers[0].Duration != 8 || o.Transfers[0].To != "sip:204@pbx" {
		t.Errorf("transfers %+v", o.Transfers)
	}
	if line.loud == 0 || !line.hung {
		t.Errorf("the member of staff heard %d frames; hung up: %t", line.loud, line.hung)
	}
}
