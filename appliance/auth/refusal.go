package auth

// RefusalReason says why a credential was refused; it is for the log, its holder learns only that it was.
type RefusalReason string

// The reasons.
const (
	ReasonMissing   RefusalReason = "missing"   // no credential at all
	ReasonMalformed RefusalReason = "malformed" // not a bearer header, or a token of impossible characters or length
	ReasonMistyped  RefusalReason = "mistyped"  // looks generated, but its checksum is wrong
	ReasonUnknown   RefusalReason = "unknown"   // no such key
	ReasonRevoked   RefusalReason = "revoked"   // was one
)

// KeyRefusal is the error for a credential that opens nothing.
type KeyRefusal struct{ Reason RefusalReason }

// Error is the same for every reason.
func (r *KeyRefusal) Error() string { return "a valid API key is required" }
