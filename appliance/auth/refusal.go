package auth

// Reason says why a credential was refused; it is for the log, its holder learns only that it was.
type Reason string

// The reasons.
const (
	ReasonMissing   Reason = "missing"   // no credential at all
	ReasonMalformed Reason = "malformed" // not a bearer header, or a token of impossible characters or length
	ReasonMistyped  Reason = "mistyped"  // looks generated, but its checksum is wrong
	ReasonUnknown   Reason = "unknown"   // no such key
	ReasonRevoked   Reason = "revoked"   // was one
)

// Refusal is the error for a credential that opens nothing.
type Refusal struct{ Reason Reason }

// Error is the same for every reason.
func (r *Refusal) Error() string { return "a valid API key is required" }
