package dialer_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/dialer"
	"munadi/store/call"
)

// TestCallBack checks that the member of staff is called first, that the person is not called if they do not answer or
// hang up, and that the conversation gets their line.
func TestCallBack(t *testing.T) {
	t.Parallel()
	const extension, number = "sip:204@pbx", "+966501234567"
	for name, c := range map[string]struct {
		staff  *countingLine
		status call.CallStatus
		reason call.FailureReason
		dialed []string
		line   error              // why staff get no line
		forbid call.FailureReason // why the person may not be called any more
	}{
		"both answer":          {&countingLine{}, call.Completed, "", []string{extension, number}, nil, ""},
		"staff do not answer":  {nil, call.Cancelled, call.StaffUnreached, []string{extension}, nil, ""},
		"staff hang up before": {&countingLine{frames: 50}, call.Failed, call.Operator, []string{extension, number}, nil, ""},
		"no line for staff":    {nil, call.Cancelled, call.CallBackLate, nil, errors.New("all are taken"), ""},
		"suppressed meanwhile": {&countingLine{}, call.Cancelled, call.Suppressed, []string{extension}, nil, call.Suppressed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				joined := ""
				b := newBench(t, func(ctx context.Context, in dialer.ConversationInput) (dialer.TalkResult, error) {
					joined = in.Joined.To
					if _, err := in.Joined.Line.Next(ctx); err != nil {
						t.Errorf("the line of the member of staff: %v", err)
					}
					return listenFrames(100, done)(ctx, in)
				})
				b.missing = true // a call-back has no scenario
				b.call.Staff, b.call.ScenarioID, b.forbidden = extension, call.CallBackScenario, c.forbid
				b.deps.HoldLine = func(string, string) (func(), error) { return func() {}, c.line }
				b.net.staff, b.net.rings = c.staff, 5*time.Second
				got := b.runCall(t.Context(), t)
				checkOutcome(t, got, c.status, c.reason)
				if called := slices.Contains(c.dialed, number); (got.ReleasedAt != nil) != called {
					t.Errorf("released at %v, but the person was called: %v", got.ReleasedAt, called)
				}
				if !slices.Equal(b.net.numbers, c.dialed) {
					t.Errorf("dialled %q, want %q", b.net.numbers, c.dialed)
				}
				if (joined == extension) != (c.status == call.Completed) {
					t.Errorf("joined with %q", joined)
				}
			})
		})
	}
}
