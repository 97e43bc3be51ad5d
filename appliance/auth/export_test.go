package auth

import (
	"log/slog"
	"time"
)

// WeakHash is a password's hash under parameters of long ago.
func WeakHash(password string) string {
	p := argonHash{memory: 64, passes: 1, lanes: 1, salt: []byte("saltsalt")}
	p.sum = p.hashPassword(password, 16)
	return p.String()
}

// ParseArgon is for the fuzzer.
func ParseArgon(text string) (string, error) {
	p, err := parseArgon(text)
	return p.String(), err
}

// DeviceKey is what an installation with a secret of its own counts a device cookie's failures under.
func DeviceKey(cookie, name string) string {
	a := NewAccounts(nil, InstallationSecret{7}, time.Now, slog.New(slog.DiscardHandler))
	return a.deviceKey(cookie, name)
}
