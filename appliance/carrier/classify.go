package carrier

import (
	"errors"

	"munadi/store/call"
)

// ClassifyRefusal maps the evidence of an unanswered dial to an outcome. Precedence: our own reason, Q.850 cause, SIP
// status, transport error. An operator's announcement decides where these leave open why no telephone was reached.
func ClassifyRefusal(r *DialError) (call.CallStatus, call.CallFailure) {
	status, f := classifySignalling(r)
	if r.Announced == "" || !IsGeneric(f.Reason) {
		return status, f
	}
	f.Reason = r.Announced
	if f.Reason == call.Busy {
		return call.UserRejected, f
	}
	return call.UserUnavailable, f
}

// IsGeneric reports whether an announcement may say more than the signalling did.
func IsGeneric(reason call.FailureReason) bool {
	return reason == call.RingTimeout || reason == call.Unavailable || reason == call.CarrierFailure
}

// classifySignalling is ClassifyRefusal without announcements.
func classifySignalling(r *DialError) (call.CallStatus, call.CallFailure) {
	f := call.CallFailure{SIPCode: r.SIPCode, Q850Cause: r.Q850}
	status := call.Failed
	switch {
	case r.RingTimeout && r.Rang:
		status, f.Reason = call.NoAnswer, call.RingTimeout
		return status, f
	case r.RingTimeout && r.Q850 == nil: // no_answer requires ringing: the carrier did not reach a telephone
		f.Reason = call.CarrierFailure
		return status, f
	}
	if r.Q850 != nil {
		if s, reason, known := classifyQ850(*r.Q850); known {
			f.Reason = reason
			return s, f
		}
	}
	if r.SIPCode != nil {
		status, f.Reason = classifySIPStatus(*r.SIPCode, r.Rang)
		return status, f
	}
	f.Reason = call.NoCarrier
	return status, f
}

// ClassifyBrokenLine maps the evidence of a line that broke to the failure of its call, which is the carrier's.
func ClassifyBrokenLine(r *DialError) call.CallFailure {
	f := call.CallFailure{Reason: call.CarrierFailure, SIPCode: r.SIPCode, Q850Cause: r.Q850}
	if errors.Is(r.Err, ErrNoAudio) {
		f.Reason = call.NoAudio
	}
	return f
}

// classifyQ850 maps Q.850 causes (ITU-T Q.850 §2.2.7); causes that do not concern the person are left to the SIP
// status.
func classifyQ850(cause int) (call.CallStatus, call.FailureReason, bool) {
	switch cause {
	case 18, 19: // no user responding, no answer
		return call.NoAnswer, call.RingTimeout, true
	case 17: // user busy
		return call.UserRejected, call.Busy, true
	case 21: // call rejected
		return call.UserRejected, call.Declined, true
	case 1, 28, 22: // unallocated number, invalid format, number changed
		return call.UserUnavailable, call.InvalidNumber, true
	case 2, 3, 20, 27: // no route, subscriber absent, destination out of order
		return call.UserUnavailable, call.Unavailable, true
	default:
		return "", "", false
	}
}

// IsSuccess reports whether a final SIP status is a successful one (2xx, RFC 3261 §21.2): of a call that failed, its
// answer could not be used.
func IsSuccess(code int) bool { return code >= 200 && code < 300 }

// classifySIPStatus maps SIP status codes (RFC 3261 §21, RFC 8197/8688 for 607, 608). 408 and 487 count as no answer
// only after ringing.
func classifySIPStatus(code int, rang bool) (call.CallStatus, call.FailureReason) {
	if IsSuccess(code) { // answered, with what we cannot play
		return call.Failed, call.IncompatibleMedia
	}
	switch code {
	case 486, 600:
		return call.UserRejected, call.Busy
	case 603, 607, 608:
		return call.UserRejected, call.Declined
	case 480:
		return call.UserUnavailable, call.Unavailable
	case 404, 410, 484, 604:
		return call.UserUnavailable, call.InvalidNumber
	case 408, 487:
		if rang {
			return call.NoAnswer, call.RingTimeout
		}
	}
	return call.Failed, call.CarrierFailure
}
