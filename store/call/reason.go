package call

// FailureReason is why a call ended otherwise than as a conversation: finer than its status.
type FailureReason string

// The reasons. Those of the line come first, in the order in which carriers tell them apart.
const (
	RingTimeout    FailureReason = "ring_timeout"
	Busy           FailureReason = "busy"
	Declined       FailureReason = "declined"
	HungUpEarly    FailureReason = "hung_up_early" // after the answer, before a word
	Unavailable    FailureReason = "unavailable"
	InvalidNumber  FailureReason = "invalid_number"
	Announcement   FailureReason = "announcement" // the carrier's voice instead of the person's
	Voicemail      FailureReason = "voicemail"
	IVR            FailureReason = "ivr"
	Fax            FailureReason = "fax"
	CarrierFailure FailureReason = "carrier_failure" // a final answer that says nothing about the person
	NoCarrier      FailureReason = "no_carrier"      // no SIP answer, or no transport

	Suppressed         FailureReason = "suppressed" // stopped at its release, these four
	BlockedDestination FailureReason = "blocked_destination"
	AttemptLimit       FailureReason = "attempt_limit"
	NoVoice            FailureReason = "no_voice"

	Operator     FailureReason = "operator"      // a person ended it
	UnknownFlow  FailureReason = "scenario_gone" // its scenario was deleted before the dial
	Interrupted  FailureReason = "interrupted"   // the appliance stopped in the middle
	InternalFail FailureReason = "internal"
)

// AllReasons lists every reason.
func AllReasons() []FailureReason {
	return []FailureReason{
		RingTimeout, Busy, Declined, HungUpEarly, Unavailable, InvalidNumber, Announcement, Voicemail, IVR, Fax,
		CarrierFailure, NoCarrier, Suppressed, BlockedDestination, AttemptLimit, NoVoice, Operator, UnknownFlow,
		Interrupted, InternalFail,
	}
}

// IsRetryable says whether another attempt could end otherwise and may be made at all.
func (r FailureReason) IsRetryable() bool {
	switch r {
	case Declined, HungUpEarly, InvalidNumber, Suppressed, BlockedDestination, AttemptLimit, NoVoice, Operator,
		UnknownFlow:
		return false
	default:
		return true
	}
}

// ReasonOf is f's reason, empty for nil.
func ReasonOf(f *CallFailure) FailureReason {
	if f == nil {
		return ""
	}
	return f.Reason
}
