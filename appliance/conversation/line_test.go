package conversation_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
	"munadi/store/call"
	"munadi/store/scenario"
)

func runConversation(t *testing.T, c *scriptedCallee, in conversation.ConversationInput, change func(*conversation.Dependencies)) (conversation.ConversationOutcome, error) {
	t.Helper()
	d := newDependencies(t, c)
	if change != nil {
		change(&d)
	}
	return conversation.RunConversation(t.Context(), d, in)
}

func checkEnd(t *testing.T, o conversation.ConversationOutcome, status call.CallStatus, reason call.FailureReason) {
	t.Helper()
	if o.Status != status || call.ReasonOf(o.Failure) != reason {
		t.Errorf("want %s (%s):\n%s", status, reason, formatOutcome(o))
	}
	if (o.Report != nil) != (status == call.Completed || status == "") {
		t.Errorf("report %s of a call that is %s", o.Report, status)
	}
}

func TestHangUps(t *testing.T) {
	t.Parallel()
	appointment := builtIn(t, "appointment_confirmation")
	message := readScenario(t, `"steps":[{"id":"a","type":"say","say":"موعدكم غدا صباحا"},{"id":"b","type":"say","say":"نرجو الحضور قبل الموعد"}]`)
	for name, c := range map[string]struct {
		scenario scenario.Scenario
		callee   scriptedCallee
		status   call.CallStatus
		reason   call.FailureReason
	}{
		"before a word":             {appointment, scriptedCallee{start: calleeReaction{after: 2 * time.Second, hangup: true}}, call.UserRejected, call.HungUpEarly},
		"after all, without a word": {appointment, scriptedCallee{start: calleeReaction{after: 14 * time.Second, hangup: true}}, call.UserRejected, call.HungUpEarly},
		"with a word on the way":    {appointment, scriptedCallee{start: calleeReaction{after: time.Second, say: "ألو", hangup: true}}, call.Completed, ""},
		"midway": {appointment, scriptedCallee{script: func(int, carrier.Speech) calleeReaction {
			return calleeReaction{after: time.Second, say: "لا أستطيع الحضور", then: &calleeReaction{after: time.Second, hangup: true}}
		}}, call.Completed, ""},
		"after a key": {appointment, scriptedCallee{script: func(int, carrier.Speech) calleeReaction {
			return calleeReaction{after: time.Second, keys: "9", hangup: true}
		}}, call.Completed, ""},
		"in the goodbye": {appointment, scriptedCallee{script: func(int, carrier.Speech) calleeReaction {
			return calleeReaction{after: time.Second, say: "نعم أؤكد", then: &calleeReaction{after: 5 * time.Second, hangup: true}}
		}}, call.Completed, ""},
		"a message, at once": {message, scriptedCallee{start: calleeReaction{after: time.Second, hangup: true}}, call.UserRejected, call.HungUpEarly},
		"a message, heard":   {message, scriptedCallee{start: calleeReaction{after: 4200 * time.Millisecond, hangup: true}}, call.Completed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := holdTalk(t, &c.callee, conversation.ConversationInput{Scenario: c.scenario})
			checkEnd(t, o, c.status, c.reason)
		})
	}
	t.Run("midway, in full", func(t *testing.T) {
		t.Parallel()
		person := &scriptedCallee{script: func(int, carrier.Speech) calleeReaction {
			return calleeReaction{after: time.Second, say: "لا أستطيع الحضور", then: &calleeReaction{after: time.Second, hangup: true}}
		}}
		compareGolden(t, "hung_up_midway", formatOutcome(holdTalk(t, person, conversation.ConversationInput{Scenario: appointment})))
	})
}

// toneFrames returns a sine from one time to another.
func toneFrames(hz float64, from, to time.Duration) func(time.Duration) []int16 {
	return func(at time.Duration) []int16 {
		if at < from || at >= to {
			return nil
		}
		out := make([]int16, carrier.Samples)
		for i := range out {
			n := float64(at/carrier.Tick)*carrier.Samples + float64(i)
			out[i] = int16(5000 * math.Sin(2*math.Pi*hz*n/carrier.Rate))
		}
		return out
	}
}

