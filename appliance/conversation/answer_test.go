package conversation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/certainty"
	"munadi/appliance/conversation"
	"munadi/appliance/textform"
	"munadi/store/call"
	"munadi/store/scenario"
)

const yesNo = `"steps":[{"id":"q","type":"ask","say":"هل تؤكدون","slot":{"name":"ok","type":"yes_no"}}]`

// scriptedHearing answers each question with the next text and confidence.
func scriptedHearing(clarity float64, texts ...string) func(int, carrier.Speech) calleeReaction {
	plain := scriptedAnswers(texts...)
	return func(asked int, q carrier.Speech) calleeReaction {
		d := plain(asked, q)
		d.clarity = clarity
		return d
	}
}

// TestDoubtfulYesAndNo checks that an answer of one doubtful word is asked for again, and accepted when it is given
// twice.
func TestDoubtfulYesAndNo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		clarity float64
		answers []string
		ok      any
		codes   string
	}{
		{0.9, []string{"لا"}, false, ""},
		{0.3, []string{"لا", "لا"}, false, "doubtful"},
		{0.3, []string{"لا", "نعم", "نعم"}, true, "doubtful doubtful"},
		{0.3, []string{"لا", "نعم", "لا"}, nil, "doubtful doubtful doubtful"},
		{0.3, []string{"لا", "نعم أؤكد الموعد"}, true, "doubtful"},
		{0.9, []string{"نعم لا", "نعم"}, true, "no_match"},
	} {
		o := holdTalk(t, &scriptedCallee{script: scriptedHearing(c.clarity, c.answers...)}, conversation.ConversationInput{Scenario: readScenario(t, yesNo)})
		if got := readReport(t, o)["ok"]; got != c.ok || outcomeCodes(o) != c.codes {
			t.Errorf("%v at %.1f: %v\n%s", c.answers, c.clarity, got, formatOutcome(o))
		}
		if c.codes == "doubtful" && !strings.Contains(formatOutcome(o), "نعم أم لا") {
			t.Errorf("no clear answer was asked for:\n%s", formatOutcome(o))
		}
	}
}

// TestKeysInARow checks that keys that a question does not take are one answer that was not understood, however many.
func TestKeysInARow(t *testing.T) {
	t.Parallel()
	const clock = `"steps":[{"id":"q","type":"ask","say":"أي ساعة تناسبكم","slot":{"name":"ok","type":"time"}}]`
	said := scriptedAnswers("", "الساعة الخامسة مساء")
	script := func(asked int, q carrier.Speech) calleeReaction {
		if asked == 0 {
			return calleeReaction{after: time.Second, keys: "1730"}
		}
		return said(asked, q)
	}
	o := holdTalk(t, &scriptedCallee{script: script}, conversation.ConversationInput{Scenario: readScenario(t, clock)})
	if got := readReport(t, o)["ok"]; got != "17:00" || outcomeCodes(o) != "no_match" {
		t.Errorf("%v, %s\n%s", got, outcomeCodes(o), formatOutcome(o))
	}
}

// TestKeysAreOfferedAfterAMisunderstanding checks that keys are offered if the question has keys and the offer can be
// spoken.
func TestKeysAreOfferedAfterAMisunderstanding(t *testing.T) {
	t.Parallel()
	const yesNoOffer, choiceOffer = "نعم اضغط واحد لا اضغط اثنين", "صغير اضغط واحد"
	const sizes = `"steps":[{"id":"q","type":"ask","say":"أي حجم","slot":{"name":"ok","type":"choice","choices":[` +
		`{"value":"small","phrases":["صغير"]},{"value":"large","phrases":["كبير"]}]}}]`
	for name, c := range map[string]struct {
		form, first, offer string
		clarity            float64
		cannot             []string
		offered            bool
		want               any
	}{
		"yes or no":          {yesNo, "نعم لا", yesNoOffer, 0.9, nil, true, false},
		"a doubtful no":      {yesNo, "لا", yesNoOffer, 0.3, nil, true, false},
		"a choice":           {sizes, "أزرق", choiceOffer, 0.9, nil, true, "large"},
		"half of it is mute": {sizes, "أزرق", choiceOffer, 0.9, []string{"كبير اضغط اثنان"}, false, "large"},
		"not understood yet": {sizes, "", choiceOffer, 0.9, nil, false, "large"},
	} {
		person := &scriptedCallee{script: func(asked int, _ carrier.Speech) calleeReaction {
			if asked == 0 && c.first != "" {
				return calleeReaction{after: time.Second, say: c.first, clarity: c.clarity}
			}
			return calleeReaction{after: time.Second, keys: "2"}
		}}
		d := newDependencies(t, person)
		d.Speak = toneVoice{cannot: c.cannot}
		o, err := conversation.RunConversation(t.Context(), d, conversation.ConversationInput{Scenario: readScenario(t, c.form)})
		if err != nil {
			t.Fatal(err)
		}
		if got := readReport(t, o)["ok"]; got != c.want || strings.Contains(formatOutcome(o), c.offer) != c.offered {
			t.Errorf("%s: %v\n%s", name, got, formatOutcome(o))
		}
	}
}

