package sip

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"munadi/appliance/carrier"
)

// Parsers of untrusted text, exported for tests.
var (
	ParseReason   = parseReason
	ParseKey      = parseKey
	ParseFragment = parseFragment
	FaultOf       = transportFault
	RetryAfter    = parseRetryAfter
	CalledNumbers = calledNumbers
	CallerNumber  = callerNumber
	Redact        = redactForLadder
	FindCallID    = findCallID
)

// ArrivalLimiter limits the new calls of each address.
type ArrivalLimiter = arrivalLimiter

// Admit takes a token of an address.
func (l *arrivalLimiter) Admit(from netip.Addr) bool { return l.admit(from) }

// NewInviteSpacer returns a limiter of the rate of new calls.
type NewInviteSpacer = inviteSpacer

// Wait waits for the next turn.
func (p *inviteSpacer) Wait(ctx context.Context) error { return p.waitTurn(ctx) }

// NewPace returns a pace with a time between two turns.
func NewPace(spacing time.Duration) *NewInviteSpacer { return &inviteSpacer{spacing: spacing} }

// TrunkName returns a trunk's name as it is shown to people.
func TrunkName(text string) (string, error) {
	t, err := parseTrunk(text)
	if err != nil {
		return "", err
	}
	return t.String(), nil
}

// ResolveTrunk resolves a trunk's addresses by a DNS server.
func ResolveTrunk(ctx context.Context, text string, names *net.Resolver) ([]netip.AddrPort, error) {
	t, err := parseTrunk(text)
	if err != nil {
		return nil, err
	}
	return t.resolveAddresses(ctx, names)
}

// BoundStreams returns a listener with connection limits; known addresses are exempt from those for strangers.
func BoundStreams(
	l net.Listener, perAddress, strangers int, visit, idle time.Duration, known []netip.Addr,
) net.Listener {
	var g strangerFilter
	for _, a := range known {
		g.addKnownAddress(a)
	}
	return newStreams(l, &g, streamLimits{perAddress, strangers, idle, visit, time.Second})
}

// HeldCalls returns how many dialogs and lines of calls the carrier holds.
func (c *Carrier) HeldCalls() int { return c.dialogs.count() + int(c.inUse.Load()) }

// DropConnections closes all connections to an address, as a failing network does.
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

// LoadOfSound lowers the number of lines while RTP packets are sent late.
type LoadOfSound = loadShedder

// NewLoad returns one that logs nothing.
func NewLoad() *LoadOfSound { return &loadShedder{log: discardLog, began: time.Now()} }

// Tick counts a packet.
func (l *loadShedder) Tick(late time.Duration) { l.countPacket(late) }

// Lines returns the number of lines.
func (l *loadShedder) Lines(all, running int) int { return l.usableLines(all, running) }

// AskNames makes a carrier use another DNS server than the machine's; it must be called before the carrier runs.
func (c *Carrier) AskNames(names *net.Resolver) { c.names = names }

// UsualFirstAnswer is how long calls wait for a server's first response.
const UsualFirstAnswer = usualFirstAnswer

// AwaitFirstAnswer sets another time; it must not be called while calls are dialled.
func (c *Carrier) AwaitFirstAnswer(atMost time.Duration) { c.firstAnswer = atMost }

// StrangerFilter knows the addresses that we write to.
type StrangerFilter = strangerFilter

// MostKnown is how many addresses it remembers, for an hour each.
const MostKnown = mostKnown

// AddKnown records an address that we write to, in this list alone.
func (g *strangerFilter) AddKnown(a netip.Addr) { g.rememberAddress(a) }

// IsKnown reports whether we have written to an address.
func (g *strangerFilter) IsKnown(a netip.Addr) bool { return g.isKnownAddress(a) }

// CallBreaker is a trunk's circuit breaker.
type CallBreaker = callBreaker

// NewBreaker returns a closed one.
func NewBreaker(log *slog.Logger) *CallBreaker { return &callBreaker{log: log} }

// Admit asks for a call's permit.
func (b *callBreaker) Admit(number string) (*callPass, error) { return b.admitCall(number) }

// Lines returns the number of lines, of which some are answered.
func (b *callBreaker) Lines(all, up int) int { return b.allowedLines(all, up) }

// TrialDue reports whether the next call is a trial call.
func (b *callBreaker) TrialDue() bool { return b.isTrialDue(time.Now()) }

// Pause returns the pause.
func (b *callBreaker) Pause() *CallPause { return b.currentPause() }

// Taken records that the trunk took the call.
func (p *callPass) Taken(rang bool) { p.noteTaken(rang) }

// GiveBack ends a call that says nothing.
func (p *callPass) GiveBack() { p.giveBack() }

// Settle records the call's refusal.
func (p *callPass) Settle(refused *carrier.DialError) { p.settle(refused) }

// CleanPhrase redacts a reason phrase.
var CleanPhrase = cleanPhrase

// CallerDigest checks the credentials of callers.
type CallerDigest struct{ callerDigest }

// NewCallerDigest returns one without any nonce.
func NewCallerDigest() *CallerDigest { return &CallerDigest{} }

// Challenge returns a challenge as a caller reads it.
func (d *CallerDigest) Challenge(t testing.TB, algorithm string) *digest.Challenge {
	t.Helper()
	asks, err := digest.ParseChallenge(d.newChallenge(algorithm, false, time.Now()).String())
	if err != nil {
		t.Fatal(err)
	}
	return asks
}

// Check says whether a request proves the account trunk with the password s3cret.
func (d *CallerDigest) Check(req *sip.Request, algorithm string) string {
	verdict := d.checkCredentials(req, algorithm, "trunk", "s3cret", time.Now())
	return map[digestVerdict]string{digestWrong: "wrong", digestStale: "stale", digestRight: "right"}[verdict]
}

// Nonces returns how many nonces are kept.
func (d *CallerDigest) Nonces() int { return len(d.used) }
