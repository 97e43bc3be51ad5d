package dialer_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/dialer"
	"munadi/store"
	"munadi/store/call"
)

// countTries counts the attempts to store a change.
func (b *singleCallStore) countTries(fact string) int {
	if b.tries == nil {
		b.tries = map[string]int{}
	}
	b.tries[fact]++
	return b.tries[fact]
}

func TestOperatorHangsUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rings time.Duration // before the answer
		after time.Duration // the hang-up
	}{
		"before it is dialled": {after: 0},
		"while it rings":       {rings: 20 * time.Second, after: 7 * time.Second},
		"right at the answer":  {rings: 20 * time.Second, after: 20*time.Second + 8*time.Millisecond},
		"in the conversation":  {after: 7 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, listenFrames(0, done))
				b.net.rings = c.rings
				begin := time.Now()
				if c.after == 0 {
					b.askHangup()
				} else {
					time.AfterFunc(c.after, b.askHangup)
				}
				got := b.runCall(t.Context(), t)
				if got.EndedBy != call.ByOperator {
					t.Errorf("it was ended by %q", got.EndedBy)
				}
				if c.after > c.rings {
					checkOutcome(t, got, call.Completed, "")
				} else {
					checkOutcome(t, got, call.Failed, call.Operator)
				}
				if answered := got.StartedAt != nil; answered != (c.after > c.rings) {
					t.Errorf("answered: %v", answered)
				}
				if took := time.Since(begin); took > c.after+50*time.Millisecond {
					t.Errorf("it took %s", took)
				}
				if c.rings > 0 {
					return
				}
				if c.after > 0 && (*got.Duration != 7 || len(got.Messages) != 1 || got.Recording == "") {
					t.Errorf("what was said is lost: %+v", got)
				}
			})
		})
	}
}

// TestMissedWakeUp checks that a hang-up request whose notification was lost is found by polling.
func TestMissedWakeUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, listenFrames(0, done))
		b.woken = nil
		begin := time.Now()
		time.AfterFunc(time.Second, b.askHangup)
		checkOutcome(t, b.runCall(t.Context(), t), call.Completed, "")
		if took := time.Since(begin); took > 6*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

func TestShutdown(t *testing.T) {
	t.Parallel()
	deaf := func(ctx context.Context, _ dialer.ConversationInput) (dialer.TalkResult, error) {
		<-ctx.Done()
		return dialer.TalkResult{Outcome: done}, ctx.Err()
	}
	for name, c := range map[string]struct {
		talk  scriptedTalk
		rings time.Duration
		most  time.Duration
	}{
		"while it rings":      {listenFrames(0, done), time.Minute, 0},
		"in the conversation": {listenFrames(0, done), 0, 20 * time.Millisecond},
		"deaf":                {deaf, 0, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, c.talk)
				b.net.rings = c.rings
				ctx, cancel := context.WithCancel(t.Context())
				begin := time.Now()
				time.AfterFunc(5*time.Second, cancel)
				got := b.runCall(ctx, t)
				checkOutcome(t, got, call.Failed, call.Interrupted)
				if took := time.Since(begin) - 5*time.Second; took > c.most {
					t.Errorf("it took %s more", took)
				}
				if c.rings == 0 && len(got.Messages) != 1 {
					t.Error("what was said is lost")
				}
			})
		})
	}
}

// TestStalledConversationIsEnded checks that a conversation that reads no frame for too long is ended, whatever it
// waits for.
func TestStalledConversationIsEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(ctx context.Context, _ dialer.ConversationInput) (dialer.TalkResult, error) {
			<-ctx.Done()
			return dialer.TalkResult{}, ctx.Err()
		})
		begin := time.Now()
		checkOutcome(t, b.runCall(t.Context(), t), call.Failed, call.InternalFail)
		if took := time.Since(begin); took > 2*time.Minute+20*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// TestOutcomeWaitsForTheStore checks that neither answer nor outcome is lost, and that the conversation does not wait
// for the store.
func TestOutcomeWaitsForTheStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, listenFrames(50, done))
		begin := time.Now()
		b.fail = func(string) error {
			if time.Since(begin) < time.Minute {
				return errors.New("disk on fire")
			}
			return nil
		}
		got := b.runCall(t.Context(), t)
		checkOutcome(t, got, call.Completed, "")
		if !got.StartedAt.Equal(begin) || *got.Duration != 1 {
			t.Errorf("the answer was at %s, %d s long", got.StartedAt.Sub(begin), *got.Duration)
		}
	})
}

// TestStopWithUnreachableStore checks that a stopping dialer gives up after a time and logs that the outcome was not
// stored.
func TestStopWithUnreachableStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, listenFrames(0, done))
		b.fail = func(string) error { return errors.New("disk on fire") }
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, cancel)
		begin := time.Now()
		if err := dialer.NewDialer(b.deps).Run(ctx, b.call); err == nil {
			t.Error("it says nothing")
		}
		if took := time.Since(begin); took > 40*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// TestRefusedChangeIsNotRepeated checks that a change that the store refuses permanently is not repeated.
func TestRefusedChangeIsNotRepeated(t *testing.T) {
	t.Parallel()
	b := newBench(t, listenFrames(10, done))
	b.fail = func(fact string) error {
		if fact == "finish" && b.countTries(fact) > 0 {
			return store.Errorf(store.CodeConflict, "the call has ended")
		}
		return nil
	}
	err := dialer.NewDialer(b.deps).Run(t.Context(), b.call)
	if store.CodeOf(err) != store.CodeConflict || b.tries["finish"] != 1 {
		t.Errorf("%v after %d tries", err, b.tries["finish"])
	}
}
