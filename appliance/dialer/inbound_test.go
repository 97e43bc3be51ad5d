package dialer_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dialer"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// ringingCall is a call that rings; without a line its caller has gone.
type ringingCall struct {
	line    *countingLine
	err     error
	waits   time.Duration
	refused []carrier.Refusal
	trace   carrier.TraceRecorder
}

// Trace implements [carrier.TracedCall].
func (r *ringingCall) Trace() *carrier.TraceRecorder { return &r.trace }

func (*ringingCall) Called() []string { return nil }
func (*ringingCall) Caller() string   { return "" }
func (*ringingCall) Ring()            {}

func (r *ringingCall) Refuse(why carrier.Refusal) { r.refused = append(r.refused, why) }

func (r *ringingCall) Answer(ctx context.Context) (carrier.Line, error) {
	select {
	case <-time.After(r.waits):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if r.line == nil {
		return nil, r.err
	}
	r.line.hung = make(chan struct{})
	return r.line, nil
}

// receive lets the dialer answer a call, and returns it when it has ended.
func (b *dialerFixture) receive(ctx context.Context, t *testing.T, in *ringingCall, closed string) call.Call {
	t.Helper()
	b.call.Direction = call.Inbound
	if err := dialer.NewDialer(b.deps).Receive(ctx, b.call, in, closed); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(in.refused, []carrier.Refusal{carrier.RefuseUnavailable}) {
		t.Errorf("refused %v: a call that was not answered must not ring for ever", in.refused)
	}
	return b.call
}

// TestReceive checks that an inbound call is answered and not dialled, and gets the version of the scenario that it
// follows up, without answering machine detection.
func TestReceive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got dialer.ConversationInput
		b := newBench(t, func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
			got = c
			return listenFrames(100, done)(ctx, c)
		})
		b.call.ScenarioVersion, b.call.Attempt.PreviousID = 4, &b.call.ID // the store of the test has one call
		in := &ringingCall{line: &countingLine{}}
		in.trace.AddMessage(call.SIPMessage{Line: "INVITE sip:a SIP/2.0"}) // came before the call was routed
		watched := []string{}
		b.deps.WatchSignalling = func(c call.Call, m call.SIPMessage) { watched = append(watched, c.ID+" "+m.Line) }
		ended := b.receive(t.Context(), t, in, "")
		checkOutcome(t, ended, call.Completed, "")
		if !slices.Equal(watched, []string{"call_1 INVITE sip:a SIP/2.0"}) {
			t.Errorf("viewers see %v", watched)
		}
		if got.Follows == nil || got.Follows.Talk.ID != b.call.ID {
			t.Errorf("it follows %+v", got.Follows)
		}
		if b.net.got.Number != "" || got.Scenario.Version != 4 || got.Scenario.AnsweringMachine != scenario.MachineOff || !got.Recorded {
			t.Errorf("dialled %q, scenario %+v", b.net.got.Number, got.Scenario)
		}
		if *ended.Duration != 2 || ended.Recording == "" || ended.ScenarioVersion != 4 {
			t.Errorf("it ended as %+v", ended)
		}
	})
}

// TestReceiveClosed checks that outside calling hours one line is spoken, and the report says that nothing was asked.
func TestReceiveClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
			if c.Follows != nil {
				t.Errorf("the closed line follows %s", c.Follows.Talk.ID)
			}
			if s := c.Scenario; len(s.Steps) != 2 || s.Steps[0].Say[0].Text != "مغلق" || s.Steps[1].Type != scenario.End || len(s.AllSlots()) > 0 {
				t.Errorf("the scenario is %+v", s.Steps)
			}
			return listenFrames(10, call.CallOutcome{Status: call.Completed})(ctx, c)
		})
		b.plan.Steps = []scenario.FlowStep{{ID: "q", Type: scenario.Ask, Slot: &scenario.AnswerSlot{Name: "ok", Type: "yes_no"}}}
		b.call.Attempt.PreviousID = &b.call.ID
		ended := b.receive(t.Context(), t, &ringingCall{line: &countingLine{}}, "مغلق")
		checkOutcome(t, ended, call.Completed, "")
		if string(ended.Report) != `{"ok":null}` || !slices.Equal(ended.Unasked, []string{"ok"}) || len(ended.Errors) != 1 || ended.Errors[0].Code != "closed_hours" {
			t.Errorf("it ended as %s, not asked %v, %+v", ended.Report, ended.Unasked, ended.Errors)
		}
	})
}