func TestMachines(t *testing.T) {
	t.Parallel()
	says := func(text string, takes time.Duration) calleeReaction {
		return calleeReaction{after: 500 * time.Millisecond, say: text, takes: takes}
	}
	voicemail := says("الرقم الذي طلبته غير متاح الآن اترك رسالة بعد الصافرة", 5*time.Second)
	for name, c := range map[string]struct {
		policy scenario.MachinePolicy
		callee scriptedCallee
		status call.CallStatus
		reason call.FailureReason
		who    string
	}{
		"voicemail":              {"", scriptedCallee{start: voicemail}, call.Automation, call.Voicemail, "voicemail"},
		"misheard, beeps":        {"", scriptedCallee{start: says("الرقم طلب رسالة", 5*time.Second), tones: toneFrames(1000, 6*time.Second, 6500*time.Millisecond)}, call.Automation, call.Voicemail, "voicemail"},
		"announcement":           {"", scriptedCallee{start: says("الهاتف المطلوب مغلق أو خارج نطاق التغطية", 4*time.Second)}, call.UserUnavailable, call.Announcement, "announcement"},
		"announcement, hangs up": {"", scriptedCallee{start: calleeReaction{say: "الهاتف المطلوب مغلق أو خارج نطاق التغطية", hangup: true}}, call.UserUnavailable, call.Announcement, "announcement"},
		"menu":                   {"", scriptedCallee{start: says("للغة العربية اضغط واحد لخدمة العملاء اضغط اثنين", 5*time.Second)}, call.Automation, call.IVR, "ivr"},
		"fax":                    {"", scriptedCallee{tones: toneFrames(2100, time.Second, 3*time.Second)}, call.Automation, call.Fax, "fax"},
		"only noted":             {scenario.MachineDetect, scriptedCallee{start: voicemail}, call.Completed, "", "voicemail"},
		"not looked for":         {scenario.MachineOff, scriptedCallee{start: voicemail}, call.Completed, "", ""},
		"a person":               {"", scriptedCallee{start: says("ألو نعم تفضل", time.Second)}, call.Completed, "", "human"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := builtIn(t, "appointment_confirmation")
			s.AnsweringMachine = c.policy
			o := holdTalk(t, &c.callee, conversation.ConversationInput{Scenario: s})
			checkEnd(t, o, c.status, c.reason)
			who := ""
			if o.Machine != nil {
				who = o.Machine.Verdict
			}
			if who != c.who {
				t.Errorf("machine %q, want %q", who, c.who)
			}
			if call.CallStatus(c.status) == call.Automation && *o.Duration > 8 {
				t.Errorf("a machine was talked to for %d s", *o.Duration)
			}
		})
	}
}

