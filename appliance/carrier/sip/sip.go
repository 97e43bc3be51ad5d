// Package sip calls people over a SIP trunk: signalling by RFC 3261 on sipgo's transactions and transports, the sound
// of a call in package media, what both sides agree on about it in package sdp.
//
// Every dial asks for the trunk's addresses anew (RFC 3263) and goes to the next one where one is silent, which then
// comes last until it answers again. The INVITE transaction is owned here: any number of provisional answers, digest
// challenges (RFC 8760), a 200 that crosses our CANCEL and the second 200 of a fork are acknowledged and ended, so that
// nobody is left in a call unknown to us. Within a call the other side may hold, move the sound and refresh the session
// (RFC 3261 §14, 3311, 4028), send keys by INFO and hang up; we transfer by REFER (RFC 3515).
//
// A trunk that leaves a call without an answer, or answers 503, is asked for a sign of life (OPTIONS, all its servers at
// once). Without one it counts as down: [Carrier.Lines] is 0, the call and those behind it wait, which costs them no
// attempt, and it is asked again every few seconds. Trunks that have never answered OPTIONS are asked by a REGISTER that
// changes nothing; for those that answer neither, one call a minute is let through. A server that says Retry-After is
// asked nothing for as long. Calls wait too while a registration that was asked for is missing.
//
// Where the specification is silent: at most five calls a second begin; calls from the trunk to us are answered 480;
// early media is not listened to; nothing but G.711 and RFC 4733 keys is offered. Numbers are in no log line and no
// error.
package sip

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/emiago/sipgo"

	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/appliance/recovery"
)

// DefaultLines is how many calls may be up at once where nothing else is said.
const DefaultLines = 10

// farewell is how long hang-ups and the end of the registration may take when the carrier closes.
const farewell = 5 * time.Second

// TrunkOptions say which trunk is used, and how.
type TrunkOptions struct {
	Trunk     string          // sip:HOST[:PORT][;transport=udp|tcp|tls], or sips:HOST
	User      string          // of digest authentication, and of the registration
	Password  string          //
	From      string          // number or name that calls come from; empty: User
	Identity  string          // number in P-Asserted-Identity (RFC 3325); empty: none
	Register  bool            // keep a registration at the trunk
	Listen    netip.AddrPort  // of signalling, over UDP and TCP; port 0 picks
	PublicIP  netip.Addr      // in Contact and SDP; zero: the address that the trunk is reached from
	Ports     media.PortRange // of sound
	Codecs    []sdp.Codec     // the preferred one first
	Latch     media.LatchMode // whose sound is believed
	SRTP      bool            // offer SRTP (SDES); needs TLS
	Roots     *x509.CertPool  // that the trunk's certificate is checked against; nil: the system's
	Plus      string          // what the + of a number becomes
	Lines     int             // 0: DefaultLines
	Rate      int             // calls a second that may begin; 0: DefaultRate
	UserAgent string
	Log       *slog.Logger
}

// Carrier is a carrier.Carrier over one trunk.
type Carrier struct {
	options TrunkOptions
	trunk   sipTrunk
	names   *net.Resolver
	log     *slog.Logger

	agent  *sipgo.UserAgent
	client *sipgo.Client
	udp    net.PacketConn
	tcp    net.Listener // nil, but for a trunk over TCP

	pace     inviteSpacer
	guard    strangerFilter
	reach    serverHealth
	dialogs  dialogTable
	foreign  foreignSound
	load     load
	watch    trunkMonitor
	register registrationState
	ends     sync.WaitGroup // hang-ups and given-up dials on their way
	close    sync.Once
	life     context.Context // ends what is on its way when the carrier is closed for good
	end      context.CancelFunc
}

// NewCarrier checks the options and binds the sockets of signalling; nothing is sent yet.
func NewCarrier(o TrunkOptions) (*Carrier, error) {
	t, err := parseTrunk(o.Trunk)
	if err != nil {
		return nil, err
	}
	if o.SRTP && t.transport != "tls" {
		return nil, errors.New("SRTP keys may travel over TLS alone: the trunk needs ;transport=tls")
	}
	o.From = cmp.Or(o.From, o.User, "munadi")
	o.Lines = cmp.Or(o.Lines, DefaultLines)
	o.Rate = cmp.Or(o.Rate, DefaultRate)
	o.UserAgent = cmp.Or(o.UserAgent, "munadi")
	if len(o.Codecs) == 0 {
		o.Codecs = []sdp.Codec{sdp.PCMA, sdp.PCMU}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c := &Carrier{options: o, trunk: t, names: net.DefaultResolver, log: o.Log}
	c.pace.spacing = time.Second / time.Duration(o.Rate)
	c.life, c.end = context.WithCancel(context.Background())
	c.reach.log, c.load.log, c.load.began = o.Log, o.Log, time.Now()
	c.watch.startMonitor(c)
	if err := c.listenSignalling(); err != nil {
		return nil, err
	}
	if err := c.serveTransports(); err != nil {
		c.closeTransports()
		return nil, err
	}
	return c, nil
}

// Run keeps the registration and watches the trunk until ctx ends.
func (c *Carrier) Run(ctx context.Context) error {
	var registered sync.WaitGroup
	defer registered.Wait()
	if c.options.Register {
		registered.Go(func() { c.recoverPanic(func() { c.keepRegistered(ctx) }) })
	}
	c.watch.monitorTrunk(ctx)
	return nil
}

// runAside does work that nobody waits for but Close.
func (c *Carrier) runAside(work func()) { c.ends.Go(func() { c.recoverPanic(work) }) }

// recoverPanic keeps a breakdown in one call's signalling from ending the others' calls.
func (c *Carrier) recoverPanic(work func()) {
	if err := recovery.RecoverPanic(func() error { work(); return nil }); err != nil {
		c.log.Error("SIP signalling broke down", "err", err)
	}
}

// Close ends what is left of calls and of the registration, and closes the sockets.
func (c *Carrier) Close() error {
	c.close.Do(func() {
		for _, d := range c.dialogs.listDialogs() {
			d.hangUp()
		}
		ctx, cancel := context.WithTimeout(c.life, farewell)
		defer cancel()
		c.endRegistration(ctx)
		c.awaitAside(ctx)
		c.closeTransports()
	})
	return nil
}

// awaitAside waits for what is on its way.
func (c *Carrier) awaitAside(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.ends.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

func (c *Carrier) closeTransports() {
	c.end()
	if c.agent != nil {
		_ = c.agent.Close()
	}
	_ = c.udp.Close()
	if c.tcp != nil {
		_ = c.tcp.Close()
	}
}

// Name is "sip".
func (c *Carrier) Name() string { return "sip" }

// Simulated is false.
func (c *Carrier) Simulated() bool { return false }

// Lines is how many calls may be up at once; 0 while the trunk is down, fewer while this machine sends sound too late.
func (c *Carrier) Lines() int {
	return c.watch.allowedLines(c.load.lines(c.options.Lines, c.dialogs.count()))
}

// Address is where signalling is received.
func (c *Carrier) Address() netip.AddrPort { return addrPort(c.udp.LocalAddr()) }
