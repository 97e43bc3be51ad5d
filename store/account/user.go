package account

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
)

// UserRole says what a user may do in the organization.
type UserRole string

// The roles, each with all that the one before it may do.
const (
	Viewer   UserRole = "viewer"   // look
	Operator UserRole = "operator" // call, move, cancel, transcribe
	Owner    UserRole = "owner"    // keys, webhook, rules, users; an owner of [Default] governs the appliance
)

// AllRoles lists every role, the least first.
func AllRoles() []UserRole { return []UserRole{Viewer, Operator, Owner} }

// Allows says whether the role allows what needs at least the role needed.
func (r UserRole) Allows(needed UserRole) bool {
	have, want := slices.Index(AllRoles(), r), slices.Index(AllRoles(), needed)
	return want >= 0 && have >= want
}

// User is a person who signs in to the console.
type User struct {
	ID           string     `json:"id"` // UUID
	OrgID        string     `json:"org_id"`
	Name         string     `json:"name"` // what they sign in with, unique over all organizations; see [CheckUserName]
	Role         UserRole   `json:"role"`
	Password     string     `json:"password"` // argon2id in its own notation; empty: none yet
	CreatedAt    time.Time  `json:"created_at"`
	LastSignInAt *time.Time `json:"last_sign_in_at,omitempty"`
	DisabledAt   *time.Time `json:"disabled_at,omitempty"` // nil while the user may sign in
	// PasswordUntil is when a password that was made for the user stops opening anything; nil for one of the user's own.
	PasswordUntil *time.Time `json:"password_until,omitempty"`
}

// IsGovernor says whether the user may see to all organizations.
func (u User) IsGovernor() bool { return u.OrgID == Default && u.Role == Owner }

// UserSession is a signed-in browser, kept by the hash of its cookie.
type UserSession struct {
	Hash      []byte    `json:"hash"`
	UserID    string    `json:"user_id"`
	CreatedAt time.Time `json:"created_at"`
	SeenAt    time.Time `json:"seen_at"` // at most a minute or so behind
	ExpiresAt time.Time `json:"expires_at"`
	Address   string    `json:"address"` // of the sign-in
	Agent     string    `json:"agent"`   // what the browser called itself, cut
}

// CheckUserName says whether name may be signed in with: 1 to 64 letters, digits and . _ - @, no other sign.
func CheckUserName(name string) error {
	if name == "" || len([]rune(name)) > maxID {
		return errors.New("a user's name has 1 to 64 characters")
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-@", r) {
			return errors.New("a user's name holds only letters, digits and . _ - @")
		}
	}
	return nil
}
