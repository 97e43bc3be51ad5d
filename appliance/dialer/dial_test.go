package dialer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dialer"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/callerid"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

var done = call.CallOutcome{
	Status: call.Completed, Messages: []call.Message{{Role: call.User, Content: "نعم"}}, Report: json.RawMessage(`{"a":1}`),
}

func numberedFrame(i int) *int { return &i }

// checkOutcome compares the end of a call.
func checkOutcome(t *testing.T, got call.Call, status call.CallStatus, reason call.FailureReason) {
	t.Helper()
	if got.Status != status || call.ReasonOf(got.Failure) != reason {
		t.Errorf("it ended as %s %q, want %s %q", got.Status, call.ReasonOf(got.Failure), status, reason)
	}
}

func TestConversation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, listenFrames(130, done)) // 2.6 s
		b.call.Attempt.Number = 2
		got := b.runCall(t.Context(), t)
		checkOutcome(t, got, call.Completed, "")
		if got.Duration == nil || *got.Duration != 3 || string(got.Report) != `{"a":1}` || len(got.Messages) != 1 {
			t.Errorf("got %+v", got)
		}
		if !got.EndedAt.Equal(got.StartedAt.Add(130 * carrier.Tick)) {
			t.Errorf("it lasted from %s to %s", got.StartedAt, got.EndedAt)
		}
		if r := b.net.got; r.CallID != "call_1" || r.Number != "+966501234567" || r.Ring != 20*time.Second || r.Attempt != 2 {
			t.Errorf("dialled %+v", r)
		}
		if got.Recording != "default/call_1.wav" || b.named != got.Recording {
			t.Errorf("the recording is %q, at the answer %q", got.Recording, b.named)
		}
		sound := b.recordedSound(t, got.Recording)
		if len(sound) != 44+130*160*4 || string(sound[44:48]) != "\x01\x00\xff\xff" || string(sound[len(sound)-4:]) != "\x82\x00\x7e\xff" {
			t.Errorf("%d bytes of recording: % x … % x", len(sound), sound[44:48], sound[len(sound)-4:])
		}
		select {
		case <-b.net.line.hung:
		default:
			t.Error("the line is still up")
		}
	})
}

// TestCallerNumber checks the precedence of caller numbers: the call's, the organization's, the carrier's.
func TestCallerNumber(t *testing.T) {
	t.Parallel()
	const person, other = "+966110000007", "+97140000007"
	for want, set := range map[string][3]string{
		"": {}, "+966112345678": {"", "+966112345678"}, "+966920001234": {"+966920001234", "+966112345678", person},
		person: {"", "+966112345678", person},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, listenFrames(1, done))
			b.call.CallerNumber, b.rules.CallerNumber = set[0], set[1]
			if set[2] != "" {
				b.rules.CallerNumbers = callerid.NumberRules{b.call.PhoneNumber[:4]: {set[2]}, "+971": {other}}
			}
			if ended := b.runCall(t.Context(), t); b.net.got.Caller != want || ended.ShownNumber != want {
				t.Errorf("it shows %q, and %q is stored, want %q", b.net.got.Caller, ended.ShownNumber, want)
			}
		})
	}
}

func (b *dialerFixture) recordedSound(t *testing.T, name string) []byte {
	t.Helper()
	f, err := b.folder.OpenRecording(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sound, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return sound
}

// TestNoRecording checks the reasons for which a call has no recording.
func TestNoRecording(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rules   callrules.CallRules
		frames  int
		trouble int
		create  error
	}{
		"turned off":         {rules: callrules.CallRules{Recording: callrules.RecordOff}, frames: 10},
		"no frame":           {frames: -1},
		"it cannot be begun": {frames: 10, create: fs.ErrPermission, trouble: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, listenFrames(c.frames, done))
			b.rules = c.rules
			if c.create != nil {
				b.deps.Recordings = brokenRecorder{c.create}
			}
			got := b.runCall(t.Context(), t)
			checkOutcome(t, got, call.Completed, "")
			if got.Recording != "" || len(got.Errors) != c.trouble || got.Duration == nil {
				t.Errorf("got %+v", got)
			}
			if _, err := b.folder.OpenRecording(t.Context(), "default/call_1.wav"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("there is a file (%v)", err)
			}
		})
	}
}

