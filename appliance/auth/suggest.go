package auth

import (
	"strings"
	"time"

	"munadi/store/account"
)

// SuggestedFor is how long a temporary password is valid: by then the user must have replaced it
// (OWASP ASVS 5.0, 6.4.1).
const SuggestedFor = 3 * 24 * time.Hour

// The form of a temporary password.
const (
	suggestedSigns  = "abcdefghjkmnpqrstuvwxyz23456789" // without characters that look alike
	suggestedGroup  = 5
	suggestedGroups = 4
)

// SuggestPassword returns a random temporary password for an operator to hand over: four groups of five characters,
// 99 bits. It is recognized by its form, and is valid for [SuggestedFor].
func SuggestPassword() string {
	var groups [suggestedGroups]string
	for i := range groups {
		groups[i] = RandomText(suggestedGroup, suggestedSigns)
	}
	return strings.Join(groups[:], "-")
}

// isSuggestedPassword reports whether a password has the form of those that [SuggestPassword] returns.
func isSuggestedPassword(password string) bool {
	groups := strings.Split(password, "-")
	if len(groups) != suggestedGroups {
		return false
	}
	for _, group := range groups {
		if len(group) != suggestedGroup || strings.Trim(group, suggestedSigns) != "" {
			return false
		}
	}
	return true
}

// passwordExpiry returns when a password that was set for a user expires: a temporary one after [SuggestedFor],
// another one never (nil).
func (a *AccountService) passwordExpiry(password string) *time.Time {
	if !isSuggestedPassword(password) {
		return nil
	}
	end := a.now().UTC().Add(SuggestedFor)
	return &end
}

// isPasswordExpired reports whether a user's password was a temporary one that has expired.
func (a *AccountService) isPasswordExpired(u account.User) bool {
	return u.PasswordUntil != nil && !a.now().Before(*u.PasswordUntil)
}
