package call

// FailureReason is why a call did not end as a completed conversation: finer than its status.
type FailureReason string

// Failure reasons. Those of the line come first, in the order in which carriers distinguish them.
const (
	RingTimeout     FailureReason = "ring_timeout"
	Busy            FailureReason = "busy"
	Declined        FailureReason = "declined"
	HungUpEarly     FailureReason = "hung_up_early"  // after the answer, before any speech
	CallerHungUp    FailureReason = "caller_hung_up" // an inbound caller, before the answer
	Unavailable     FailureReason = "unavailable"
	InvalidNumber   FailureReason = "invalid_number"
	SwitchedOff     FailureReason = "switched_off" // this and the next two: an operator's announcement says so
	OutOfCoverage   FailureReason = "out_of_coverage"
	NotInService    FailureReason = "not_in_service"
	Announcement    FailureReason = "announcement" // a network announcement instead of the person
	Voicemail       FailureReason = "voicemail"
	IVR             FailureReason = "ivr"
	Fax             FailureReason = "fax"
	RingingTone     FailureReason = "ringing_tone" // in the sound of an answered call
	Music           FailureReason = "music"        // this and the next three likewise
	BusyTone        FailureReason = "busy_tone"
	CongestionTone  FailureReason = "congestion_tone"  // fast busy
	InformationTone FailureReason = "information_tone" // special information tones (ITU-T E.180)
	CarrierFailure  FailureReason = "carrier_failure"  // a final response that does not concern the person
	NoCarrier       FailureReason = "no_carrier"       // no SIP response, or no transport
	NoAudio         FailureReason = "no_audio"         // no RTP came on an answered call
	// IncompatibleMedia: answered with a session description that we cannot use (no common codec, SRTP).
	IncompatibleMedia FailureReason = "incompatible_media"

	Suppressed         FailureReason = "suppressed" // this and the next three: stopped at release
	BlockedDestination FailureReason = "blocked_destination"
	AttemptLimit       FailureReason = "attempt_limit"
	NoVoice            FailureReason = "no_voice"

	// Of a cancelled call-back: the member of staff was not reached, or no line was free in time.
	StaffUnreached FailureReason = "staff_unreached"
	CallBackLate   FailureReason = "call_back_late"

	Operator     FailureReason = "operator"      // a user ended it
	UnknownFlow  FailureReason = "scenario_gone" // its scenario was deleted before the dial
	Interrupted  FailureReason = "interrupted"   // the appliance stopped during the call
	InternalFail FailureReason = "internal"
)

// AllReasons lists every reason.
func AllReasons() []FailureReason {
	return []FailureReason{
		RingTimeout,
		Busy,
		Declined,
		HungUpEarly,
		CallerHungUp,
		Unavailable,
		InvalidNumber,
		SwitchedOff,
		OutOfCoverage,
		NotInService,
		Announcement,
		Voicemail,
		IVR,
		Fax,
		RingingTone,
		Music,
		BusyTone,
		CongestionTone,
		InformationTone,
		CarrierFailure,
		NoCarrier,
		NoAudio,
		IncompatibleMedia,
		Suppressed,
		BlockedDestination,
		AttemptLimit,
		NoVoice,
		StaffUnreached,
		CallBackLate,
		Operator,
		UnknownFlow,
		Interrupted,
		InternalFail,
	}
}

// IsRetryable reports whether another attempt could succeed and is allowed.
func (r FailureReason) IsRetryable() bool {
	switch r {
	case Declined, HungUpEarly, CallerHungUp, InvalidNumber, Suppressed, BlockedDestination, AttemptLimit, NoVoice,
		StaffUnreached, CallBackLate, Operator, UnknownFlow:
		return false
	default:
		return true
	}
}

// IsCarrierRefusal reports whether the carrier, and not the person called, is why a call failed.
func (r FailureReason) IsCarrierRefusal() bool {
	return r == NoCarrier || r == CarrierFailure || r == NoAudio
}

// ReasonOf returns f's reason, empty for nil.
func ReasonOf(f *CallFailure) FailureReason {
	if f == nil {
		return ""
	}
	return f.Reason
}