// TestRedactedTurnsAreSilent checks that a turn of which the transcript leaves something out is silent, with a margin:
// a person's in their channel, the platform's in both, as is what has no transcript, and nothing else; without the rule
// nothing is.
func TestRedactedTurnsAreSilent(t *testing.T) {
	t.Parallel()
	said := call.CallOutcome{Status: call.Completed, Messages: []call.Message{
		{Role: call.Assistant, Content: "السلام عليكم", Start: 0, End: 0.5},
		{Role: call.User, Content: "رقمي […] نعم", Start: 1, End: 1.5},
		{Role: call.Assistant, Content: "شكرا […]", Start: 2, End: 2.2},
	}}
	for _, redacts := range []bool{false, true} {
		b := newBench(t, func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
			talk, err := listenFrames(200, said)(ctx, c)
			talk.Unrecognized = []call.SoundSpan{{From: 3, To: 3.5}}
			return talk, err
		})
		b.rules.Redact = redacts
		got := b.runCall(t.Context(), t)
		sound := b.recordedSound(t, got.Recording)[44:]
		for i := 0; i < len(sound)/4; i++ {
			at := float64(i) / blob.Rate
			left, right := sound[4*i] != 0 || sound[4*i+1] != 0, sound[4*i+2] != 0 || sound[4*i+3] != 0
			untold := at >= 1.8 && at < 2.4 || at >= 2.8 && at < 3.7
			wantLeft := !redacts || !untold && (at < 0.8 || at >= 1.7)
			wantRight := !redacts || !untold
			if left != wantLeft || right != wantRight {
				t.Fatalf("redaction %v, second %v: the person is heard %v, the platform %v", redacts, at, left, right)
			}
		}
	}
}

// TestRedactedCallThatIsCutOff checks that a running call of an organization that redacts names no recording yet, and
// that nothing is heard in that of a call whose transcript is lost.
func TestRedactedCallThatIsCutOff(t *testing.T) {
	t.Parallel()
	for _, redacts := range []bool{false, true} {
		b := newBench(t, func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
			if _, err := listenFrames(50, done)(ctx, c); err != nil {
				return dialer.TalkResult{}, err
			}
			panic("a defect")
		})
		b.rules.Redact = redacts
		sound := b.recordedSound(t, b.runCall(t.Context(), t).Recording)[44:]
		silent := !slices.ContainsFunc(sound, func(v byte) bool { return v != 0 })
		if silent != redacts || len(sound) == 0 || (b.named == "") != redacts {
			t.Errorf("redaction %v: silent %v, %d bytes; at the answer %q", redacts, silent, len(sound), b.named)
		}
	}
}

// brokenRecorder is a recorder on a full disk: a recording that has begun cannot continue.
type brokenRecorder struct{ create error }

func (brokenRecorder) Sum() *call.RecordingSum { return nil }

func (brokenRecorder) SilenceSpan(int, int64, int64) error {
	return errors.New("no space left on device")
}

func (b brokenRecorder) Create(string) (dialer.CallRecorder, error) { return b, b.create }
func (brokenRecorder) RemoveFile(string) error                      { return nil }
func (brokenRecorder) AppendFrames([]int16, []int16) error {
	return errors.New("no space left on device")
}

func (brokenRecorder) Close() error { return errors.New("no space left on device") }

// TestRecordingThatCannotBeRedacted checks that it is not kept, and the call says so.
func TestRecordingThatCannotBeRedacted(t *testing.T) {
	t.Parallel()
	o := call.CallOutcome{Status: call.Completed, Messages: []call.Message{{Role: call.User, Content: "[…]", End: 1}}}
	b := newBench(t, listenFrames(10, o))
	b.rules.Redact, b.deps.Recordings = true, brokenRecorder{}
	if got := b.runCall(t.Context(), t); got.Recording != "" || len(got.Errors) != 1 || got.Errors[0].Code != "recording_failed" {
		t.Errorf("got %+v", got)
	}
}

