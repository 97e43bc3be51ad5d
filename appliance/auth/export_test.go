package auth

import (
	"log/slog"
	"time"
)

// WeakHash returns a password's hash with obsolete parameters.
func WeakHash(password string) string {
	p := argonHash{memory: 64, passes: 1, lanes: 1, salt: []byte("saltsalt")}
	p.sum = p.hashPassword(password, 16)
	return p.String()
}

// ParseArgon parses a hash, for the fuzz test.
func ParseArgon(text string) (string, error) {
	p, err := parseArgon(text)
	return p.String(), err
}

// DeviceKey returns the key under which an installation with another secret counts a device cookie's failures.
func DeviceKey(cookie, name string) string {
	a := NewAccounts(nil, InstallationSecret{7}, time.Now, slog.New(slog.DiscardHandler))
	return a.deviceKey(cookie, name)
}