func TestBargeIn(t *testing.T) {
	t.Parallel()
	question := func(more string) scenario.Scenario {
		return readScenario(t, `"steps":[{"id":"q","type":"ask",`+more+`"say":"هل تؤكدون الحضور في هذا الموعد الجديد يوم الخميس","max_reasks":0,
			"slot":{"name":"ok","type":"yes_no"}},{"id":"bye","type":"end","say":"شكرا"}]`)
	}
	t.Run("speech", func(t *testing.T) {
		t.Parallel()
		person := &scriptedCallee{start: calleeReaction{after: 3700 * time.Millisecond, say: "نعم أؤكد الموعد"}}
		compareGolden(t, "barge_in", formatOutcome(holdTalk(t, person, conversation.ConversationInput{Scenario: question("")})))
	})
	t.Run("a short word", func(t *testing.T) {
		t.Parallel()
		person := &scriptedCallee{start: calleeReaction{after: 3400 * time.Millisecond, say: "نعم", takes: 200 * time.Millisecond}}
		o := holdTalk(t, person, conversation.ConversationInput{Scenario: question("")})
		if got := o.Messages[0].Content; readReport(t, o)["ok"] != true || got != "هل تؤكدون الحضور" {
			t.Errorf("%s", formatOutcome(o))
		}
	})
	for said, clarity := range map[string]float64{"a doubtful yes while something is told": 0.4, "a clear one": 0.9} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			const told = "نتصل بكم لتأكيد موعدكم يوم الخميس"
			s := readScenario(t, `"steps":[{"id":"q","type":"ask","say":["`+told+`","هل تؤكدون"],"slot":{"name":"ok","type":"yes_no"}}]`)
			person := &scriptedCallee{start: calleeReaction{after: 3200 * time.Millisecond, say: "أكيد", clarity: clarity}}
			o := holdTalk(t, person, conversation.ConversationInput{Scenario: s})
			if whole := o.Messages[0].Content == told; whole != (clarity < 0.5) || (readReport(t, o)["ok"] == true) != (clarity > 0.5) {
				t.Errorf("%s", formatOutcome(o))
			}
		})
	}
	t.Run("a key", func(t *testing.T) {
		t.Parallel()
		person := &scriptedCallee{start: calleeReaction{after: 3200 * time.Millisecond, keys: "2"}}
		o := holdTalk(t, person, conversation.ConversationInput{Scenario: question("")})
		if readReport(t, o)["ok"] != false || o.Messages[0].Content != "هل تؤكدون" {
			t.Errorf("%s", formatOutcome(o))
		}
	})
	t.Run("not allowed", func(t *testing.T) {
		t.Parallel()
		person := &scriptedCallee{start: calleeReaction{after: 3200 * time.Millisecond, say: "نعم أؤكد الموعد"}}
		o := holdTalk(t, person, conversation.ConversationInput{Scenario: question(`"no_barge_in":true,`)})
		if readReport(t, o)["ok"] != nil || o.Messages[0].Content != "هل تؤكدون الحضور في هذا الموعد الجديد يوم الخميس" {
			t.Errorf("%s", formatOutcome(o))
		}
	})
	t.Run("who spoke before the question does not answer it", func(t *testing.T) {
		t.Parallel()
		s := readScenario(t, `"steps":[{"id":"a","type":"say","say":"مرحبا بكم"},
			{"id":"q","type":"ask","say":"هل تؤكدون الحضور في هذا الموعد","max_reasks":0,"slot":{"name":"ok","type":"yes_no"}}]`)
		person := &scriptedCallee{start: calleeReaction{after: 2700 * time.Millisecond, say: "نعم نعم مين معي الآن"}, script: scriptedAnswers("لا")}
		o := holdTalk(t, person, conversation.ConversationInput{Scenario: s})
		if readReport(t, o)["ok"] != false || o.Messages[1].Content != "نعم نعم مين معي الآن" {
			t.Errorf("%s", formatOutcome(o))
		}
	})
}