// TestATimeNamedByAPrayerIsReadBack: with a city the sunset prayer of the agreed day is a time, which the person confirms;
// without one it is no answer.
func TestATimeNamedByAPrayerIsReadBack(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"d","type":"ask","say":"أي يوم","slot":{"name":"day","type":"date"}},`+
		`{"id":"q","type":"ask","say":"أي ساعة","slot":{"name":"hour","type":"time"}}]`)
	for _, c := range []struct {
		city    string
		answers []string
		hour    any
		codes   string
	}{
		{"riyadh", []string{"خمسة ديسمبر", "بعد صلاة المغرب", "نعم"}, "17:35", ""},
		{"riyadh", []string{"خمسة يونيو", "بعد صلاة المغرب", "نعم"}, "19:10", ""},
		{"riyadh", []string{"بكرة", "بعد المغرب", "لا", "الساعة سبعة مساء"}, "19:00", "not_confirmed"},
		{"", []string{"بكرة", "بعد المغرب", "الساعة سبعة مساء"}, "19:00", "no_match"},
	} {
		zone := time.FixedZone("", 3*3600)
		o := holdTalk(t, &scriptedCallee{script: scriptedAnswers(c.answers...)}, conversation.ConversationInput{Scenario: s, City: c.city, Zone: zone})
		if got := readReport(t, o)["hour"]; got != c.hour || outcomeCodes(o) != c.codes {
			t.Errorf("%v in %q: %v\n%s", c.answers, c.city, got, formatOutcome(o))
		}
	}
}

// TestTranscriptInAForm: messages are in the form of the organization, live ones too; answers and the report are not.
func TestTranscriptInAForm(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"variables":[{"name":"customer","type":"text","role":"name"}],`+
		`"steps":[{"id":"s","type":"say","say":"مرحبا {{customer}}"},`+
		`{"id":"q","type":"ask","say":"ما رقمكم","slot":{"name":"n","type":"text"}},`+
		`{"id":"p","type":"ask","say":"كم دفعتم","slot":{"name":"paid","type":"number"}}]`)
	const number = "أنا سارة ورقمي صفر خمسة صفر واحد اتنين تلاتة اربعة خمسة ستة سبعة"
	for want, o := range map[string]textform.Options{
		"مرحبا سارة المهدي|" + number + "|خمسة وعشرين ريال":     {},
		"مرحبا سارة المهدي|أنا سارة ورقمي +971501234567|25 SAR": {Form: textform.Written, Country: "AE"},
		"مرحبا […]|أنا […] ورقمي […]|خمسة وعشرين ريال":          {Redact: true},
	} {
		var live []string
		d := newDependencies(t, &scriptedCallee{script: scriptedAnswers(number, "خمسة وعشرين ريال")})
		d.OnMessage = func(m call.Message) { live = append(live, m.Content) }
		out, err := conversation.RunConversation(t.Context(), d, conversation.ConversationInput{
			Scenario: s, Text: o, Variables: map[string]any{"customer": "سارة المهدي"},
		})
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for _, m := range out.Messages {
			kept = append(kept, m.Content)
		}
		for _, part := range strings.Split(want, "|") {
			if !slices.Contains(kept, part) || !slices.Contains(live, part) {
				t.Errorf("%+v: %q is not in %q, %q", o, part, kept, live)
			}
		}
		if report := readReport(t, out); report["n"] != number || report["paid"] != 25.0 {
			t.Errorf("%+v: the report is %v", o, report)
		}
	}
}

