package auth

// RefusalReason is why a credential was refused, for the log; the client gets the same 401 for all.
type RefusalReason string

// The reasons for which a key is refused.
const (
	ReasonMissing   RefusalReason = "missing"   // no credential
	ReasonMalformed RefusalReason = "malformed" // not a bearer header, or a token of impossible characters or length
	ReasonMistyped  RefusalReason = "mistyped"  // looks generated, but its checksum is wrong
	ReasonUnknown   RefusalReason = "unknown"   // not in the store
	ReasonRevoked   RefusalReason = "revoked"   // was valid once
)

// KeyRefusal is the error for an invalid API key.
type KeyRefusal struct{ Reason RefusalReason }

// Error returns the same text for every reason.
func (r *KeyRefusal) Error() string { return "a valid API key is required" }
