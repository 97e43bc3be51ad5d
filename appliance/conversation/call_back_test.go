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

// TestCallerIsAskedWhatIsOpen checks that a person who calls back hears who is meant, when they were called and why, and
// is asked the question alone that the call to them left open; in that of nobody who was called these lines are left out.
func TestCallerIsAskedWhatIsOpen(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"variables":[{"name":"name","type":"text"},{"name":"called_on","type":"date"},{"name":"called_at","type":"time"}],"steps":[
		{"id":"again","type":"branch","cases":[{"slot":"called_on","is_set":true,"next":"who"}],"next":"comes"},
		{"id":"who","type":"say","say":["أهلا {{name}}","اتصلنا بكم {{called_on|date}}","الساعة {{called_at|time}} لتأكيد الموعد"]},
		{"id":"comes","type":"ask","say":"هل ستحضر","slot":{"name":"comes","type":"yes_no"}},
		{"id":"guests","type":"ask","say":"كم ضيفا معك","slot":{"name":"guests","type":"number"}},
		{"id":"end","type":"end","say":["شكرا"]}]`)
	person := &scriptedCallee{script: scriptedAnswers("ثلاثة")}
	o := holdTalk(t, person, conversation.ConversationInput{
		Scenario: s, PersonCalled: true, Answers: map[string]any{"comes": true},
		Variables: map[string]any{"name": "سارة", "called_on": "2026-11-20", "called_at": "16:30"},
	})
	said := saidByPlatform(o)
	for _, want := range []string{"سارة", "العشرين", "الرابعة والنصف", "لتأكيد الموعد", "كم ضيفا معك"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q was not said:\n%s", want, formatOutcome(o))
		}
	}
	if strings.Contains(said, "هل ستحضر") || string(o.Report) != `{"comes":true,"guests":3}` || len(o.Unasked) > 0 {
		t.Errorf("report %s, not asked %v:\n%s", o.Report, o.Unasked, formatOutcome(o))
	}
	person = &scriptedCallee{script: scriptedAnswers("نعم", "ثلاثة")}
	o = holdTalk(t, person, conversation.ConversationInput{Scenario: s, PersonCalled: true, Variables: map[string]any{"name": "سارة"}})
	if said := saidByPlatform(o); strings.Contains(said, "اتصلنا") || !strings.Contains(said, "هل ستحضر") || string(o.Report) != `{"comes":true,"guests":3}` {
		t.Errorf("report %s:\n%s", o.Report, formatOutcome(o))
	}
}
