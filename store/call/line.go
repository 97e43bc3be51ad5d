package call

// LineFacts are the signalling and media measurements of a call.
type LineFacts struct {
	Trunk string `json:"trunk"` // name of the SIP trunk that the call went over
	// SIPCodes are the response codes of the INVITE, in order, without repeats.
	SIPCodes []int `json:"sip_codes"`
	// audio codec (PCMA, PCMU, G722, opus); empty for an unanswered call
	Codec     string `json:"codec"`
	Encrypted bool   `json:"encrypted"` // media encryption (SRTP)

	Sent     uint64 `json:"packets_sent"`
	Received uint64 `json:"packets_received"`
	Lost     uint64 `json:"packets_lost"`    // lost on the network, towards us
	Late     uint64 `json:"packets_late"`    // arrived after their playout time, and dropped
	Ignored  uint64 `json:"packets_ignored"` // not accepted as the call's audio, for any reason
	// Foreign is the part of Ignored that came from an address other than the negotiated one.
	Foreign uint64 `json:"packets_foreign"`
}
