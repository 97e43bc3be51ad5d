package account

import "time"

// SecondFactor is a user's authenticator app (time-based one-time passwords, TOTP, RFC 6238), asked for after the
// password.
type SecondFactor struct {
	Secret []byte    `json:"secret"` // 20 bytes, sealed with a key of the installation for this user only
	Since  time.Time `json:"since"`  // when it was confirmed by a first code
	// LastStep is the time step (Unix seconds / 30) of the last accepted code: codes of it and of older ones are refused
	// (replay).
	LastStep uint64   `json:"last_step"`
	Recovery [][]byte `json:"recovery"` // keyed hashes (HMAC) of the unused recovery codes
}
