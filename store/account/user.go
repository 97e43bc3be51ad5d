// Package account defines tenants and credentials: organizations, API keys with their scopes, console users with their
// roles, and sessions.
//
// It is a leaf package of plain records and their rules, without database or HTTP. It never holds a secret: an [APIKey]
// carries the keyed hash of the presented key. Package auth computes and verifies the hashes.
package account

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
)

// UserRole is a user's role in the organization (role-based access control).
type UserRole string

// Roles; each includes the permissions of the one before it.
const (
	Viewer   UserRole = "viewer"   // read only
	Operator UserRole = "operator" // book, reschedule and cancel calls, transcribe
	Owner    UserRole = "owner"    // keys, webhook, rules, users; an owner of [Default] administers the appliance
)

// AllRoles lists every role, the least privileged first.
func AllRoles() []UserRole { return []UserRole{Viewer, Operator, Owner} }

// Allows reports whether the role includes the permissions of needed.
func (r UserRole) Allows(needed UserRole) bool {
	have, want := slices.Index(AllRoles(), r), slices.Index(AllRoles(), needed)
	return want >= 0 && have >= want
}

// User is a person who signs in to the console.
type User struct {
	ID           string     `json:"id"` // UUID
	OrgID        string     `json:"org_id"`
	Name         string     `json:"name"` // sign-in name, unique over all organizations; see [CheckUserName]
	Role         UserRole   `json:"role"`
	Password     string     `json:"password"` // argon2id in PHC string format; empty: not set yet
	CreatedAt    time.Time  `json:"created_at"`
	LastSignInAt *time.Time `json:"last_sign_in_at,omitempty"`
	DisabledAt   *time.Time `json:"disabled_at,omitempty"` // nil while the account is enabled
	// PasswordUntil is the expiry of a temporary password, which others know; nil for one that the user chose.
	PasswordUntil *time.Time `json:"password_until,omitempty"`
	// External is the person at the company's identity provider; nil for a user who signs in here.
	External *ExternalID `json:"external,omitempty"`
	// SecondFactor is asked for after the password; nil: the password is enough, unless the organization requires one.
	SecondFactor *SecondFactor `json:"second_factor,omitempty"`
	// Extension is where the user is rung for a call-back: an E.164 number or a SIP address; empty: nowhere.
	Extension string `json:"extension,omitempty"`
	// Passkeys are second factors, too: SecondFactor, which has the recovery codes, is there with them.
	Passkeys []Passkey `json:"passkeys,omitempty"`
	// Views are the user's saved filters of the list of calls.
	Views []SavedView `json:"views,omitempty"`
}

// SavedView is a filter of the list of calls under a name of the user's own.
type SavedView struct {
	Name  string `json:"name"`  // 1 to [MaxViewName] characters, unique for the user
	Query string `json:"query"` // as in the address of the list
}

// The bounds of saved views.
const (
	MaxViews    = 20
	MaxViewName = 40
)

// SignsInAtProvider reports whether the user has no password here or in the directory, but signs in at the company's
// identity provider (OpenID Connect), whose second factor counts. Its issuer is a URL, that of the directory is ldap:….
func (u User) SignsInAtProvider() bool {
	return u.Password == "" && u.External != nil && strings.HasPrefix(u.External.Issuer, "http")
}

// ExternalID names a person at an identity provider (OpenID Connect) or in a directory (LDAP).
type ExternalID struct {
	Issuer  string `json:"issuer"`
	Subject string `json:"subject"` // claim sub; of a directory ldap-id in hexadecimal
}

// IsExternal reports whether the user is the person of a subject at an issuer.
func (u User) IsExternal(issuer, subject string) bool {
	return u.External != nil && *u.External == ExternalID{issuer, subject}
}

// IsGovernor reports whether the user administers all organizations.
func (u User) IsGovernor() bool { return u.OrgID == Default && u.Role == Owner }

// UserSession is a signed-in browser session, stored by the hash of its cookie.
type UserSession struct {
	Hash      []byte    `json:"hash"`
	UserID    string    `json:"user_id"`
	CreatedAt time.Time `json:"created_at"`
	SeenAt    time.Time `json:"seen_at"` // up to about a minute behind
	ExpiresAt time.Time `json:"expires_at"`
	Address   string    `json:"address"` // of the sign-in
	Agent     string    `json:"agent"`   // User-Agent of the browser, truncated
	// External says that the company's identity provider signed the user in; ExternalSession is its session (claim sid).
	External        bool   `json:"external,omitempty"`
	ExternalSession string `json:"external_session,omitempty"`
	// ConfirmedAt is when the user last authenticated again within the session; nil: not since the sign-in.
	ConfirmedAt *time.Time `json:"confirmed_at,omitempty"`
}

// OneTimeRecord is something that is accepted once, until it expires: the challenge of a passkey, the id of a logout
// token.
type OneTimeRecord struct {
	Hash      []byte    `json:"hash"` // keyed hash of what is presented
	ExpiresAt time.Time `json:"expires_at"`
	Data      []byte    `json:"data,omitempty"` // what it stands for
}

// CheckUserName validates a sign-in name: 1 to 64 letters, digits and . _ - @.
func CheckUserName(name string) error {
	if name == "" || len([]rune(name)) > maxID {
		return errors.New("a user's name must have 1 to 64 characters")
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-@", r) {
			return errors.New("a user's name must contain only letters, digits and . _ - @")
		}
	}
	return nil
}

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

// Default is the id of the organization that every installation starts with.
const Default = "default"

// maxID is the maximum length of an organization's id; it is part of many store keys.
const maxID = 64

// Organization is one tenant; its data is never visible to another one.
type Organization struct {
	ID        string    `json:"id"` // stable, see [CheckID]
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	// NeedsSecondFactor says that a user without a second factor must set one up before anything else.
	NeedsSecondFactor bool `json:"needs_second_factor,omitempty"`
}

// CheckID validates an organization's id: 1 to 64 of a-z, 0-9, '-' and '_'.
func CheckID(id string) error {
	if id == "" || len(id) > maxID {
		return errors.New("an organization's id must have 1 to 64 characters")
	}
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return errors.New("an organization's id must contain only a-z, 0-9, '-' and '_'")
		}
	}
	return nil
}
