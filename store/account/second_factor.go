package account

import "time"

// SecondFactor is what is asked for after the password: the codes of an authenticator app (time-based one-time
// passwords, TOTP, RFC 6238), one of the user's passkeys, or a recovery code.
type SecondFactor struct {
	// Secret is that of the app: 20 bytes, sealed with a key of the installation for this user only; empty: there is no
	// app, but there are passkeys.
	Secret []byte    `json:"secret"`
	Since  time.Time `json:"since"` // when the first factor was set up
	// LastStep is the time step (Unix seconds / 30) of the last accepted code: codes of it and of older ones are refused
	// (replay).
	LastStep uint64   `json:"last_step"`
	Recovery [][]byte `json:"recovery"` // keyed hashes (HMAC) of the unused recovery codes
}

// HasApp reports whether there is an authenticator app; f may be nil.
func (f *SecondFactor) HasApp() bool { return f != nil && len(f.Secret) > 0 }

// Passkey is the public half of a key pair in an authenticator (WebAuthn credential record).
type Passkey struct {
	ID         []byte     `json:"id"`         // credential id, of the authenticator's choice
	Name       string     `json:"name"`       // 1 to [MaxPasskeyName] characters
	PublicKey  []byte     `json:"public_key"` // COSE_Key
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty"`
	// SignCount is the authenticator's last signature counter, which only rises; 0: it has none.
	SignCount      uint32   `json:"sign_count"`
	BackupEligible bool     `json:"backup_eligible"` // it may be synchronized between devices
	BackedUp       bool     `json:"backed_up"`
	Transports     []string `json:"transports,omitempty"` // how browsers reach the authenticator: usb, internal, …
}

// The bounds of passkeys.
const (
	MaxPasskeys    = 10
	MaxPasskeyName = 40
)
