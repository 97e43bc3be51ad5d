package auth

import (
	"strings"
	"time"

	"munadi/store/account"
)

// SuggestedFor is how long a password that was made for somebody opens anything: until then they choose one of their
// own, which nobody handed over (OWASP ASVS 5.0, 6.4.1).
const SuggestedFor = 3 * 24 * time.Hour

// The form of a suggested password.
const (
	suggestedSigns  = "abcdefghjkmnpqrstuvwxyz23456789" // none that is mistaken for another
	suggestedGroup  = 5
	suggestedGroups = 4
)

// SuggestPassword makes a password that nobody guesses, for an operator to hand over: four groups of five signs, 99 bits. It is
// known again by its form, and is good for [SuggestedFor].
func SuggestPassword() string {
	var groups [suggestedGroups]string
	for i := range groups {
		groups[i] = RandomText(suggestedGroup, suggestedSigns)
	}
	return strings.Join(groups[:], "-")
}

// isSuggestedPassword says whether a password has the form of those that [SuggestPassword] makes.
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

// passwordExpiry is how long a password that somebody gives a user is good: a suggested one for a while, another one for ever.
func (a *AccountService) passwordExpiry(password string) *time.Time {
	if !isSuggestedPassword(password) {
		return nil
	}
	end := a.now().UTC().Add(SuggestedFor)
	return &end
}

// isPasswordExpired says that a user's password was only for the beginning, which is over.
func (a *AccountService) isPasswordExpired(u account.User) bool {
	return u.PasswordUntil != nil && !a.now().Before(*u.PasswordUntil)
}
