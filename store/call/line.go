package call

// LineFacts is what was measured on a call's line: signalling and sound.
type LineFacts struct {
	// SIPCodes are the statuses that the INVITE was answered with, in order, repeats of a status left out.
	SIPCodes []int `json:"sip_codes"`
	// Codec names the sound's format (PCMA, PCMU); empty for a call without an answer.
	Codec     string `json:"codec"`
	Encrypted bool   `json:"encrypted"` // the sound (SRTP)

	Sent     uint64 `json:"packets_sent"`
	Received uint64 `json:"packets_received"`
	Lost     uint64 `json:"packets_lost"`    // on their way to us
	Late     uint64 `json:"packets_late"`    // came after their time, and were not played
	Ignored  uint64 `json:"packets_ignored"` // not taken for the call's sound, for whatever reason
	// Foreign are those of the ignored that came from an address that was not agreed on.
	Foreign uint64 `json:"packets_foreign"`
}