func TestOperatorHangsUp(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	person := &scriptedCallee{script: func(int, carrier.Speech) calleeReaction { close(stop); return calleeReaction{} }}
	o, err := runConversation(t, person, conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")}, func(d *conversation.Dependencies) { d.Hangup = stop })
	if err != nil {
		t.Fatal(err)
	}
	checkEnd(t, o, call.Failed, call.Operator)
}

func TestLineHungUpByItsOwner(t *testing.T) {
	t.Parallel()
	person := &scriptedCallee{}
	person.script = func(int, carrier.Speech) calleeReaction { person.Hangup(); return calleeReaction{} }
	o, err := runConversation(t, person, conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")}, nil)
	if !errors.Is(err, carrier.ErrHungUp) {
		t.Errorf("error %v", err)
	}
	checkEnd(t, o, "", "")
}

func TestContextEndsTheCallAtOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	person := &scriptedCallee{script: func(int, carrier.Speech) calleeReaction { cancel(); return calleeReaction{} }}
	o, err := conversation.RunConversation(ctx, newDependencies(t, person), conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	checkEnd(t, o, call.Failed, call.Interrupted)
	if len(o.Messages) != 3 {
		t.Errorf("%s", formatOutcome(o))
	}
	select {
	case <-person.hung:
	default:
		t.Error("the line is still up")
	}
}

func TestBrokenLine(t *testing.T) {
	t.Parallel()
	for reason, fault := range map[call.FailureReason]error{call.CarrierFailure: errors.New("not refreshed"), call.NoAudio: carrier.ErrNoAudio} {
		broken := &carrier.DialError{Err: fault}
		person := &scriptedCallee{}
		d := newDependencies(t, person)
		d.Line = breakingLine{person, broken}
		o, err := conversation.RunConversation(t.Context(), d, conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")})
		if !errors.Is(err, error(broken)) {
			t.Errorf("error %v", err)
		}
		checkEnd(t, o, call.Failed, reason)
	}
}

type breakingLine struct {
	*scriptedCallee
	err error
}

func (b breakingLine) Next(ctx context.Context) (carrier.Frame, error) {
	if b.n == 100 {
		return carrier.Frame{}, b.err
	}
	return b.scriptedCallee.Next(ctx)
}

func TestLongestDuration(t *testing.T) {
	t.Parallel()
	s := builtIn(t, "restaurant_order")
	s.MaxDurationSeconds = 14
	o := holdTalk(t, &scriptedCallee{}, conversation.ConversationInput{Scenario: s})
	checkEnd(t, o, call.Completed, "")
	if *o.Duration != 14 || outcomeCodes(o) != "no_input max_duration" {
		t.Errorf("%s", formatOutcome(o))
	}
}

func TestNoiseWithoutEndIsNoAnswer(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"q","type":"ask","say":"هل تؤكدون","max_reasks":0,"slot":{"name":"ok","type":"yes_no"}}]`)
	person := &scriptedCallee{start: calleeReaction{after: time.Second, say: "…", takes: 5 * time.Minute}}
	o := holdTalk(t, person, conversation.ConversationInput{Scenario: s})
	checkEnd(t, o, call.Completed, "")
	if outcomeCodes(o) != "no_match" || *o.Duration > 30 {
		t.Errorf("%s", formatOutcome(o))
	}
}

// TestShortSoundWithoutAWord checks that the question is repeated at once after speech that was not understood, without
// waiting for the silence timeout, and that a cough during the question is no answer.
func TestShortSoundWithoutAWord(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"q","type":"ask","say":"هل تؤكدون الحضور في هذا الموعد",
		"max_reasks":0,"timeout_seconds":6,"slot":{"name":"ok","type":"yes_no"}}]`)
	mumbles := calleeReaction{after: 500 * time.Millisecond, say: "…", takes: 600 * time.Millisecond}
	o := holdTalk(t, &scriptedCallee{script: func(int, carrier.Speech) calleeReaction { return mumbles }}, conversation.ConversationInput{Scenario: s})
	if question := 4300 * time.Millisecond; outcomeCodes(o) != "no_match" || o.Errors[0].At > (question+4500*time.Millisecond).Seconds() {
		t.Errorf("%s", formatOutcome(o))
	}
	coughs := calleeReaction{after: 2800 * time.Millisecond, say: "…", takes: 200 * time.Millisecond}
	o = holdTalk(t, &scriptedCallee{start: coughs}, conversation.ConversationInput{Scenario: s})
	if outcomeCodes(o) != "no_input" {
		t.Errorf("%s", formatOutcome(o))
	}
	thinks := mumbles
	thinks.then = &calleeReaction{after: 1500 * time.Millisecond, say: "نعم"}
	o = holdTalk(t, &scriptedCallee{script: func(int, carrier.Speech) calleeReaction { return thinks }}, conversation.ConversationInput{Scenario: s})
	if outcomeCodes(o) != "" || readReport(t, o)["ok"] != true {
		t.Errorf("%s", formatOutcome(o))
	}
}

