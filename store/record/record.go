// Package record holds the rules and encodings that all databases of the store share: the stored forms of calls and
// deliveries, the rules of their changes, validation of records, pagination cursors, the encodings of keys. It is
// independent of the database.
package record

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/store"
	"munadi/store/scenario"
)

// IsKeyPart reports whether id may be a part of a key.
func IsKeyPart(id string) bool {
	return id != "" && len(id) <= maxPart && utf8.ValidString(id) && !strings.ContainsAny(id, "/\x00")
}

// maxPart is the maximum length of an id in bytes.
const maxPart = 512

// EncodeTime encodes a time so that lexical order is time order; times before 1970 count as 1970.
func EncodeTime(t time.Time) string { return EncodeRank(uint64(UnixNanos(t))) }

// UnixNanos returns a time as columns and keys hold it: Unix time in nanoseconds; times before 1970 count as 1970.
func UnixNanos(t time.Time) int64 { return max(t.UnixNano(), 0) }

// DecodeTime is the inverse of [EncodeTime]; zero for a malformed text.
func DecodeTime(encoded string) time.Time {
	ns, err := strconv.ParseInt(encoded, 16, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

// encodeTimeBound encodes a bound of a time range; empty for an open one.
func encodeTimeBound(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return EncodeTime(t)
}

// EncodeRank encodes a number so that lexical order is numeric order.
func EncodeRank(n uint64) string { return string(AppendRank(make([]byte, 0, 16), n)) }

// AppendRank appends what [EncodeRank] returns.
func AppendRank(to []byte, n uint64) []byte {
	return hex.AppendEncode(to, binary.BigEndian.AppendUint64(make([]byte, 0, 8), n))
}

// System actors.
const (
	ByScheduler = "scheduler"
	ByDialler   = "dialler"
	ByCaller    = "caller"
)

// IsPerson reports whether an actor is a user or an API key: their actions are recorded in the audit trail, too.
func IsPerson(actor string) bool {
	return actor != ByScheduler && actor != ByDialler && actor != ByCaller
}

// ReceiptName returns the hash that represents a client's idempotency key in keys; the key itself may hold any bytes.
func ReceiptName(clientKey string) string {
	sum := sha256.Sum256([]byte(clientKey))
	return hex.EncodeToString(sum[:])
}

// IsFresh reports whether a receipt is still valid at now.
func IsFresh(r store.IdempotencyReceipt, now time.Time) bool {
	return now.Before(r.MadeAt.Add(store.KeepReceipts))
}

// CheckScenarioVersion refuses a change that is based on another version than the stored scenario's (nil: none is
// stored), for optimistic locking.
func CheckScenarioVersion(there *scenario.Scenario, version int) error {
	stored := 0
	if there != nil {
		stored = there.Latest().Version
	}
	if stored != version {
		return store.Errorf(store.CodeConflict,
			"the scenario is at version %d and the change is based on version %d: load it again and repeat the change",
			stored, version)
	}
	return nil
}
