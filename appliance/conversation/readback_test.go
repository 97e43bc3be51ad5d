package conversation_test

import (
	"testing"

	"munadi/appliance/conversation"
)

func TestReadBack(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"q","type":"ask","say":"كم وجبة تريد","confirm":true,"slot":{"name":"n","type":"number"}}]`)
	for _, c := range []struct {
		answers []string
		n       any
		codes   string
	}{
		{[]string{"ثلاثة", "نعم"}, 3.0, ""},
		{[]string{"ثلاثة", "لا", "أربعة", "نعم"}, 4.0, "not_confirmed"},
		{[]string{"ثلاثة", "أعد السؤال", "نعم"}, 3.0, ""},
		{[]string{"ثلاثة", "الجو", "الجو", "ثلاثة", "نعم"}, 3.0, "unconfirmed"},
		{[]string{"ثلاثة"}, nil, "unconfirmed no_input no_input"},
		{[]string{"ثلاثة", "ثلاثة"}, 3.0, ""},
		{[]string{"ثلاثة", "أربعة", "نعم"}, 4.0, "not_confirmed"},
		{[]string{"ثلاثة", "لا أربعة", "إي"}, 4.0, "not_confirmed"},
		{[]string{"ثلاثة", "لا قلت لك أربعة", "لا خمسة", "نعم"}, 5.0, "not_confirmed not_confirmed"},
		{[]string{"ثلاثة", "لا مو ثلاثة", "أربعة", "نعم"}, 4.0, "not_confirmed"},
		{[]string{"ثلاثة", "نعم مية بالمية"}, 3.0, ""},
		{[]string{"ثلاثة", "لا", "ثلاثة", "لا", "ثلاثة", "لا"}, nil, "not_confirmed not_confirmed not_confirmed"},
	} {
		o := holdTalk(t, &scriptedCallee{script: scriptedAnswers(c.answers...)}, conversation.ConversationInput{Scenario: s})
		if got := readReport(t, o)["n"]; got != c.n || outcomeCodes(o) != c.codes {
			t.Errorf("%v: %v\n%s", c.answers, got, formatOutcome(o))
		}
	}
}

// TestReadBackOfATime checks what is made of replies to "five in the afternoon, is that right?".
func TestReadBackOfATime(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"q","type":"ask","say":"أي ساعة","slot":{"name":"n","type":"time"}}]`)
	for _, c := range []struct {
		answers []string
		n       any
	}{
		{[]string{"خمسة", "العصر"}, "17:00"},
		{[]string{"خمسة", "نعم العصر"}, "17:00"},
		{[]string{"خمسة", "نعم الصبح", "إي"}, "05:00"},
		{[]string{"خمسة", "لا الصبح", "نعم"}, "05:00"},
		{[]string{"خمسة ونص", "الصبح", "إي"}, "05:30"},
		{[]string{"خمسة", "لا ستة العصر", "إي"}, "18:00"},
		{[]string{"بعد الخامسة مساء", "لا", "السادسة مساء"}, "18:00"},
		{[]string{"خمسة", "الصبح"}, nil},
	} {
		o := holdTalk(t, &scriptedCallee{script: scriptedAnswers(c.answers...)}, conversation.ConversationInput{Scenario: s})
		if got := readReport(t, o)["n"]; got != c.n {
			t.Errorf("%v: %v\n%s", c.answers, got, formatOutcome(o))
		}
	}
}

func TestReadBackOfWhatNothingCanSpeak(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"q","type":"ask","say":"ما هو الاسم","confirm":true,"slot":{"name":"n","type":"text"}}]`)
	o, err := runConversation(t, &scriptedCallee{script: scriptedAnswers("زكريا")}, conversation.ConversationInput{Scenario: s},
		func(d *conversation.Dependencies) { d.Speak = toneVoice{cannot: []string{"زكريا"}} })
	if err != nil || readReport(t, o)["n"] != "زكريا" || outcomeCodes(o) != "" {
		t.Errorf("%v\n%s", err, formatOutcome(o))
	}
}
