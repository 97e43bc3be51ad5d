package dialer

import (
	"context"
	"sync"
	"time"

	"munadi/store"
	"munadi/store/call"
)

const (
	hangupPollInterval    = 5 * time.Second  // polling interval for hang-up requests whose notification was missed
	stallAfter            = 2 * time.Minute  // without a frame: the conversation is stalled
	resultTimeout         = 10 * time.Second // for a conversation to return its results after its line was hung up
	shutdownResultTimeout = 2 * time.Second  // the same at a shutdown
)

// stopRequest is a request to end an attempt from our side: accepted once, and not after the attempt has ended by
// itself.
type stopRequest struct {
	ctx    context.Context // cancelled when the attempt is to end
	cancel context.CancelFunc

	mu      sync.Mutex
	why     call.FailureReason
	settled bool
	line    *recordedLine // during a conversation
}

func newStop() *stopRequest {
	s := &stopRequest{}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// requestStop ends the attempt for a reason; only the first request counts.
func (s *stopRequest) requestStop(why call.FailureReason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settled || s.why != "" {
		return
	}
	s.why = why
	s.cancel()
}

// settleReason marks the attempt as ended and returns the reason of the stop request; empty without one.
func (s *stopRequest) settleReason() call.FailureReason {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled, s.line = true, nil
	return s.why
}

// endTimeout returns how long a conversation may take to end.
func (s *stopRequest) endTimeout() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.why == call.Interrupted {
		return shutdownResultTimeout
	}
	return resultTimeout
}

func (s *stopRequest) startTalking(line *recordedLine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = line
}

// isStalled reports whether a conversation has not read a frame for [stallAfter] (watchdog).
func (s *stopRequest) isStalled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.line != nil && s.line.idleTime() > stallAfter
}

// watchStop watches an attempt and requests its end on a hang-up request, when ctx ends and when the conversation
// stalls; over ends the watch.
func (a *dialAttempt) watchStop(ctx context.Context) (over func()) {
	woken, unwatch := a.Store.WatchKind(store.HangupsRequested)
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		defer unwatch()
		tick := time.NewTicker(hangupPollInterval)
		defer tick.Stop()
		for {
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
			a.checkHangup(ctx)
		}
	})
	return func() { close(done); watching.Wait() }
}

// checkHangup reads the hang-up request once. If the store fails, the next tick tries again.
func (a *dialAttempt) checkHangup(ctx context.Context) {
	if a.stop.isStalled() {
		a.log.Error("a conversation is stalled and is ended", "for", stallAfter)
		a.stop.requestStop(call.InternalFail)
	}
	if c, err := a.Store.FindCall(ctx, a.call.OrgID, a.call.ID); err == nil && c.HangupAt != nil {
		a.stop.requestStop(call.Operator)
	}
}
