package auth_test

import (
	"errors"
	"strings"
	"testing"

	"munadi/appliance/auth"
)

func TestPasswordRules(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]auth.PasswordWeakness{
		"":                         auth.TooShort,
		"1234567":                  auth.TooShort,
		"سبعة أح":                  auth.TooShort,
		strings.Repeat("مطر ", 65): auth.TooLong,
		"operator@night":           auth.IsName,
		"Operator@Night":           auth.IsName,
		"ｏｐｅｒａｔｏｒ@ｎｉｇｈｔ": auth.IsName, // the same in full-width letters
		"12345678":                     auth.Common,
		"87654321":                     auth.Common,
		"aaaaaaaaaaaa":                 auth.Common,
		"Password":                     auth.Common,
		"passw0rd!!":                   auth.Common,
		"admin2026":                    auth.Common,
		"Qwerty123456":                 auth.Common,
		"HomelessPA":                   auth.Common, // in lower case, the 11th of those with eight signs that leaked
		"ثمانية أ":                     "",
		"correct horse battery":        "",
		strings.Repeat("x1", 128):      "",
		"operator@night and something": "",
		"my dog is called admin":       "",
		auth.SuggestPassword():         "",
	} {
		err := auth.CheckPassword(password, "operator@night")
		var weak *auth.WeakPassword
		if errors.As(err, &weak) != (want != "") || weak != nil && weak.Why != want {
			t.Errorf("%q: %v, want %q", password, err, want)
		}
		if weak != nil && password != "" && strings.Contains(weak.Error(), password) {
			t.Errorf("the error repeats %q", password)
		}
	}
}

func TestSuggestedPasswordsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 100 {
		made := auth.SuggestPassword()
		if seen[made] || len(made) != 23 || strings.Count(made, "-") != 3 {
			t.Fatalf("made %q", made)
		}
		seen[made] = true
	}
}

// FuzzArgon: arbitrary text in place of a hash never panics, and a hash that parses is formatted the same.
func FuzzArgon(f *testing.F) {
	for _, seed := range []string{
		auth.WeakHash("x"), "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", "$argon2id$v=19$m=4294967295,t=1,p=1$$",
		"$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$AAAA", "$$$$$", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		written, err := auth.ParseArgon(text)
		if err != nil {
			return
		}
		if again, err := auth.ParseArgon(written); err != nil || again != written {
			t.Errorf("%q reads as %q, then %q, %v", text, written, again, err)
		}
	})
}