// TestTalkOverTheQuestion checks that a question is asked again soon after the person talked from before it until after
// it.
func TestTalkOverTheQuestion(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"steps":[{"id":"tell","type":"say","say":"نتصل بكم لتأكيد موعدكم"},
		{"id":"q","type":"ask","say":"هل تؤكدون الحضور","max_reasks":0,"timeout_seconds":9,"slot":{"name":"ok","type":"yes_no"}}]`)
	talks := calleeReaction{after: 3 * time.Second, say: "كنت أريد أن أقول شيئا", takes: 8 * time.Second}
	o := holdTalk(t, &scriptedCallee{start: talks}, conversation.ConversationInput{Scenario: s})
	if outcomeCodes(o) != "no_match" || o.Errors[0].At > 15 {
		t.Errorf("%s", formatOutcome(o))
	}
}

func TestRecognizerThatFails(t *testing.T) {
	t.Parallel()
	person := &scriptedCallee{pushErr: errors.New("no model")}
	o := holdTalk(t, person, conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")})
	checkEnd(t, o, call.Completed, "")
	if outcomeCodes(o) != "recognizer_failed no_input no_input no_input" {
		t.Errorf("%s", formatOutcome(o))
	}
}

func TestDisclosureAndNotice(t *testing.T) {
	t.Parallel()
	in := conversation.ConversationInput{
		Scenario: builtIn(t, "restaurant_order"), Disclosure: "شركة الاختبار المحدودة", Announce: true,
	}
	o := holdTalk(t, &scriptedCallee{}, in)
	if o.Messages[0].Content != in.Disclosure || o.Messages[1].Content != "هذه المكالمة مسجلة لضمان الجودة" {
		t.Errorf("%s", formatOutcome(o))
	}
	o, err := runConversation(t, &scriptedCallee{}, in, func(d *conversation.Dependencies) { d.Speak = toneVoice{cannot: []string{in.Disclosure}} })
	if err != nil {
		t.Fatal(err)
	}
	checkEnd(t, o, call.Failed, call.NoVoice)
}

func TestLinesThatNothingCanSpeak(t *testing.T) {
	t.Parallel()
	s := readScenario(t, `"variables":[{"name":"who"}],"steps":[
		{"id":"a","type":"say","say":["مرحبا",{"text":"يا {{who}}","optional":true},"غريب","{{who}}"]},
		{"id":"q","type":"ask","say":"غريب","slot":{"name":"ok","type":"yes_no"},"on_failure":"bye"},
		{"id":"bye","type":"end","say":"شكرا"}]`)
	o, err := runConversation(t, &scriptedCallee{}, conversation.ConversationInput{Scenario: s}, func(d *conversation.Dependencies) { d.Speak = toneVoice{cannot: []string{"غريب"}} })
	if err != nil {
		t.Fatal(err)
	}
	checkEnd(t, o, call.Completed, "")
	if outcomeCodes(o) != "speech_failed value_missing speech_failed" || len(o.Messages) != 2 {
		t.Errorf("%s", formatOutcome(o))
	}
}

// TestSlowVoiceDoesNotHoldTheLine checks that frames are read while speech is synthesized, and that synthesis that
// never ends is given up.
func TestSlowVoiceDoesNotHoldTheLine(t *testing.T) {
	t.Parallel()
	for slow, want := range map[time.Duration]string{3 * time.Second: "", time.Hour: "speech_failed"} {
		synctest.Test(t, func(t *testing.T) {
			s := readScenario(t, `"steps":[{"id":"a","type":"say","say":"مرحبا"}]`)
			person := &scriptedCallee{nap: func() { time.Sleep(carrier.Tick) }}
			began := time.Now()
			o, err := runConversation(t, person, conversation.ConversationInput{Scenario: s}, func(d *conversation.Dependencies) { d.Speak = toneVoice{slow: slow} })
			if err != nil || o.Status != call.Completed || outcomeCodes(o) != want {
				t.Errorf("%v: %v\n%s", slow, err, formatOutcome(o))
			}
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("%v: the call took %v", slow, took)
			}
		})
	}
}

// TestTheFirstLineDoesNotWaitForTheNext checks that a ready line is said while the next one is still synthesized.
func TestTheFirstLineDoesNotWaitForTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := readScenario(t, `"steps":[{"id":"a","type":"say","say":["مرحبا بكم","معكم العيادة","مع السلامة"]}]`)
		person := &scriptedCallee{nap: func() { time.Sleep(carrier.Tick) }}
		o, err := runConversation(t, person, conversation.ConversationInput{Scenario: s}, func(d *conversation.Dependencies) { d.Speak = toneVoice{slow: 2 * time.Second} })
		if err != nil || len(o.Messages) != 3 || o.Messages[0].Start > 4.8 || o.Messages[2].End > 10.2 {
			t.Errorf("%v\n%s", err, formatOutcome(o))
		}
	})
}

func TestObservers(t *testing.T) {
	t.Parallel()
	var frames int
	var told []call.Message
	o, err := runConversation(t, &scriptedCallee{script: scriptedAnswers("موافق")}, conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")},
		func(d *conversation.Dependencies) {
			d.OnFrame = func(f carrier.Frame) {
				if f.At != time.Duration(frames)*carrier.Tick {
					t.Errorf("frame %d is at %v", frames, f.At)
				}
				frames++
			}
			d.OnMessage = func(m call.Message) { told = append(told, m) }
		})
	if err != nil || len(told) != len(o.Messages) || frames/50 != *o.Duration {
		t.Errorf("%v: %d frames, %d messages told\n%s", err, frames, len(told), formatOutcome(o))
	}
}
