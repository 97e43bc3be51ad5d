package auth

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"munadi/assets/passwords"
)

// Length limits of a password, in characters.
const (
	MinPassword = 8
	MaxPassword = 256
)

// PasswordWeakness is the rule that a password breaks.
type PasswordWeakness string

// The rules of [CheckPassword].
const (
	TooShort PasswordWeakness = "short"
	TooLong  PasswordWeakness = "long"
	IsName   PasswordWeakness = "name"   // equals the user's name
	Common   PasswordWeakness = "common" // on the list of common passwords
)

// WeakPassword is the error for a password that the rules refuse.
type WeakPassword struct{ Why PasswordWeakness }

// Error describes the rule for an operator; it does not repeat the password.
func (w *WeakPassword) Error() string {
	switch w.Why {
	case TooShort:
		return fmt.Sprintf("a password must have at least %d characters", MinPassword)
	case TooLong:
		return fmt.Sprintf("a password must have at most %d characters", MaxPassword)
	case IsName:
		return "the password is the user's name"
	default:
		return "this password is too common: attackers try it first"
	}
}

// CheckPassword checks a user's new password: length, not the name, not a common password. There are no composition
// rules, which make passwords worse (NIST SP 800-63B, 3.1.1.2). The error is a [*WeakPassword].
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

// isCommonPassword reports common passwords beside the list of leaked ones: words of this product and Arabic ones,
// with digits and symbols after them, one character repeated, and runs of digits.
func isCommonPassword(folded string) bool {
	first, _ := utf8.DecodeRuneInString(folded)
	if strings.Trim(folded, string(first)) == "" || strings.Contains("01234567890123456789", folded) ||
		strings.Contains("98765432109876543210", folded) {
		return true
	}
	return slices.Contains(commonPasswordStems(), strings.TrimRight(folded, "!.1234567890")) ||
		slices.Contains(commonPasswordStems(), folded)
}

// commonPasswordStems lists the words; digits and symbols at the end do not make them stronger.
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
