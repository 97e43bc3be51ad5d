package dialer

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
)

const (
	firstPause   = 100 * time.Millisecond // first backoff of a store retry; it doubles
	lastPause    = 5 * time.Second
	storeTimeout = 5 * time.Second // how long the store is retried after ctx has ended
)

// keepAnswer records the answer in the background, so that the person does not wait for the disk. The channel is closed
// when it is stored, or cannot be.
func (a *dialAttempt) keepAnswer(ctx context.Context, recording string) <-chan struct{} {
	now, done := time.Now(), make(chan struct{})
	go func() {
		defer close(done)
		err := a.retryUntilStored(ctx, func(ctx context.Context) error {
			_, err := a.Store.AnswerCall(ctx, a.call.OrgID, a.call.ID, recording, now)
			return err
		})
		switch {
		case store.CodeOf(err) == store.CodeConflict: // its true outcome follows
			a.log.Warn("an answer was not stored: the call was ended meanwhile", "err", err)
		case err != nil:
			a.log.Error("an answer could not be stored", "err", err)
		}
	}()
	return done
}

const (
	firstWait   = 5 * time.Second // first backoff of a requeued call; it doubles with each requeue
	longestWait = 15 * time.Minute
)

// requeueCall requeues a call that the carrier did not accept, with exponential backoff, at least the carrier's
// Retry-After, and reports whether that was possible.
func (a *dialAttempt) requeueCall(ctx context.Context) bool {
	wait := min(firstWait<<min(a.call.Returns, 10), longestWait)
	wait = max(wait, a.notAccepted.RetryAfter)
	now := time.Now()
	err := a.retryUntilStored(ctx, func(ctx context.Context) error {
		_, err := a.Store.ReturnCall(ctx, a.call.OrgID, a.call.ID, now.Add(wait), a.notAccepted.Error(), now)
		return err
	})
	if err != nil {
		a.log.Warn("a call that the carrier did not accept could not be requeued", "err", err)
		return false
	}
	a.log.Info("the carrier accepts no calls: the call is requeued", "err", a.notAccepted, "wait", wait)
	return true
}

// isHangupAsked reports whether a person requested the call's end; false if the store fails.
func (a *dialAttempt) isHangupAsked(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hangupPollInterval)
	defer cancel()
	kept, err := a.Store.FindCall(ctx, a.call.OrgID, a.call.ID)
	return err == nil && kept.HangupAt != nil
}

// storeOutcome stores the outcome. One that is too large is stored without transcript and report.
func (a *dialAttempt) storeOutcome(ctx context.Context, t TalkResult) error {
	now := time.Now()
	if a.call.PhoneNumber == "" { // an anonymous caller has no number to suppress
		t.Suppress = nil
	}
	if s := t.Suppress; s != nil {
		s.OrgID, s.PhoneNumber, s.CreatedAt = a.call.OrgID, a.call.PhoneNumber, now
	}
	keep := func(ctx context.Context) error {
		_, err := a.Store.FinishCall(ctx, a.call.OrgID, a.call.ID, t.Outcome, t.Suppress, now)
		return err
	}
	err := a.retryUntilStored(ctx, keep)
	if code := store.CodeOf(err); code == store.CodeTooLarge || code == store.CodeInvalid {
		a.log.Error("an outcome is too large: it is stored without transcript and report", "err", err)
		t.Outcome = withoutTranscript(t.Outcome)
		err = a.retryUntilStored(ctx, keep)
	}
	if err == nil {
		a.log.Info("call ended", "status", t.Outcome.Status, "reason", call.ReasonOf(t.Outcome.Failure))
	}
	return err
}

// withoutTranscript returns an outcome without transcript and report.
func withoutTranscript(o call.CallOutcome) call.CallOutcome {
	return call.CallOutcome{
		Status: o.Status, Failure: o.Failure, Duration: o.Duration, Machine: o.Machine, Line: o.Line, CallBack: o.CallBack,
		Recording: o.Recording, RecordingSum: o.RecordingSum, ScenarioVersion: o.ScenarioVersion, ShownNumber: o.ShownNumber,
		Errors: []call.CallError{{Code: "outcome_too_large", Message: "The transcript and the report could not be kept."}},
	}
}

// retryUntilStored retries fact with exponential backoff until the store accepts it or refuses it permanently. After
// ctx has ended it continues for [storeTimeout].
func (a *dialAttempt) retryUntilStored(ctx context.Context, fact func(context.Context) error) error {
	trying, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(storeTimeout, cancel) })()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := fact(trying)
		if err == nil || isFinalError(err) || trying.Err() != nil {
			return err
		}
		a.log.Warn("the database failed; the write is tried again", "err", err, "in", pause)
		select {
		case <-time.After(pause):
		case <-trying.Done():
			return err
		}
	}
}

// isFinalError reports whether a retry cannot succeed.
func isFinalError(err error) bool {
	switch store.CodeOf(err) {
	case store.CodeConflict, store.CodeNotFound, store.CodeInvalid, store.CodeTooLarge, store.CodeClosed:
		return true
	default:
		return false
	}
}
