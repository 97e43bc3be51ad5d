package call

import "time"

// LineTrace is what a call's line went through: the SIP ladder, and the media quality over time. It holds no
// credentials, keys or complete numbers, and is removed with the call's texts.
type LineTrace struct {
	Messages []SIPMessage `json:"messages"` // in order of time
	// Omitted is how many messages from the middle of the ladder were not kept.
	Omitted int             `json:"omitted,omitempty"`
	Quality []QualitySample `json:"quality,omitempty"` // in order of time; none of a call without audio
}

// IsEmpty reports whether nothing was recorded.
func (t LineTrace) IsEmpty() bool { return len(t.Messages) == 0 && len(t.Quality) == 0 }

// SIPMessage is one message of a SIP ladder, redacted.
type SIPMessage struct {
	At   time.Time `json:"at"`
	Sent bool      `json:"sent"` // by us; false: received
	// Leg is 0 for the leg of the person, otherwise the number of the leg to a member of staff, from 1.
	Leg  int    `json:"leg,omitempty"`
	Peer string `json:"peer"` // the other side: transport, address and port
	Line string `json:"line"` // request line or status line
	// Headers are the header fields, each "Name: value"; of credentials only the name.
	Headers []string `json:"headers"`
	SDP     []string `json:"sdp,omitempty"` // lines of the session description
	// Repeats is how often the same message followed directly (retransmissions).
	Repeats int  `json:"repeats,omitempty"`
	Cut     bool `json:"cut,omitempty"` // headers or lines were left out, since the message is too long
}

// RefusedCall is an inbound call that was refused before a call was stored; repeats are one.
type RefusedCall struct {
	First    time.Time    `json:"first"`
	Last     time.Time    `json:"last"`
	Times    int          `json:"times"`
	Trunk    string       `json:"trunk"`  // its name
	Caller   string       `json:"caller"` // masked, of the last one; empty: withheld, or no number
	Called   string       `json:"called"` // masked, of the last one; empty: no number
	Status   int          `json:"status"`
	Cause    RefusalCause `json:"cause"`
	Messages []SIPMessage `json:"messages"` // the INVITE and our response, of one of them
}

// RefusalCause is why an inbound call was refused; package locale has its words.
type RefusalCause string

// The causes.
const (
	RefusalStranger   RefusalCause = "stranger"   // from none of the trunk's addresses
	RefusalFlood      RefusalCause = "flood"      // more calls a second than one address may make
	RefusalIncomplete RefusalCause = "incomplete" // the INVITE lacks a header
	RefusalDigest     RefusalCause = "digest"     // user name or password are wrong
	RefusalNoRoute    RefusalCause = "no_route"   // no inbound route has the number
	RefusalNoScenario RefusalCause = "no_scenario"
	RefusalDuplicate  RefusalCause = "duplicate" // it came by another way, too
	RefusalBusy       RefusalCause = "busy"      // all lines of the route or of the organization
	RefusalCodec      RefusalCause = "codec"     // no codec in common, or encryption on one side only
	RefusalNoLine     RefusalCause = "no_line"   // all lines of the appliance, or it was not ready
)

// RefusalCauses are all of them.
var RefusalCauses = []RefusalCause{
	RefusalStranger, RefusalFlood, RefusalIncomplete, RefusalDigest, RefusalNoRoute, RefusalNoScenario, RefusalDuplicate,
	RefusalBusy, RefusalCodec, RefusalNoLine,
}

// QualitySample is the media quality of a few seconds of a call.
type QualitySample struct {
	At      float64 `json:"at"`      // start, in seconds since the answer
	Seconds float64 `json:"seconds"` // duration
	// Inbound is what we hear; nil: no packet was expected. Outbound is what the other side says that it hears (RTCP
	// receiver reports); nil: it said nothing.
	Inbound   *MediaQuality `json:"inbound,omitempty"`
	Outbound  *MediaQuality `json:"outbound,omitempty"`
	RoundTrip float64       `json:"round_trip_ms,omitempty"` // by RTCP; 0: not known
}

// MediaQuality is the quality of one direction.
type MediaQuality struct {
	Loss   float64 `json:"loss"`      // share of packets lost, or too late to be played
	Jitter float64 `json:"jitter_ms"` // interarrival jitter (RFC 3550 §6.4.1)
	MOS    float64 `json:"mos"`       // estimated by the E-model (ITU-T G.107): 1 (bad) to 4.5
}

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