// TestRedactionGoesOnInTheNextTurn: a number that is said in two turns is redacted in the second one, too.
func TestRedactionGoesOnInTheNextTurn(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"q","type":"ask","say":"ما رقمكم","slot":{"name":"n","type":"text"}},`+
		`{"id":"p","type":"ask","say":"وبقيته","slot":{"name":"rest","type":"text"}}]`)
	o := holdTalk(t, &scriptedCallee{script: scriptedAnswers("صفر خمسة صفر", "واحد اتنين شكرا")},
		conversation.ConversationInput{Scenario: s, Text: textform.Options{Redact: true}})
	if last := o.Messages[len(o.Messages)-1]; last.Content != "[…] شكرا" {
		t.Errorf("%s", formatOutcome(o))
	}
}

// TestRedactionAcrossTurns: a number that is said in several turns on end is redacted in all of them, and one whose
// reading was interrupted in what was said of it.
func TestRedactionAcrossTurns(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"q","type":"ask","say":"ما رقمكم","slot":{"name":"n","type":"text"}},`+
		`{"id":"r","type":"say","say":"رقمكم صفر خمسة خمسة اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية"}]`)
	person := &scriptedCallee{script: func(asked int, _ carrier.Speech) calleeReaction {
		if asked == 0 {
			return calleeReaction{say: "صفر خمسة صفر واحد اتنين", after: 500 * time.Millisecond}
		}
		return calleeReaction{after: 2500 * time.Millisecond, hangup: true}
	}}
	o, err := runConversation(t, person, conversation.ConversationInput{Scenario: s, Text: textform.Options{Redact: true}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := o.Messages[len(o.Messages)-1]
	if last.Role != call.Assistant || last.Content != "رقمكم […]" {
		t.Errorf("%s", formatOutcome(o))
	}
}

func TestBranches(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"variables":[{"name":"tier"},{"name":"n","default":"2"}],"steps":[
		{"id":"b","type":"branch","cases":[
			{"slot":"tier","equals":"gold","next":"gold"},
			{"slot":"tier","is_set":true,"next":"known"},
			{"slot":"n","equals":3,"next":"three"}]},
		{"id":"none","type":"end","say":"واحد"},
		{"id":"gold","type":"end","say":"اثنان"},
		{"id":"known","type":"end","say":"ثلاثة"},
		{"id":"three","type":"end","say":"أربعة"}]`)
	for _, c := range []struct {
		variables map[string]any
		want      string
	}{
		{nil, "واحد"},
		{map[string]any{"tier": "gold"}, "اثنان"},
		{map[string]any{"tier": "iron"}, "ثلاثة"},
		{map[string]any{"tier": "", "n": 3.0}, "أربعة"},
		{map[string]any{"n": "3"}, "أربعة"},
	} {
		o := holdTalk(t, &scriptedCallee{}, conversation.ConversationInput{Scenario: s, Variables: c.variables})
		if got := o.Messages[0].Content; got != c.want {
			t.Errorf("%v leads to %q, want %q", c.variables, got, c.want)
		}
	}
}

// TestReportFollowsItsSchema checks that values that violate the schema are left out, with an error entry.
func TestReportFollowsItsSchema(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"q","type":"ask","say":"كم","slot":{"name":"n","type":"number"}}],
		"report":{"schema":{"type":"object","required":["count","by"],"properties":{
			"count":{"type":["integer","null"],"maximum":5},"by":{"const":"phone"}}},
			"values":{"count":"{{n}}","by":"phone"}},
		"response_body":{"text":"{{n}} قطع","list":["{{n}}",1,true]}`)
	for answer, want := range map[string]string{
		"ثلاثة": `{"by":"phone","count":3} {"list":[3,1,true],"text":"3 قطع"} `,
		"تسعة":  `{"by":"phone","count":null} {"list":[9,1,true],"text":"9 قطع"} report_invalid`,
		"":      `{"by":"phone","count":null} {"list":[null,1,true],"text":" قطع"} no_input no_input no_input`,
	} {
		o := holdTalk(t, &scriptedCallee{script: scriptedAnswers(answer)}, conversation.ConversationInput{Scenario: s})
		if got := string(o.Report) + " " + string(o.ResponseBody) + " " + outcomeCodes(o); got != want {
			t.Errorf("%q: %s, want %s", answer, got, want)
		}
	}
}

