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

func run(t *testing.T, c *callee, in conversation.ConversationInput, change func(*conversation.Dependencies)) (conversation.ConversationOutcome, error) {
	t.Helper()
	d := deps(t, c)
	if change != nil {
		change(&d)
	}
	return conversation.RunConversation(t.Context(), d, in)
}

func ends(t *testing.T, o conversation.ConversationOutcome, status call.CallStatus, reason call.FailureReason) {
	t.Helper()
	if o.Status != status || call.ReasonOf(o.Failure) != reason {
		t.Errorf("want %s (%s):\n%s", status, reason, transcript(o))
	}
	if (o.Report != nil) != (status == call.Completed || status == "") {
		t.Errorf("report %s of a call that is %s", o.Report, status)
	}
}

func TestHangUps(t *testing.T) {
	t.Parallel()
	appointment := builtIn(t, "appointment_confirmation")
	message := flow(t, `"steps":[{"id":"a","type":"say","say":"موعدكم غدا صباحا"},{"id":"b","type":"say","say":"نرجو الحضور قبل الموعد"}]`)
	for name, c := range map[string]struct {
		scenario scenario.Scenario
		callee   callee
		status   call.CallStatus
		reason   call.FailureReason
	}{
		"before a word":             {appointment, callee{start: does{after: 2 * time.Second, hangup: true}}, call.UserRejected, call.HungUpEarly},
		"after all, without a word": {appointment, callee{start: does{after: 14 * time.Second, hangup: true}}, call.UserRejected, call.HungUpEarly},
		"with a word on the way":    {appointment, callee{start: does{after: time.Second, say: "ألو", hangup: true}}, call.Completed, ""},
		"midway": {appointment, callee{script: func(int, carrier.Speech) does {
			return does{after: time.Second, say: "لا أستطيع الحضور", then: &does{after: time.Second, hangup: true}}
		}}, call.Completed, ""},
		"after a key": {appointment, callee{script: func(int, carrier.Speech) does { return does{after: time.Second, keys: "9", hangup: true} }}, call.Completed, ""},
		"in the goodbye": {appointment, callee{script: func(int, carrier.Speech) does {
			return does{after: time.Second, say: "نعم أؤكد", then: &does{after: 5 * time.Second, hangup: true}}
		}}, call.Completed, ""},
		"a message, at once": {message, callee{start: does{after: time.Second, hangup: true}}, call.UserRejected, call.HungUpEarly},
		"a message, heard":   {message, callee{start: does{after: 4200 * time.Millisecond, hangup: true}}, call.Completed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := talk(t, &c.callee, conversation.ConversationInput{Scenario: c.scenario})
			ends(t, o, c.status, c.reason)
		})
	}
	t.Run("midway, in full", func(t *testing.T) {
		t.Parallel()
		person := &callee{script: func(int, carrier.Speech) does {
			return does{after: time.Second, say: "لا أستطيع الحضور", then: &does{after: time.Second, hangup: true}}
		}}
		golden(t, "hung_up_midway", transcript(talk(t, person, conversation.ConversationInput{Scenario: appointment})))
	})
}