// TestFullDisk checks that the conversation continues, the recording so far is kept, and the call has an error entry.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	b := newBench(t, listenFrames(10, done))
	b.deps.Recordings = brokenRecorder{}
	var noted error
	b.deps.NoteRecorded = func(err error) { noted = err }
	got := b.runCall(t.Context(), t)
	checkOutcome(t, got, call.Completed, "")
	if noted == nil {
		t.Error("nobody is told")
	}
	if got.Recording == "" || len(got.Errors) != 1 || got.Errors[0].Code != "recording_failed" || b.net.line.n != 10 {
		t.Errorf("got %+v", got)
	}
}

// TestRecordedIsNoted checks that a call that is recorded says so.
func TestRecordedIsNoted(t *testing.T) {
	t.Parallel()
	b := newBench(t, listenFrames(10, done))
	noted := errors.New("nobody is told")
	b.deps.NoteRecorded = func(err error) { noted = err }
	b.runCall(t.Context(), t)
	if noted != nil {
		t.Error(noted)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		refusal  error
		suppress bool
		status   call.CallStatus
		reason   call.FailureReason
		listed   bool
	}{
		"no answer":          {&carrier.DialError{RingTimeout: true, Rang: true}, false, call.NoAnswer, call.RingTimeout, false},
		"busy":               {&carrier.DialError{SIPCode: numberedFrame(486)}, false, call.UserRejected, call.Busy, false},
		"declined":           {&carrier.DialError{SIPCode: numberedFrame(603)}, false, call.UserRejected, call.Declined, false},
		"no SIP answer":      {&carrier.DialError{Err: errors.New("timeout")}, false, call.Failed, call.NoCarrier, false},
		"wrapped":            {fmt.Errorf("dial: %w", &carrier.DialError{SIPCode: numberedFrame(480)}), false, call.UserUnavailable, call.Unavailable, false},
		"no such number":     {&carrier.DialError{SIPCode: numberedFrame(404)}, false, call.UserUnavailable, call.InvalidNumber, false},
		"no such, listed":    {&carrier.DialError{SIPCode: numberedFrame(404)}, true, call.UserUnavailable, call.InvalidNumber, true},
		"busy is not listed": {&carrier.DialError{SIPCode: numberedFrame(486)}, true, call.UserRejected, call.Busy, false},
		"no evidence":        {errors.New("the carrier is mad"), false, call.Failed, call.InternalFail, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, listenFrames(0, done))
			b.net.line, b.net.refusal, b.rules.SuppressInvalid = nil, c.refusal, c.suppress
			got := b.runCall(t.Context(), t)
			checkOutcome(t, got, c.status, c.reason)
			if got.Duration != nil || got.StartedAt != nil || got.Recording != "" {
				t.Errorf("it was never answered: %+v", got)
			}
			if s := b.suppress; (s != nil) != c.listed || c.listed && (s.PhoneNumber != got.PhoneNumber || s.OrgID != "default" || s.Source != "carrier") {
				t.Errorf("suppressed %+v", s)
			}
		})
	}
}

func TestConversationsThatFail(t *testing.T) {
	t.Parallel()
	machine := &call.CallFailure{Reason: call.Voicemail}
	for name, c := range map[string]struct {
		talk   dialer.TalkResult
		err    error
		status call.CallStatus
		reason call.FailureReason
	}{
		"a machine":      {dialer.TalkResult{Outcome: call.CallOutcome{Status: call.Automation, Failure: machine}}, nil, call.Automation, call.Voicemail},
		"an error":       {dialer.TalkResult{Outcome: done}, errors.New("broke"), call.Failed, call.InternalFail},
		"the line broke": {dialer.TalkResult{Outcome: done}, &carrier.DialError{Q850: numberedFrame(41)}, call.Failed, call.CarrierFailure},
		"no audio":       {dialer.TalkResult{Outcome: done}, &carrier.DialError{Err: fmt.Errorf("%w for 10 s", carrier.ErrNoAudio)}, call.Failed, call.NoAudio},
		"no outcome":     {dialer.TalkResult{}, nil, call.Failed, call.InternalFail},
		"impossible":     {dialer.TalkResult{Outcome: call.CallOutcome{Status: call.NoAnswer}}, nil, call.Failed, call.InternalFail},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(ctx context.Context, conv dialer.ConversationInput) (dialer.TalkResult, error) {
				_, _ = conv.Line.Next(ctx)
				return c.talk, c.err
			})
			got := b.runCall(t.Context(), t)
			checkOutcome(t, got, c.status, c.reason)
			if got.Duration == nil || got.Recording == "" || len(got.Messages) != len(c.talk.Outcome.Messages) {
				t.Errorf("something is lost: %+v", got)
			}
		})
	}
}

