package account_test

import (
	"strings"
	"testing"

	"munadi/store/account"
)

func TestCheckKeyName(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"front desk": true, "الاستقبال": true, strings.Repeat("م", 80): true,
		"": false, "  ": false, strings.Repeat("x", 81): false, "a\tb": false, "a\x1b[2Jb": false, "\xff": false,
	} {
		if err := account.CheckKeyName(name); (err == nil) != ok {
			t.Errorf("CheckKeyName(%q): %v", name, err)
		}
	}
}
