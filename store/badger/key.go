package badger

import (
	"strings"
	"time"

	"munadi/store/record"
)

// Key kinds, as listed in the package comment.
const (
	kindProbe = "probe"
	kindOrg   = "org"

	kindCall         = "call"
	kindCallWords    = "call-words"
	kindCallLine     = "call-line"
	kindCallDue      = "call-due"
	kindCallRunning  = "call-running"
	kindCallMade     = "call-made"
	kindCallStatus   = "call-status"
	kindCallScenario = "call-scenario"
	kindCallNumber   = "call-number" // until format 4
	kindCallCount    = "call-count"  // until format 4
	kindCallTail     = "call-tail"
	kindCallTally    = "call-tally"
	kindCallStopped  = "call-stopped"
	kindCallNeed     = "call-need"
	kindCallDial     = "call-dial"

	kindCallWhen         = "call-when"
	kindCallStatusWhen   = "call-status-when"
	kindCallScenarioWhen = "call-scenario-when"
	kindCallStoppedWhen  = "call-stopped-when"
	kindCallNeedWhen     = "call-need-when"
	kindCallAnswerWhen   = "call-answer-when"
	kindCallCampaign     = "call-campaign"
	kindCallCampaignWhen = "call-campaign-when"
	kindCallPerson       = "call-person"
	kindCallPersonWhen   = "call-person-when"

	kindCallSound   = "call-sound"
	kindCallWorded  = "call-worded"
	kindSoundGone   = "sound-gone"
	kindErasure     = "erasure"
	kindReceipt     = "receipt"
	kindReceiptMade = "receipt-made"

	kindCampaign        = "campaign"
	kindCampaignMade    = "campaign-made"
	kindCampaignTally   = "campaign-tally"
	kindCampaignSkipped = "campaign-skipped"
	kindCampaignDue     = "campaign-due"

	kindDeliveryDue  = "delivery-due"
	kindDeliveryOwed = "delivery-owed" // until format 2: by rank, the time as value
)

// joinKey joins a kind and its parts.
func joinKey(kind string, parts ...string) []byte {
	return []byte(strings.Join(append([]string{kind}, parts...), "/"))
}

// joinPrefix returns the common prefix of all keys of a kind below parts.
func joinPrefix(kind string, parts ...string) []byte {
	return append(joinKey(kind, parts...), '/')
}

// splitKey splits the rest of a key into n parts; the last one may contain '/'.
func splitKey(rest string, n int) []string { return strings.SplitN(rest, "/", n) }

// lastPart returns the id: the part after the last '/' of a place.
func lastPart(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }

// isKeyPart reports whether id may be a part of a key.
func isKeyPart(id string) bool { return record.IsKeyPart(id) }

// encodeTime encodes a time so that lexical order is time order.
func encodeTime(t time.Time) string { return record.EncodeTime(t) }

// encodeTimeBound encodes a bound of a time range; empty for an open one.
func encodeTimeBound(t time.Time) string { return record.EncodeTimeBound(t) }

// encodeRank encodes a number so that lexical order is numeric order.
func encodeRank(n uint64) string { return record.EncodeRank(n) }