func TestPanicsEndTheCall(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
		_, _ = c.Line.Next(ctx)
		panic("at the disco")
	})
	got := b.runCall(t.Context(), t)
	checkOutcome(t, got, call.Failed, call.InternalFail)
	if got.Recording == "" {
		t.Error("the recording is lost")
	}
	b = newBench(t, listenFrames(0, done))
	b.net.panics = true
	checkOutcome(t, b.runCall(t.Context(), t), call.Failed, call.InternalFail)
}

func TestScenarioGone(t *testing.T) {
	t.Parallel()
	b := newBench(t, listenFrames(0, done))
	b.missing = true
	checkOutcome(t, b.runCall(t.Context(), t), call.Failed, call.UnknownFlow)
	if b.net.got.CallID != "" {
		t.Error("it was dialled")
	}
}

func TestOptOut(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(context.Context, dialer.ConversationInput) (dialer.TalkResult, error) {
		return dialer.TalkResult{Outcome: done, Suppress: &callrules.SuppressionEntry{Reason: "asked", Source: "call"}}, nil
	})
	b.runCall(t.Context(), t)
	if s := b.suppress; s == nil || s.PhoneNumber != "+966501234567" || s.OrgID != "default" || s.CreatedAt.IsZero() {
		t.Errorf("suppressed %+v", s)
	}
}

func TestLongestDuration(t *testing.T) {
	t.Parallel()
	for name, talk := range map[string]scriptedTalk{
		"brought home": listenFrames(0, done),
		"given up": func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
			for {
				if _, err := c.Line.Next(ctx); err != nil {
					return dialer.TalkResult{}, err
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, talk)
				got := b.runCall(t.Context(), t)
				checkOutcome(t, got, call.Completed, "")
				if *got.Duration != 62 || len(got.Errors) != 1 || got.Errors[0].Code != "max_duration" || got.Errors[0].At != 62 {
					t.Errorf("after %d s: %+v", *got.Duration, got.Errors)
				}
			})
		})
	}
}

func TestOutcomesThatAreTooBig(t *testing.T) {
	t.Parallel()
	b := newBench(t, listenFrames(10, done))
	b.fail = func(fact string) error {
		if fact == "finish" && b.countTries("finish") == 1 {
			return store.Errorf(store.CodeTooLarge, "too large")
		}
		return nil
	}
	got := b.runCall(t.Context(), t)
	checkOutcome(t, got, call.Completed, "")
	if got.Messages != nil || got.Recording == "" || got.Duration == nil || got.Errors[0].Code != "outcome_too_large" {
		t.Errorf("got %+v", got)
	}
}

// TestWhoEndedTheCall checks that the side that hung up first is recorded; after a transfer it is the platform.
func TestWhoEndedTheCall(t *testing.T) {
	t.Parallel()
	transfers := scriptedTalk(func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
		if err := c.Line.Transfer(ctx, "+966500000001"); err != nil {
			return dialer.TalkResult{}, err
		}
		return listenFrames(0, done)(ctx, c)
	})
	early := done
	early.Status, early.Failure = call.UserRejected, &call.CallFailure{Reason: call.HungUpEarly}
	for name, c := range map[string]struct {
		talk scriptedTalk
		line *countingLine // nil: no answer
		by   call.EndedBy
	}{
		"the customer in the conversation": {listenFrames(0, done), &countingLine{frames: 3}, call.ByCustomer},
		"the customer before a word":       {listenFrames(0, early), &countingLine{frames: 3}, call.ByCustomer},
		"the platform":                     {listenFrames(3, done), &countingLine{}, call.ByPlatform},
		"the platform by a transfer":       {transfers, &countingLine{frames: 3}, call.ByPlatform},
		"no answer":                        {listenFrames(0, done), nil, call.ByCarrier},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, c.talk)
				if b.net.line = c.line; c.line == nil {
					b.net.refusal = &carrier.DialError{RingTimeout: true, Rang: true}
				}
				if got := b.runCall(t.Context(), t); got.EndedBy != c.by {
					t.Errorf("%s, ended by %q, want %q", got.Status, got.EndedBy, c.by)
				}
			})
		})
	}
}

