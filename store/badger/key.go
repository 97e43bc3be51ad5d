package badger

import (
	"strings"
	"time"

	"munadi/store/record"
)

// Key kinds that package records does not declare, as listed in the package comment.
const (
	kindProbe        = "probe"
	kindCallNumber   = "call-number"   // until format 4
	kindCallCount    = "call-count"    // until format 4
	kindDeliveryDue  = "delivery-due"  // of package records
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

// encodeTime encodes a time so that lexical order is time order.
func encodeTime(t time.Time) string { return record.EncodeTime(t) }

// encodeRank encodes a number so that lexical order is numeric order.
func encodeRank(n uint64) string { return record.EncodeRank(n) }