// TestNotReceived checks the outcomes of inbound calls that are not answered.
func TestNotReceived(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err    error
		stop   time.Duration
		status call.CallStatus
		reason call.FailureReason
	}{
		"caller gone": {carrier.ErrCallerGone, 0, call.NoAnswer, call.CallerHungUp},
		"no line":     {&carrier.DialError{Err: errors.New("no ACK")}, 0, call.Failed, call.NoCarrier},
		"shutdown":    {nil, time.Second, call.Failed, call.Interrupted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, listenFrames(1, done))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				in := &ringingCall{err: c.err}
				if c.stop > 0 {
					in.waits = time.Hour
					time.AfterFunc(c.stop, cancel)
				}
				ended := b.receive(ctx, t, in, "")
				checkOutcome(t, ended, c.status, c.reason)
				if c.status == call.NoAnswer && ended.EndedBy != call.ByCustomer {
					t.Errorf("ended by %s", ended.EndedBy)
				}
			})
		})
	}
}

// TestAnonymousOptOut checks that the wish of an anonymous caller not to be called, whom nobody can call, does not
// spoil the outcome.
func TestAnonymousOptOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(context.Context, dialer.ConversationInput) (dialer.TalkResult, error) {
			return dialer.TalkResult{Outcome: done, Suppress: &callrules.SuppressionEntry{Reason: "asked"}}, nil
		})
		b.call.PhoneNumber = ""
		checkOutcome(t, b.receive(t.Context(), t, &ringingCall{line: &countingLine{}}, ""), call.Completed, "")
		if b.suppress != nil {
			t.Errorf("suppressed %+v", b.suppress)
		}
	})
}

// TestTrialRingsNobody checks that a trial at a browser gets no way to call staff, and that a call does.
func TestTrialRingsNobody(t *testing.T) {
	t.Parallel()
	for _, trial := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			dials := false
			b := newBench(t, func(_ context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
				dials = c.DialStaff != nil
				return dialer.TalkResult{Outcome: done}, nil
			})
			b.call.Trial = trial
			line := &countingLine{hung: make(chan struct{})}
			if _, err := dialer.NewDialer(b.deps).Try(t.Context(), b.call, b.plan, line, dialer.TalkObserver{}); err != nil {
				t.Fatal(err)
			}
			if dials == trial {
				t.Errorf("a trial: %v; it may call staff: %v", trial, dials)
			}
		})
	}
}

// TestTrialByTelephone checks that a trial calls the member of staff with the scenario that it is given, and that one
// that no trunk accepts ends: it is not dialled later.
func TestTrialByTelephone(t *testing.T) {
	t.Parallel()
	for _, extension := range []string{"+966500000007", "sip:204@pbx.example.com"} {
		for _, accepted := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				to, fault := callrules.ParseTransfer(extension)
				if fault != nil {
					t.Fatal(fault)
				}
				held := ""
				b := newBench(t, func(_ context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
					held = c.Scenario.ID
					return dialer.TalkResult{Outcome: done}, nil
				})
				b.call.Trial, b.call.PhoneNumber, b.plan.ID = true, "", "draft"
				want := call.Completed
				if !accepted {
					b.net.line, b.net.refusal, want = nil, &carrier.DialError{RetryAfter: time.Minute}, call.Failed
				}
				if err := dialer.NewDialer(b.deps).RingTrial(t.Context(), b.call, b.plan, to); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(b.net.numbers, []string{extension}) || (held == "draft") != accepted || b.call.Status != want {
					t.Errorf("dialled %v, held %q, %s", b.net.numbers, held, b.call.Status)
				}
			})
		}
	}
}
