package conversation_test

import (
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/call"
)

// TestReplyTiming checks that a message which answers the person says how long they waited, in the line's time: after an
// answer, an intent and keys; and that no other message does.
func TestReplyTiming(t *testing.T) {
	t.Parallel()
	question := readScenario(t, `"steps":[{"id":"a","type":"say","say":"مرحبا بكم"},
		{"id":"q","type":"ask","say":"هل تؤكدون الحضور","slot":{"name":"ok","type":"yes_no"}},{"id":"z","type":"end","say":"شكرا لكم"}]`)
	for name, c := range map[string]struct {
		answer calleeReaction
		want   call.ReplyTiming
	}{
		// the script ends a turn 700 ms after its last frame
		"answer": {calleeReaction{after: 500 * time.Millisecond, say: "نعم"}, call.ReplyTiming{Gap: 700, Decided: 700, Heard: 700}},
		"intent": {calleeReaction{after: 500 * time.Millisecond, say: "الرقم خطأ"}, call.ReplyTiming{Gap: 700, Decided: 700, Heard: 700}},
		"key":    {calleeReaction{after: 500 * time.Millisecond, keys: "1"}, call.ReplyTiming{}},
	} {
		person := &scriptedCallee{script: func(asked int, _ carrier.Speech) calleeReaction {
			if asked > 0 {
				return calleeReaction{}
			}
			return c.answer
		}}
		o := holdTalk(t, person, conversation.ConversationInput{Scenario: question})
		var timed []call.ReplyTiming
		answered := false
		for _, m := range o.Messages {
			if m.ReplyTiming != nil {
				timed = append(timed, *m.ReplyTiming)
				if !answered || m.Role != call.Assistant {
					t.Errorf("%s: %q is timed as a reply", name, m.Content)
				}
			}
			answered = m.Role == call.User
		}
		if len(timed) != 1 || timed[0] != c.want {
			t.Errorf("%s: %+v, want %+v:\n%s", name, timed, c.want, formatOutcome(o))
		}
	}
}