// TestRecognizerGetsExpectedAnswers checks that the recognizer gets the expected answers at each question.
func TestRecognizerGetsExpectedAnswers(t *testing.T) {
	t.Parallel()
	person := &scriptedCallee{script: scriptedAnswers("بيتزا", "ثلاثة", "كبير")}
	holdTalk(t, person, conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")})
	for i, want := range []string{"", "شاورما", "خمسة", "وسط", "قهوة عربية"} {
		phrases := person.expected[i]
		global := slices.Contains(phrases, "لا تتصلوا بي مرة أخرى")
		if i > 0 && (!slices.Contains(phrases, want) || !global) || len(phrases) > 110 {
			t.Errorf("question %d: %q is not among %v", i, want, phrases)
		}
		if machine := slices.Contains(phrases, "الهاتف المطلوب مغلق أو خارج نطاق التغطية"); machine != (i < 2) {
			t.Errorf("question %d: a machine is expected: %t", i, machine)
		}
	}
}

// TestSpeechBeforeTheQuestionIsNoAnswer checks that expected answers are not passed to the recognizer during an
// utterance that began before the question.
func TestSpeechBeforeTheQuestionIsNoAnswer(t *testing.T) {
	t.Parallel()
	const takes = 6 * time.Second // beyond the greeting, into the question
	person := &scriptedCallee{start: calleeReaction{after: 200 * time.Millisecond, say: "الهاتف المطلوب مغلق", takes: takes}}
	s := builtIn(t, "restaurant_order")
	s.AnsweringMachine = scenario.MachineDetect
	told := -1
	person.told = func(phrases []string) {
		if told < 0 && slices.Contains(phrases, "شاورما") {
			told = person.n
		}
	}
	holdTalk(t, person, conversation.ConversationInput{Scenario: s})
	if at := time.Duration(told) * carrier.Tick; at < takes {
		t.Errorf("dishes are expected from %s on", at)
	}
}

// TestLineIsNotifiedOfQuestions checks that the line is notified of each question at its last prompt, with the
// number of earlier repetitions.
func TestLineIsNotifiedOfQuestions(t *testing.T) {
	t.Parallel()
	var asked []carrier.AnswerExpectation
	person := &scriptedCallee{script: func(n int, q carrier.Speech) calleeReaction {
		asked = append(asked, q.Expects)
		return scriptedAnswers("", "بيتزا", "أعد السؤال", "ثلاثة", "كبير")(n, q)
	}}
	holdTalk(t, person, conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")})
	for i, want := range []carrier.AnswerExpectation{
		{Kind: "choice", Slot: "dish"},
		{Kind: "choice", Slot: "dish", Again: 1},
		{Kind: "number", Slot: "quantity"},
		{Kind: "number", Slot: "quantity", Again: 1},
		{Kind: "choice", Slot: "size"},
	} {
		got := asked[i]
		if got.Kind != want.Kind || got.Slot != want.Slot || got.Again != want.Again {
			t.Errorf("question %d: %+v, want %+v", i, got, want)
		}
	}
	if got := strings.Join(asked[4].Phrases, " "); got != "صغير وسط كبير" {
		t.Errorf("phrases %q", got)
	}
}

// TestTextsToBeSpoken checks the list of texts that must be speakable before a call is released.
func TestTextsToBeSpoken(t *testing.T) {
	t.Parallel()
	in := conversation.ConversationInput{
		Scenario: readScenario(t, `"variables":[{"name":"day"},{"name":"who"}],"steps":[
			{"id":"a","type":"say","say":["مرحبا","{{day|date}}","{{who}}",{"text":"يا {{day}}","optional":true}]},
			{"id":"q","type":"ask","say":"كم","reask":["كم","عفوا"],"slot":{"name":"n","type":"number"}},
			{"id":"b","type":"end","say":"{{n}}"}]`),
		Variables: map[string]any{"day": "2026-12-05"}, Disclosure: "شركة", Announce: true,
	}
	got := strings.Join(conversation.CallTexts(newPhraseBook(t), in), "|")
	if want := "شركة|هذه المكالمة مسجلة لضمان الجودة|مرحبا|يوم السبت الخامس من ديسمبر|كم|عفوا"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestMessagesAreInOrderOfTime(t *testing.T) {
	t.Parallel()
	person := &scriptedCallee{start: calleeReaction{after: 100 * time.Millisecond, say: "ألو ألو ألو ألو"}, script: scriptedAnswers("موافق")}
	o := holdTalk(t, person, conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")})
	if !slices.IsSortedFunc(o.Messages, func(a, b call.Message) int { return int(1000 * (a.Start - b.Start)) }) {
		t.Errorf("%s", formatOutcome(o))
	}
	for _, m := range o.Messages {
		if m.End < m.Start || m.Confidence <= 0 || m.Confidence > 1 || m.Content == "" {
			t.Errorf("%+v", m)
		}
	}
}

// TestBoundOnWrongAnswers: a question with a bound reads back what is less certain than its threshold, and by lot; the
// person's reply is kept with the decision. Keys, and questions without a bound, leave none.
func TestBoundOnWrongAnswers(t *testing.T) {
	t.Parallel()
	s := readScenario(t, yesNo)
	for name, c := range map[string]struct {
		bound   *certainty.AcceptBound
		answers []string
		ok      any
		want    string
	}{
		"none":               {nil, []string{"نعم"}, true, ""},
		"by lot, right":      {&certainty.AcceptBound{Draw: 1, Basis: "b"}, []string{"نعم", "نعم"}, true, "drawn true"},
		"by lot, wrong":      {&certainty.AcceptBound{Draw: 1, Basis: "b"}, []string{"لا", "لا", "نعم", "نعم"}, true, "drawn false, drawn true"},
		"certain enough":     {&certainty.AcceptBound{Accept: 0, Basis: "b"}, []string{"نعم"}, true, "taken"},
		"not certain enough": {&certainty.AcceptBound{Accept: 0.5, Basis: "b"}, []string{"نعم", "نعم"}, true, "asked, asked"},
	} {
		in := conversation.ConversationInput{Scenario: s}
		if c.bound != nil {
			in.Bounds = map[string]certainty.AcceptBound{"ok": *c.bound}
		}
		o := holdTalk(t, &scriptedCallee{script: scriptedHearing(0.9, c.answers...)}, in)
		var got []string
		for _, d := range o.Decisions {
			switch {
			case d.Drawn && d.Right != nil:
				got = append(got, fmt.Sprint("drawn ", *d.Right))
			case d.Asked:
				got = append(got, "asked")
			default:
				got = append(got, "taken")
			}
			if d.Slot != "ok" || d.Basis != "b" || d.At <= 0 {
				t.Errorf("%s: %+v", name, d)
			}
		}
		if value := readReport(t, o)["ok"]; value != c.ok || strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %v, decisions %q\n%s", name, value, got, formatOutcome(o))
		}
	}
	for _, was := range [][]call.AnswerDecision{
		{{Drawn: true, Asked: true}}, {{Asked: true}, {Asked: true}}, {{}},
	} { // a recorded call that is held again, by another bound
		in := conversation.ConversationInput{Scenario: s, Bounds: map[string]certainty.AcceptBound{"ok": {Draw: 1, Basis: "b"}}}
		for i := range was {
			was[i].Slot, was[i].Basis = "ok", "a"
		}
		in.Decided = slices.Clone(was)
		o := holdTalk(t, &scriptedCallee{script: scriptedHearing(0.9, "نعم", "نعم")}, in)
		same := slices.EqualFunc(o.Decisions, was, func(a, b call.AnswerDecision) bool {
			return a.Asked == b.Asked && a.Drawn == b.Drawn && a.Basis == b.Basis
		})
		if !same || readReport(t, o)["ok"] != true || !slices.Equal(in.Decided, was) {
			t.Errorf("%+v was decided again as %+v\n%s", was, o.Decisions, formatOutcome(o))
		}
	}
	keyed := &scriptedCallee{script: func(int, carrier.Speech) calleeReaction { return calleeReaction{after: time.Second, keys: "1"} }}
	in := conversation.ConversationInput{Scenario: s, Bounds: map[string]certainty.AcceptBound{"ok": {Accept: 2, Draw: 1, Basis: "b"}}}
	if o := holdTalk(t, keyed, in); len(o.Decisions) > 0 || readReport(t, o)["ok"] != true {
		t.Errorf("a key was judged: %+v\n%s", o.Decisions, formatOutcome(o))
	}
}
