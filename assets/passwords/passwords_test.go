package passwords_test

import (
	"testing"

	"munadi/assets/passwords"
)

// TestHas: the list is whole: its first, its last, and some long enough for a password of ours.
func TestHas(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]bool{
		"123456": true, "fallen_angel": true, "1qaz2wsx": true, "homelesspa": true, "donaldduck": true,
		"": false, "Password": false, "correct horse battery": false, "ثمانية أ": false,
	} {
		if got, err := passwords.IsLeaked(password); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", password, got, err, want)
		}
	}
}
