package badger

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// The kinds of keys, as the package comment lists them.
const (
	kindBootstrap  = "bootstrap"
	kindInstall    = "installation"
	kindProbe      = "probe"
	kindOrg        = "org"
	kindKey        = "key"
	kindKeyID      = "key-id"
	kindKeyHash    = "key-hash"
	kindSession    = "session"
	kindPhrases    = "phrases"
	kindJob        = "job"
	kindJobResult  = "job-result"
	kindJobQueue   = "job-queue"
	kindJobRunning = "job-running"
	kindJobEnded   = "job-ended"
	kindJobMade    = "job-made"
	kindJobCall    = "job-callback"

	kindCall         = "call"
	kindCallWords    = "call-words"
	kindCallLine     = "call-line"
	kindCallDue      = "call-due"
	kindCallRunning  = "call-running"
	kindCallMade     = "call-made"
	kindCallStatus   = "call-status"
	kindCallScenario = "call-scenario"
	kindCallNumber   = "call-number"
	kindCallDial     = "call-dial"
	kindCallSound    = "call-sound"
	kindCallWorded   = "call-worded"
	kindCallCount    = "call-count"
	kindSoundGone    = "sound-gone"
	kindReceipt      = "receipt"
	kindReceiptMade  = "receipt-made"

	kindScenario      = "scenario"
	kindRules         = "rules"
	kindSuppression   = "suppression"
	kindWebhook       = "webhook"
	kindDelivery      = "delivery"
	kindDeliveryOf    = "delivery-of"
	kindDeliveryMade  = "delivery-made"
	kindDeliveryState = "delivery-state"
	kindDeliveryDue   = "delivery-due"
	kindDeliveryOwed  = "delivery-owed" // until format 2: by rank, the time as value
	kindDeliveryRank  = "delivery-rank"
	kindAudit         = "audit"
	kindAuditRank     = "audit-rank"

	kindUser         = "user"
	kindUserName     = "user-name"
	kindUserOf       = "user-of"
	kindWebSession   = "web-session"
	kindWebSessionOf = "web-session-of"

	kindLive        = "live"
	kindLiveRunning = "live-running"
	kindLiveRank    = "live-rank"
	kindLiveWords   = "live-words"
)

// joinKey joins a kind and its parts.
func joinKey(kind string, parts ...string) []byte {
	return []byte(strings.Join(append([]string{kind}, parts...), "/"))
}

// joinPrefix is what every key of a kind below parts begins with.
func joinPrefix(kind string, parts ...string) []byte {
	return append(joinKey(kind, parts...), '/')
}

// splitKey takes a key's rest apart into n parts, of which the last may hold anything.
func splitKey(rest string, n int) []string { return strings.SplitN(rest, "/", n) }

// hashKey is the index entry of a key's hash.
func hashKey(hash []byte) []byte { return joinKey(kindKeyHash, hex.EncodeToString(hash)) }

// encodeTime writes a time so that text order is time order; what lies before 1970 counts as 1970.
func encodeTime(t time.Time) string { return fmt.Sprintf("%016x", max(t.UnixNano(), 0)) }

// encodeTimeBound is the stamp of an end of a range; empty for one that is open.
func encodeTimeBound(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return encodeTime(t)
}

// lastPart is what stands after the last '/' of a place: the id.
func lastPart(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }

// isKeyPart says whether id may stand in a key, as a part of it.
func isKeyPart(id string) bool { return id != "" && len(id) <= maxPart && !strings.Contains(id, "/") }

// maxPart bounds an id.
const maxPart = 512
