package sip

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// What reads foreign text, for tests alone.
var (
	ParseReason   = parseReason
	ParseKey      = parseKey
	ParseFragment = parseFragment
	FaultOf       = transportFault
	RetryAfter    = parseRetryAfter
)

// NewInviteSpacer spaces the beginnings of calls.
type NewInviteSpacer = inviteSpacer

// Wait is for a turn.
func (p *inviteSpacer) Wait(ctx context.Context) error { return p.waitTurn(ctx) }

// NewPace is one with a time between two turns.
func NewPace(spacing time.Duration) *NewInviteSpacer { return &inviteSpacer{spacing: spacing} }

// TrunkName is a trunk as people see it.
func TrunkName(text string) (string, error) {
	t, err := parseTrunk(text)
	if err != nil {
		return "", err
	}
	return t.String(), nil
}

// ResolveTrunk asks a name server for a trunk's addresses.
func ResolveTrunk(ctx context.Context, text string, names *net.Resolver) ([]netip.AddrPort, error) {
	t, err := parseTrunk(text)
	if err != nil {
		return nil, err
	}
	return t.resolveAddresses(ctx, names)
}

// BoundStreams is a listener with limits, and who is no stranger to it.
func BoundStreams(
	l net.Listener, perAddress, strangers int, visit, idle time.Duration, known []netip.Addr,
) net.Listener {
	var g strangerFilter
	for _, a := range known {
		g.addKnownAddress(a)
	}
	return newStreams(l, &g, streamLimits{perAddress, strangers, idle, visit, time.Second})
}

// DropConnections closes all connections to an address, as a network that fails does.
func (c *Carrier) DropConnections(network, to string) {
	for c.agent.TransportLayer().Pool(network).Size() > 0 {
		connection, err := c.agent.TransportLayer().GetConnection(network, to)
		if err != nil || connection == nil {
			return
		}
		_ = connection.Close()
		c.agent.TransportLayer().Pool(network).Delete(to)
	}
}

// LoadOfSound lowers the number of lines where sound is late.
type LoadOfSound = loadShedder

// NewLoad is one that logs nothing.
func NewLoad() *LoadOfSound { return &loadShedder{log: discardLog, began: time.Now()} }

// Tick counts a packet.
func (l *loadShedder) Tick(late time.Duration) { l.countPacket(late) }

// Lines is how many lines there are.
func (l *loadShedder) Lines(all, running int) int { return l.usableLines(all, running) }

// AskNames has a carrier ask another name server than the machine's; it must not have begun to run.
func (c *Carrier) AskNames(names *net.Resolver) { c.names = names }

// UsualFirstAnswer is how long calls wait for a server's first response.
const UsualFirstAnswer = usualFirstAnswer

// AwaitFirstAnswer sets another time; no call must be dialled meanwhile.
func (c *Carrier) AwaitFirstAnswer(atMost time.Duration) { c.firstAnswer = atMost }