// tone is a sine from one time to another.
func tone(hz float64, from, to time.Duration) func(time.Duration) []int16 {
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
	says := func(text string, takes time.Duration) does {
		return does{after: 500 * time.Millisecond, say: text, takes: takes}
	}
	voicemail := says("الرقم الذي طلبته غير متاح الآن اترك رسالة بعد الصافرة", 5*time.Second)
	for name, c := range map[string]struct {
		policy scenario.MachinePolicy
		callee callee
		status call.CallStatus
		reason call.FailureReason
		who    string
	}{
		"voicemail":              {"", callee{start: voicemail}, call.Automation, call.Voicemail, "voicemail"},
		"misheard, beeps":        {"", callee{start: says("الرقم طلب رسالة", 5*time.Second), tones: tone(1000, 6*time.Second, 6500*time.Millisecond)}, call.Automation, call.Voicemail, "voicemail"},
		"announcement":           {"", callee{start: says("الهاتف المطلوب مغلق أو خارج نطاق التغطية", 4*time.Second)}, call.UserUnavailable, call.Announcement, "announcement"},
		"announcement, hangs up": {"", callee{start: does{say: "الهاتف المطلوب مغلق أو خارج نطاق التغطية", hangup: true}}, call.UserUnavailable, call.Announcement, "announcement"},
		"menu":                   {"", callee{start: says("للغة العربية اضغط واحد لخدمة العملاء اضغط اثنين", 5*time.Second)}, call.Automation, call.IVR, "ivr"},
		"fax":                    {"", callee{tones: tone(2100, time.Second, 3*time.Second)}, call.Automation, call.Fax, "fax"},
		"only noted":             {scenario.MachineDetect, callee{start: voicemail}, call.Completed, "", "voicemail"},
		"not looked for":         {scenario.MachineOff, callee{start: voicemail}, call.Completed, "", ""},
		"a person":               {"", callee{start: says("ألو نعم تفضل", time.Second)}, call.Completed, "", "human"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := builtIn(t, "appointment_confirmation")
			s.AnsweringMachine = c.policy
			o := talk(t, &c.callee, conversation.ConversationInput{Scenario: s})
			ends(t, o, c.status, c.reason)
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
		return flow(t, `"steps":[{"id":"q","type":"ask",`+more+`"say":"هل تؤكدون الحضور في هذا الموعد الجديد يوم الخميس","max_reasks":0,
			"slot":{"name":"ok","type":"yes_no"}},{"id":"bye","type":"end","say":"شكرا"}]`)
	}
	t.Run("speech", func(t *testing.T) {
		t.Parallel()
		person := &callee{start: does{after: 3700 * time.Millisecond, say: "نعم أؤكد الموعد"}}
		golden(t, "barge_in", transcript(talk(t, person, conversation.ConversationInput{Scenario: question("")})))
	})
	t.Run("a short word", func(t *testing.T) {
		t.Parallel()
		person := &callee{start: does{after: 3400 * time.Millisecond, say: "نعم", takes: 200 * time.Millisecond}}
		o := talk(t, person, conversation.ConversationInput{Scenario: question("")})
		if got := o.Messages[0].Content; report(t, o)["ok"] != true || got != "هل تؤكدون الحضور في هذا" && got != "هل تؤكدون الحضور في هذا الموعد" {
			t.Errorf("%s", transcript(o))
		}
	})
	t.Run("a key", func(t *testing.T) {
		t.Parallel()
		person := &callee{start: does{after: 3200 * time.Millisecond, keys: "2"}}
		o := talk(t, person, conversation.ConversationInput{Scenario: question("")})
		if report(t, o)["ok"] != false || o.Messages[0].Content != "هل تؤكدون" {
			t.Errorf("%s", transcript(o))
		}
	})
	t.Run("not allowed", func(t *testing.T) {
		t.Parallel()
		person := &callee{start: does{after: 3200 * time.Millisecond, say: "نعم أؤكد الموعد"}}
		o := talk(t, person, conversation.ConversationInput{Scenario: question(`"no_barge_in":true,`)})
		if report(t, o)["ok"] != nil || o.Messages[0].Content != "هل تؤكدون الحضور في هذا الموعد الجديد يوم الخميس" {
			t.Errorf("%s", transcript(o))
		}
	})
	t.Run("who spoke before the question does not answer it", func(t *testing.T) {
		t.Parallel()
		s := flow(t, `"steps":[{"id":"a","type":"say","say":"مرحبا بكم"},
			{"id":"q","type":"ask","say":"هل تؤكدون الحضور في هذا الموعد","max_reasks":0,"slot":{"name":"ok","type":"yes_no"}}]`)
		person := &callee{start: does{after: 2700 * time.Millisecond, say: "نعم نعم مين معي الآن"}, script: says("لا")}
		o := talk(t, person, conversation.ConversationInput{Scenario: s})
		if report(t, o)["ok"] != false || o.Messages[1].Content != "نعم نعم مين معي الآن" {
			t.Errorf("%s", transcript(o))
		}
	})
}

func TestOperatorHangsUp(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	person := &callee{script: func(int, carrier.Speech) does { close(stop); return does{} }}
	o, err := run(t, person, conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")}, func(d *conversation.Dependencies) { d.Hangup = stop })
	if err != nil {
		t.Fatal(err)
	}
	ends(t, o, call.Failed, call.Operator)
}

func TestLineHungUpByItsOwner(t *testing.T) {
	t.Parallel()
	person := &callee{}
	person.script = func(int, carrier.Speech) does { person.Hangup(); return does{} }
	o, err := run(t, person, conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")}, nil)
	if !errors.Is(err, carrier.ErrHungUp) {
		t.Errorf("error %v", err)
	}
	ends(t, o, "", "")
}

func TestContextEndsTheCallAtOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	person := &callee{script: func(int, carrier.Speech) does { cancel(); return does{} }}
	o, err := conversation.RunConversation(ctx, deps(t, person), conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	ends(t, o, call.Failed, call.Interrupted)
	if len(o.Messages) != 3 {
		t.Errorf("%s", transcript(o))
	}
	select {
	case <-person.hung:
	default:
		t.Error("the line is still up")
	}
}

func TestBrokenLine(t *testing.T) {
	t.Parallel()
	broken := &carrier.DialError{Err: errors.New("no packets")}
	person := &callee{}
	d := deps(t, person)
	d.Line = breaking{person, broken}
	o, err := conversation.RunConversation(t.Context(), d, conversation.ConversationInput{Scenario: builtIn(t, "restaurant_order")})
	if !errors.Is(err, error(broken)) {
		t.Errorf("error %v", err)
	}
	ends(t, o, call.Failed, call.CarrierFailure)
}

type breaking struct {
	*callee
	err error
}

func (b breaking) Next(ctx context.Context) (carrier.Frame, error) {
	if b.n == 100 {
		return carrier.Frame{}, b.err
	}
	return b.callee.Next(ctx)
}

func TestLongestDuration(t *testing.T) {
	t.Parallel()
	s := builtIn(t, "restaurant_order")
	s.MaxDurationSeconds = 14
	o := talk(t, &callee{}, conversation.ConversationInput{Scenario: s})
	ends(t, o, call.Completed, "")
	if *o.Duration != 14 || codes(o) != "no_input max_duration" {
		t.Errorf("%s", transcript(o))
	}
}

func TestNoiseWithoutEndIsNoAnswer(t *testing.T) {
	t.Parallel()
	s := flow(t, `"steps":[{"id":"q","type":"ask","say":"هل تؤكدون","max_reasks":0,"slot":{"name":"ok","type":"yes_no"}}]`)
	person := &callee{start: does{after: time.Second, say: "…", takes: 5 * time.Minute}}
	o := talk(t, person, conversation.ConversationInput{Scenario: s})
	ends(t, o, call.Completed, "")
	if codes(o) != "no_match" || *o.Duration > 30 {
		t.Errorf("%s", transcript(o))
	}
}

// TestShortSoundWithoutAWord: what was said and not understood at all is asked again at once, not after a silence as
// long as nobody's; a cough while the question is still being asked is no answer.
func TestShortSoundWithoutAWord(t *testing.T) {
	t.Parallel()
	s := flow(t, `"steps":[{"id":"q","type":"ask","say":"هل تؤكدون الحضور في هذا الموعد",
		"max_reasks":0,"timeout_seconds":6,"slot":{"name":"ok","type":"yes_no"}}]`)
	mumbles := does{after: 500 * time.Millisecond, say: "…", takes: 600 * time.Millisecond}
	o := talk(t, &callee{script: func(int, carrier.Speech) does { return mumbles }}, conversation.ConversationInput{Scenario: s})
	if question := 4300 * time.Millisecond; codes(o) != "no_match" || o.Errors[0].At > (question+4500*time.Millisecond).Seconds() {
		t.Errorf("%s", transcript(o))
	}
	coughs := does{after: 2800 * time.Millisecond, say: "…", takes: 200 * time.Millisecond}
	o = talk(t, &callee{start: coughs}, conversation.ConversationInput{Scenario: s})
	if codes(o) != "no_input" {
		t.Errorf("%s", transcript(o))
	}
	thinks := mumbles
	thinks.then = &does{after: 1500 * time.Millisecond, say: "نعم"}
	o = talk(t, &callee{script: func(int, carrier.Speech) does { return thinks }}, conversation.ConversationInput{Scenario: s})
	if codes(o) != "" || report(t, o)["ok"] != true {
		t.Errorf("%s", transcript(o))
	}
}

func TestRecognizerThatFails(t *testing.T) {
	t.Parallel()
	person := &callee{pushErr: errors.New("no model")}
	o := talk(t, person, conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")})
	ends(t, o, call.Completed, "")
	if codes(o) != "recognizer_failed no_input no_input no_input" {
		t.Errorf("%s", transcript(o))
	}
}

func TestDisclosureAndNotice(t *testing.T) {
	t.Parallel()
	in := conversation.ConversationInput{
		Scenario: builtIn(t, "restaurant_order"), Disclosure: "شركة الاختبار المحدودة", Announce: true,
	}
	o := talk(t, &callee{}, in)
	if o.Messages[0].Content != in.Disclosure || o.Messages[1].Content != "هذه المكالمة مسجلة لضمان الجودة" {
		t.Errorf("%s", transcript(o))
	}
	o, err := run(t, &callee{}, in, func(d *conversation.Dependencies) { d.Speak = voice{cannot: []string{in.Disclosure}} })
	if err != nil {
		t.Fatal(err)
	}
	ends(t, o, call.Failed, call.NoVoice)
}

func TestLinesThatNothingCanSpeak(t *testing.T) {
	t.Parallel()
	s := flow(t, `"variables":[{"name":"who"}],"steps":[
		{"id":"a","type":"say","say":["مرحبا",{"text":"يا {{who}}","optional":true},"غريب","{{who}}"]},
		{"id":"q","type":"ask","say":"غريب","slot":{"name":"ok","type":"yes_no"},"on_failure":"bye"},
		{"id":"bye","type":"end","say":"شكرا"}]`)
	o, err := run(t, &callee{}, conversation.ConversationInput{Scenario: s}, func(d *conversation.Dependencies) { d.Speak = voice{cannot: []string{"غريب"}} })
	if err != nil {
		t.Fatal(err)
	}
	ends(t, o, call.Completed, "")
	if codes(o) != "speech_failed value_missing speech_failed" || len(o.Messages) != 2 {
		t.Errorf("%s", transcript(o))
	}
}

// TestSlowVoiceDoesNotHoldTheLine: the frames go on while a sound is made, and one that never comes is given up.
func TestSlowVoiceDoesNotHoldTheLine(t *testing.T) {
	t.Parallel()
	for slow, want := range map[time.Duration]string{3 * time.Second: "", time.Hour: "speech_failed"} {
		synctest.Test(t, func(t *testing.T) {
			s := flow(t, `"steps":[{"id":"a","type":"say","say":"مرحبا"}]`)
			person := &callee{nap: func() { time.Sleep(carrier.Tick) }}
			began := time.Now()
			o, err := run(t, person, conversation.ConversationInput{Scenario: s}, func(d *conversation.Dependencies) { d.Speak = voice{slow: slow} })
			if err != nil || o.Status != call.Completed || codes(o) != want {
				t.Errorf("%v: %v\n%s", slow, err, transcript(o))
			}
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("%v: the call took %v", slow, took)
			}
		})
	}
}

// TestTheFirstLineDoesNotWaitForTheNext: what is ready is said, while a voice still makes what follows.
func TestTheFirstLineDoesNotWaitForTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := flow(t, `"steps":[{"id":"a","type":"say","say":["مرحبا بكم","معكم العيادة","مع السلامة"]}]`)
		person := &callee{nap: func() { time.Sleep(carrier.Tick) }}
		o, err := run(t, person, conversation.ConversationInput{Scenario: s}, func(d *conversation.Dependencies) { d.Speak = voice{slow: 2 * time.Second} })
		if err != nil || len(o.Messages) != 3 || o.Messages[0].Start > 4.8 || o.Messages[2].End > 10.2 {
			t.Errorf("%v\n%s", err, transcript(o))
		}
	})
}

func TestObservers(t *testing.T) {
	t.Parallel()
	var frames int
	var told []call.Message
	o, err := run(t, &callee{script: says("موافق")}, conversation.ConversationInput{Scenario: builtIn(t, "appointment_confirmation")},
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
		t.Errorf("%v: %d frames, %d messages told\n%s", err, frames, len(told), transcript(o))
	}
}
