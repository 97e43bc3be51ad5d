package conversation_test

import (
	"strings"
	"testing"

	"munadi/appliance/conversation"
	"munadi/store/call"
)

// TestCallBackIsPromisedOnlyIfPossible checks that a promise to call again is said only if another attempt can be
// booked, and requests it; be it the platform's line, a marked line or a scenario's own words.
func TestCallBackIsPromisedOnlyIfPossible(t *testing.T) {
	t.Parallel()
	const ownWords = `"steps":[
		{"id":"q","type":"ask","say":"أي لون تريدون","slot":{"name":"colour","type":"text"},"on_failure":"bye"},
		{"id":"bye","type":"end","say":["حسنا سنعاود الاتصال بكم","شكرا"]}]`
	for name, c := range map[string]struct {
		input  conversation.ConversationInput
		person scriptedCallee
	}{
		"a silent person": {conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")}, scriptedCallee{}},
		"a busy person":   {conversation.ConversationInput{Scenario: readScenario(t, askColour)}, scriptedCallee{script: scriptedAnswers("أنا مشغول الآن اتصل لاحقا")}},
		"no transfer":     {conversation.ConversationInput{Scenario: readScenario(t, askColour)}, scriptedCallee{script: scriptedAnswers("حولني إلى الموظف")}},
		"its own words":   {conversation.ConversationInput{Scenario: readScenario(t, ownWords)}, scriptedCallee{}},
	} {
		for _, mayCallBack := range []bool{true, false} {
			person, input := c.person, c.input
			input.MayCallBack = mayCallBack
			o := holdTalk(t, &person, input)
			said := saidByPlatform(o)
			promised := strings.Contains(said, "سنتصل") || strings.Contains(said, "سنعاود")
			leftOut := strings.Contains(outcomeCodes(o), "call_back_left_out")
			reported := !mayCallBack && name == "its own words"
			if promised != mayCallBack || o.CallBack != mayCallBack || leftOut != reported || !strings.HasSuffix(said, "السلامة") && !strings.HasSuffix(said, "شكرا") {
				t.Errorf("%s, may call back %v:\n%s", name, mayCallBack, formatOutcome(o))
			}
		}
	}
}

// saidByPlatform returns what the platform said, in order.
func saidByPlatform(o conversation.ConversationOutcome) string {
	var said []string
	for _, m := range o.Messages {
		if m.Role == call.Assistant {
			said = append(said, m.Content)
		}
	}
	return strings.Join(said, " | ")
}
