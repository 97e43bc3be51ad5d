package sip

import (
	"context"
	"net"
	"net/netip"
)

// What reads foreign text, for tests alone.
var (
	ParseReason   = parseReason
	ParseKey      = parseKey
	ParseFragment = parseFragment
	FaultOf       = faultOf
	RetryAfter    = parseRetryAfter
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

// Resolve asks a name server for a trunk's addresses.
func Resolve(ctx context.Context, text string, names *net.Resolver) ([]netip.AddrPort, error) {
	t, err := parseTrunk(text)
	if err != nil {
		return nil, err
	}
	return t.resolve(ctx, names)
}

// AskNames has a carrier ask another name server than the machine's; it must not have begun to run.
func (c *Carrier) AskNames(names *net.Resolver) { c.names = names }
