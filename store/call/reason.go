package call

// Reason is why a call ended otherwise than as a conversation: finer than its status.
type Reason string

// The reasons. Those of the line come first, in the order in which carriers tell them apart.
const (
	RingTimeout    Reason = "ring_timeout"
	Busy           Reason = "busy"
	Declined       Reason = "declined"
	HungUpEarly    Reason = "hung_up_early" // after the answer, before a word
	Unavailable    Reason = "unavailable"
	InvalidNumber  Reason = "invalid_number"
	Announcement   Reason = "announcement" // the carrier's voice instead of the person's
	Voicemail      Reason = "voicemail"
	IVR            Reason = "ivr"
	Fax            Reason = "fax"
	CarrierFailure Reason = "carrier_failure" // a final answer that says nothing about the person
	NoCarrier      Reason = "no_carrier"      // no SIP answer, or no transport

	Suppressed         Reason = "suppressed" // stopped at its release, these four
	BlockedDestination Reason = "blocked_destination"
	AttemptLimit       Reason = "attempt_limit"
	NoVoice            Reason = "no_voice"

	Operator     Reason = "operator"      // a person ended it
	UnknownFlow  Reason = "scenario_gone" // its scenario was deleted before the dial
	Interrupted  Reason = "interrupted"   // the appliance stopped in the middle
	InternalFail Reason = "internal"
)

// Reasons lists every reason.
func Reasons() []Reason {
	return []Reason{
		RingTimeout, Busy, Declined, HungUpEarly, Unavailable, InvalidNumber, Announcement, Voicemail, IVR, Fax,
		CarrierFailure, NoCarrier, Suppressed, BlockedDestination, AttemptLimit, NoVoice, Operator, UnknownFlow,
		Interrupted, InternalFail,
	}
}

// Retryable says whether another attempt could end otherwise and may be made at all.
func (r Reason) Retryable() bool {
	switch r {
	case Declined, HungUpEarly, InvalidNumber, Suppressed, BlockedDestination, AttemptLimit, NoVoice, Operator,
		UnknownFlow:
		return false
	default:
		return true
	}
}

// ReasonOf is f's reason, empty for nil.
func ReasonOf(f *Failure) Reason {
	if f == nil {
		return ""
	}
	return f.Reason
}
