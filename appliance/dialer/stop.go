package dialer

import (
	"context"
	"sync"
	"time"

	"munadi/store"
	"munadi/store/call"
)

const (
	lookEvery  = 5 * time.Second  // for a hang-up whose wake-up was missed
	stallAfter = 2 * time.Minute  // without a frame: the conversation hangs
	patience   = 10 * time.Second // for a conversation to bring home what it has, once its line is hung up
	impatience = 2 * time.Second  // the same at a shutdown
)

// stopRequest is our own end of an attempt: asked for at most once, and no more after the attempt has ended by itself.
type stopRequest struct {
	ctx    context.Context // ends when the attempt is to end
	cancel context.CancelFunc

	mu      sync.Mutex
	why     call.FailureReason
	settled bool
	line    *recordedLine // while there is a conversation
}

func newStop() *stopRequest {
	s := &stopRequest{}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// requestStop ends the attempt for a reason; the first one counts.
func (s *stopRequest) requestStop(why call.FailureReason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settled || s.why != "" {
		return
	}
	s.why = why
	s.cancel()
}

// settleReason says that the attempt is over, and why we ended it; empty when we did not.
func (s *stopRequest) settleReason() call.FailureReason {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled, s.line = true, nil
	return s.why
}

// endTimeout is how long a conversation may take to end.
func (s *stopRequest) endTimeout() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.why == call.Interrupted {
		return impatience
	}
	return patience
}

func (s *stopRequest) startTalking(line *recordedLine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = line
}

// isStalled says that a conversation has taken no frame for long.
func (s *stopRequest) isStalled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.line != nil && s.line.idleTime() > stallAfter
}

// watchStop asks for the attempt's end when a person does, when ctx ends and when the conversation hangs; over ends the
// watch itself.
func (a *dialAttempt) watchStop(ctx context.Context) (over func()) {
	woken, unwatch := a.Store.WatchKind(store.HangupsAsked)
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		defer unwatch()
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			a.checkHangup(ctx)
			select {
			case <-woken:
			case <-tick.C:
			case <-ctx.Done():
				a.stop.requestStop(call.Interrupted)
				<-done
				return
			case <-done:
				return
			}
		}
	})
	return func() { close(done); watching.Wait() }
}

// checkHangup asks once. A store that does not answer is asked again at the next tick.
func (a *dialAttempt) checkHangup(ctx context.Context) {
	if a.stop.isStalled() {
		a.log.Error("a conversation hangs", "for", stallAfter)
		a.stop.requestStop(call.InternalFail)
	}
	if c, err := a.Store.FindCall(ctx, a.call.OrgID, a.call.ID); err == nil && c.HangupAt != nil {
		a.stop.requestStop(call.Operator)
	}
}
