package service

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
)

// Precondition decides in the transaction of a change whether the setting to be replaced is still the one that the
// caller has seen (optimistic locking); nil accepts any.
type Precondition[T any] func(kept T) bool

// check returns the [*ConflictError] with [Stale] if the setting was changed meanwhile.
func (p Precondition[T]) check(kept T) error {
	if p == nil || p(kept) {
		return nil
	}
	return errStale
}

var errStale = &ConflictError{
	Reason: Stale, Message: "It was changed meanwhile: read it again, and send your change with its new ETag",
}

// HashSetting returns the revision of a setting, a hash of its JSON: the value of an ETag, and of a form's field.
func HashSetting(setting any) string {
	sum := sha256.New()
	_ = json.NewEncoder(sum).Encode(setting) // settings are plain records, which always encode
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}
