package config_test

import (
	"errors"
	"strings"
	"testing"

	"munadi/appliance/config"
)

// TestHostileValues sets every setting to values that do not fit most of them, alone and beside settings that depend on
// it: a fault is named once, without the words of a library, and no other fault follows from it.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	depending := []string{
		"--tls-cert=a", "--tls-key=b", "--redirect=:81", "--carrier=sip", "--sip-trunk=sips:h", "--sip-srtp", "--sip-ca=a",
		"--smtp-host=mail.example.com", "--smtp-user=me", "--mail-from=a@example.com", "--mail-to=a@example.com",
		"--public-url=https://h", "--recordings=s3://munadi",
	}
	if _, err := loadConfig(t, nil, append([]string{"serve"}, depending...)...); err != nil {
		t.Fatal(err)
	}
	values := []string{"nonsense"}
	if !testing.Short() {
		values = append(values, "", " ", "-1", "s3:/bucket", "http://[::1", "99999999999999999999", "a: [b")
	}
	for _, s := range config.Default().InForce() {
		for _, value := range values {
			arg := "--" + s.Name + "=" + value
			for _, args := range [][]string{{"serve"}, append([]string{"serve"}, depending...)} {
				alone := len(args) == 1
				_, err := loadConfig(t, nil, append(args, arg)...)
				if err == nil {
					continue
				}
				var faults *config.ConfigError
				switch {
				case !errors.As(err, &faults):
					t.Errorf("%q: %v", arg, err)
				case len(faults.Faults) != 1 || alone && !strings.Contains(faults.Faults[0], s.Name) && !strings.HasPrefix(s.Name, "smtp") && !strings.HasPrefix(s.Name, "mail"):
					t.Errorf("%q: %q", arg, faults.Faults)
				}
				for _, word := range []string{"unmarshal", "yaml:", "strconv", "config.S", "config.L", "parse ", "open ", "invalid syntax"} {
					if strings.Contains(err.Error(), word) {
						t.Errorf("%q: %q is a library's: %v", arg, word, err)
					}
				}
			}
		}
	}
}
