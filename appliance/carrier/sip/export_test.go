package sip

import "context"

// What reads foreign text, for tests alone.
var (
	ParseReason   = parseReason
	ParseKey      = parseKey
	ParseFragment = parseFragment
	FaultOf       = faultOf
)

// Pace spaces the beginnings of calls.
type Pace = pace

// Wait is for a turn.
func (p *pace) Wait(ctx context.Context) error { return p.wait(ctx) }

// Spacing is between two turns.
const Spacing = spacing

// TrunkName is a trunk as people see it.
func TrunkName(text string) (string, error) {
	t, err := parseTrunk(text)
	if err != nil {
		return "", err
	}
	return t.String(), nil
}
