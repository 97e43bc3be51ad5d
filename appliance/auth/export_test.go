package auth

// WeakHash is a password's hash under parameters of long ago.
func WeakHash(password string) string {
	p := argon{memory: 64, passes: 1, lanes: 1, salt: []byte("saltsalt")}
	p.sum = p.of(password, 16)
	return p.String()
}

// ParseArgon is for the fuzzer.
func ParseArgon(text string) (string, error) {
	p, err := parseArgon(text)
	return p.String(), err
}
