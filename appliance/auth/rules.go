package auth

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"munadi/assets/passwords"
)

// The length of a password, in characters.
const (
	MinPassword = 8
	MaxPassword = 256
)

// PasswordWeakness says why a password is refused.
type PasswordWeakness string

// The weaknesses.
const (
	TooShort PasswordWeakness = "short"
	TooLong  PasswordWeakness = "long"
	IsName   PasswordWeakness = "name"   // it is the user's name
	Common   PasswordWeakness = "common" // one of those that everybody tries first
)

// WeakPassword is the error for a password that may not be.
type WeakPassword struct{ Why PasswordWeakness }

// Error is for an operator; it does not repeat the password.
func (w *WeakPassword) Error() string {
	switch w.Why {
	case TooShort:
		return fmt.Sprintf("a password has %d characters at least", MinPassword)
	case TooLong:
		return fmt.Sprintf("a password has %d characters at most", MaxPassword)
	case IsName:
		return "the password is the user's name"
	default:
		return "this password is among the first that everybody tries"
	}
}

// CheckPassword says whether a user of that name may have the password. There are no rules about kinds of signs: they
// make passwords worse (NIST SP 800-63B, 3.1.1.2). The error is a [*WeakPassword].
func CheckPassword(password, name string) error {
	if err := checkLength(password); err != nil {
		return err
	}
	folded := strings.ToLower(norm.NFKC.String(password))
	if folded == strings.ToLower(norm.NFKC.String(name)) {
		return &WeakPassword{IsName}
	}
	if isCommonPassword(folded) {
		return &WeakPassword{Common}
	}
	leaked, err := passwords.IsLeaked(folded)
	if err == nil && leaked {
		return &WeakPassword{Common}
	}
	return err
}

func checkLength(password string) error {
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		return &WeakPassword{TooShort}
	case n > MaxPassword:
		return &WeakPassword{TooLong}
	}
	return nil
}

// isCommonPassword finds what the list of leaked passwords can't: this product's words and Arabic ones, with digits and marks
// behind them, one sign over and over, and rows of digits.
func isCommonPassword(folded string) bool {
	first, _ := utf8.DecodeRuneInString(folded)
	if strings.Trim(folded, string(first)) == "" || strings.Contains("01234567890123456789", folded) ||
		strings.Contains("98765432109876543210", folded) {
		return true
	}
	return slices.Contains(commonPasswordStems(), strings.TrimRight(folded, "!.1234567890")) || slices.Contains(commonPasswordStems(), folded)
}

// commonPasswordStems lists stems: digits and marks at the end do not make them better.
func commonPasswordStems() []string {
	return []string{
		"password", "passw0rd", "p@ssword", "p@ssw0rd", "password1234", "qwertyuiop", "qwerty", "qwertyui", "asdfghjkl",
		"zxcvbnm", "1q2w3e4r", "1q2w3e4r5t", "1qaz2wsx", "q1w2e3r4", "q1w2e3r4t5", "abcd", "abcdef", "abcdefgh", "abc",
		"iloveyou", "sunshine", "princess", "football", "baseball", "superman", "batman", "trustno", "welcome", "letmein",
		"admin", "administrator", "adminadmin", "changeme", "default", "master", "monkey", "dragon", "shadow", "michael",
		"jennifer", "computer", "internet", "starwars", "whatever", "samsung", "google", "liverpool", "barcelona",
		"munadi", "munadimunadi", "secret", "secretsecret", "testtest", "test", "user", "root", "toor", "guest",
		"mohammed", "mohamed", "muhammad", "ahmed", "alhamdulillah", "bismillah", "habibi", "allah", "allahakbar",
		"باسورد", "كلمةالسر", "كلمة السر", "كلمةالمرور", "كلمة المرور", "بسم الله", "الحمدلله", "محمد", "السعودية",
	}
}
