package carrier

import (
	"context"
	"slices"
	"strings"
	"sync"

	"munadi/store/call"
)

// Limits of the SIP ladder of a call: the first and the last messages are kept, those between them counted.
const (
	firstMessages = 48
	lastMessages  = 48
)

// TraceRecorder records the SIP ladder and the media quality of one call. It is safe for concurrent use; nil records
// nothing.
type TraceRecorder struct {
	call *TraceRecorder // that the messages of a leg to a member of staff are added to, see [TraceRecorder.StaffLeg]
	leg  int            // its number

	mu       sync.Mutex
	watch    func(m call.SIPMessage)
	trace    call.LineTrace
	closed   bool
	closers  []func()
	exchange sync.WaitGroup // signalling in progress after the call's end
}

// AddMessage adds a message to the ladder. One that repeats the last one is only counted.
func (r *TraceRecorder) AddMessage(m call.SIPMessage) {
	if r == nil {
		return
	}
	if r.call != nil {
		m.Leg = r.leg
		r.call.AddMessage(m)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed && r.addMessage(m) && r.watch != nil {
		r.watch(m)
	}
}

// WatchMessages calls watch with each message of the ladder's beginning, those that it has already and each one as it
// is added, for viewers of the call; it must neither block nor use the recorder.
func (r *TraceRecorder) WatchMessages(watch func(m call.SIPMessage)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.trace.Messages {
		watch(m)
	}
	r.watch = watch
}

// StaffLeg returns the recorder of a leg to a member of staff: its messages are in the call's ladder, marked with the
// number of the leg, 1 and up; its quality is not recorded.
func (r *TraceRecorder) StaffLeg(number int) *TraceRecorder {
	if r == nil {
		return nil
	}
	return &TraceRecorder{call: r, leg: number}
}

// addMessage is [TraceRecorder.AddMessage] with the lock held, and reports whether viewers are told.
func (r *TraceRecorder) addMessage(m call.SIPMessage) bool {
	all := r.trace.Messages
	at := len(all)
	for i := max(0, len(all)-mostOvertaking); i < at; i++ {
		if isAnswerTo(all[i], m) {
			at, m.At = i, all[i].At
		}
	}
	if at > 0 && isRepeat(all[at-1], m) {
		all[at-1].Repeats++
		return false
	}
	all = slices.Insert(all, at, m)
	if len(all) > firstMessages+lastMessages {
		all = slices.Delete(all, firstMessages, firstMessages+1)
		r.trace.Omitted++
	}
	r.trace.Messages = all
	return r.trace.Omitted == 0
}

// mostOvertaking is how many messages may be recorded before a sent one that they follow: the ACK of a refusal and the
// next INVITE.
const mostOvertaking = 3

// isAnswerTo reports whether a message that has come answers one that was sent: the response to a request, the ACK of
// a response. A sent one is recorded after it was written, which may be later than its answer.
func isAnswerTo(answer, m call.SIPMessage) bool {
	if answer.Sent || !m.Sent || answer.Leg != m.Leg {
		return false
	}
	number, method := readCSeq(answer)
	sentNumber, sentMethod := readCSeq(m)
	if number == "" || number != sentNumber {
		return false
	}
	response := strings.HasPrefix(m.Line, "SIP/2.0 ")
	if strings.HasPrefix(answer.Line, "SIP/2.0 ") {
		return !response && method == sentMethod
	}
	return response && method == "ACK" && sentMethod == "INVITE"
}

// readCSeq returns the number and the method of a message's CSeq; empty without one.
func readCSeq(m call.SIPMessage) (number, method string) {
	for _, h := range m.Headers {
		if name, value, _ := strings.Cut(h, ":"); strings.EqualFold(name, "cseq") {
			number, method, _ = strings.Cut(strings.TrimSpace(value), " ")
			return number, strings.TrimSpace(method)
		}
	}
	return "", ""
}

// isRepeat reports whether a message is the one before it again.
func isRepeat(before, m call.SIPMessage) bool {
	return before.Sent == m.Sent && before.Leg == m.Leg && before.Line == m.Line && before.Peer == m.Peer &&
		slices.Equal(before.Headers, m.Headers) && slices.Equal(before.SDP, m.SDP)
}

// SetQuality sets the media quality of the call.
func (r *TraceRecorder) SetQuality(samples []call.QualitySample) {
	if r == nil || r.call != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trace.Quality = samples
}

// BeginExchange notes an exchange of messages, such as a BYE and its response, that [TraceRecorder.FinishTrace] waits
// for until end is called.
func (r *TraceRecorder) BeginExchange() (end func()) {
	if r == nil {
		return func() {}
	}
	if r.call != nil {
		return r.call.BeginExchange()
	}
	r.exchange.Add(1)
	return sync.OnceFunc(r.exchange.Done)
}

// OnFinish calls f when the recording ends, at once if it has.
func (r *TraceRecorder) OnFinish(f func()) {
	if r == nil {
		return
	}
	if r.call != nil {
		r.call.OnFinish(f)
		return
	}
	r.mu.Lock()
	closed := r.closed
	if !closed {
		r.closers = append(r.closers, f)
	}
	r.mu.Unlock()
	if closed {
		f()
	}
}

// FinishTrace ends the recording, after the exchanges in progress or ctx have ended, and returns it; nil if it is
// empty.
func (r *TraceRecorder) FinishTrace(ctx context.Context) *call.LineTrace {
	if r == nil {
		return nil
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		r.exchange.Wait()
	}()
	select {
	case <-over:
	case <-ctx.Done():
	}
	r.mu.Lock()
	r.closed = true
	closers, trace := r.closers, r.trace
	r.closers = nil
	r.mu.Unlock()
	for _, f := range closers {
		f()
	}
	if trace.IsEmpty() {
		return nil
	}
	return &trace
}
