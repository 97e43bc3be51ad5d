package record

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"munadi/store"
)

// ReceiptName returns the hash that represents a client's idempotency key in keys; the key itself may hold any bytes.
func ReceiptName(clientKey string) string {
	sum := sha256.Sum256([]byte(clientKey))
	return hex.EncodeToString(sum[:])
}

// IsFresh reports whether a receipt is still valid at now.
func IsFresh(r store.IdempotencyReceipt, now time.Time) bool {
	return now.Before(r.MadeAt.Add(store.KeepReceipts))
}
