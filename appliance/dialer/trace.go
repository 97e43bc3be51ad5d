package dialer

import (
	"context"
	"time"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// traceWait is how long the outcome waits for the last signalling of a call: the response to a BYE or a CANCEL.
const traceWait = time.Second

// beginTrace begins to record the signalling of the attempt. That of an inbound call is recorded since its INVITE.
func (a *dialAttempt) beginTrace() {
	a.trace = &carrier.TraceRecorder{}
	if traced, ok := a.incoming.(carrier.TracedCall); ok {
		a.trace = traced.Trace()
	}
	if a.WatchSignalling != nil {
		a.trace.WatchMessages(func(m call.SIPMessage) { a.WatchSignalling(a.call, m) })
	}
}

// finishTrace ends the recording and returns it.
func (a *dialAttempt) finishTrace(ctx context.Context) *call.LineTrace {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceWait)
	defer cancel()
	return a.trace.FinishTrace(ctx)
}