// TestUnacceptedDialIsRescheduled checks that a dial that the carrier did not accept is no attempt: the call is
// scheduled again, after the time that the carrier asked for, with growing pauses. After too many times, or when its
// end is requested, it fails.
func TestUnacceptedDialIsRescheduled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		returns int
		after   time.Duration
		wait    time.Duration // 0: it ends
	}{
		"asked to come later":      {0, time.Minute, time.Minute},
		"the first time":           {0, time.Second, 5 * time.Second},
		"the fourth time":          {3, time.Second, 40 * time.Second},
		"the fiftieth time":        {49, time.Second, 15 * time.Minute},
		"once more than it may be": {call.MaxReturns, time.Second, 0},
		"an outcome of the call":   {0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, listenFrames(0, done))
				b.call.Returns = c.returns
				b.net.line, b.net.refusal = nil, &carrier.DialError{SIPCode: numberedFrame(503), RetryAfter: c.after}
				now := time.Now()
				got := b.runCall(t.Context(), t)
				if c.wait == 0 {
					checkOutcome(t, got, call.Failed, call.CarrierFailure)
					return
				}
				checkOutcome(t, got, call.Scheduled, "")
				if !got.ScheduledAt.Equal(now.Add(c.wait)) || got.ReleasedAt != nil || b.note != "refused with SIP status 503" {
					t.Errorf("after %v: %+v, %q", got.ScheduledAt.Sub(now), got, b.note)
				}
			})
		})
	}
}

// TestHangupDuringRescheduling checks that a hang-up request while the call is being rescheduled ends the call.
func TestHangupDuringRescheduling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, listenFrames(0, done))
		code := 503
		b.net.line, b.net.refusal = nil, &carrier.DialError{SIPCode: &code, RetryAfter: time.Minute}
		b.fail = func(fact string) error { // the hang-up comes right before
			if now := time.Now(); fact == "return" {
				b.call.HangupAt = &now
			}
			return nil
		}
		got := b.runCall(t.Context(), t)
		checkOutcome(t, got, call.Failed, call.Operator)
		if got.EndedBy != call.ByOperator {
			t.Errorf("it was ended by %q", got.EndedBy)
		}
	})
}

// TestScenarioChangedInMidCall checks that a running call keeps the scenario's version that it was dialled with, and
// records it; the next attempt uses the new one, and a call that was booked with the old one keeps that.
func TestScenarioChangedInMidCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		said := func(c dialer.ConversationInput) string { return c.Scenario.Steps[0].Say[0].Text }
		version := func(number int, line string) scenario.Scenario {
			return scenario.Scenario{
				Version: number, RingSeconds: 20, MaxDurationSeconds: 60,
				Steps: []scenario.FlowStep{{ID: "a", Type: scenario.Say, Say: scenario.SpokenLines{{Text: line}}}},
			}
		}
		var b *dialerFixture
		var heard []string
		b = newBench(t, scriptedTalk(func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
			heard = append(heard, said(c))
			_, _ = b.applyFact("save", func() error { b.plan = version(8, "جديد"); return nil })
			result, err := listenFrames(20, done)(ctx, c)
			heard = append(heard, said(c))
			return result, err
		}))
		b.plan = version(7, "قديم")
		if got := b.runCall(t.Context(), t); got.ScenarioVersion != 7 || !slices.Equal(heard, []string{"قديم", "قديم"}) {
			t.Errorf("version %d, said %q", got.ScenarioVersion, heard)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, listenFrames(20, done))
		b.plan.Version = 8
		if got := b.runCall(t.Context(), t); got.ScenarioVersion != 8 {
			t.Errorf("the next call has version %d", got.ScenarioVersion)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, listenFrames(20, done))
		b.plan.Version, b.call.ScenarioVersion = 8, 7
		if got := b.runCall(t.Context(), t); got.ScenarioVersion != 7 {
			t.Errorf("a call that was booked with version 7 has version %d", got.ScenarioVersion)
		}
	})
}
