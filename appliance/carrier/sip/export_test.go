package sip

// What reads foreign text, for tests alone.
var (
	ParseReason   = parseReason
	ParseKey      = parseKey
	ParseFragment = parseFragment
)

// TrunkName is a trunk as people see it.
func TrunkName(text string) (string, error) {
	t, err := parseTrunk(text)
	if err != nil {
		return "", err
	}
	return t.String(), nil
}
