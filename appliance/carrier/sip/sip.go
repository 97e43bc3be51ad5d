// Package sip is the carrier over a SIP trunk: signalling by RFC 3261 on sipgo's transactions and transports, RTP in
// package media, offer/answer in package sdp.
//
// Every dial resolves the trunk (RFC 3263) and fails over to its next server if one does not respond; that server is
// then tried last until it responds again. The INVITE transaction is handled here: any number of provisional responses,
// reliable ones (PRACK, RFC 3262), digest authentication (RFC 8760), a 200 that crosses our CANCEL, and the second 200
// of a fork, which is acknowledged and ended. Within a call the remote side may hold, change media and refresh the
// session (RFC 3261 §14, 3311, 4028), send DTMF by INFO and hang up; we transfer by REFER (RFC 3515).
//
// Health checks: a trunk that does not respond to a call, or answers 503, is probed with OPTIONS, all its servers at
// once. Without a response it is down: [Carrier.Lines] is 0, calls wait without using up an attempt, and it is probed
// again every few seconds. Trunks that never answered OPTIONS are probed with a REGISTER query; for those that answer
// neither, one call a minute is allowed. Calls also wait while a configured registration is missing, and while the
// trunk refuses them, whatever it answers to OPTIONS: see callBreaker. Retry-After holds the number that it was given
// for.
//
// Inbound calls: an INVITE from one of the trunk's own addresses is given to the receiver, see [Carrier.ReceiveCalls];
// any other is answered 480. A trunk may have to prove its account by digest authentication, too, see callerDigest.
//
// Where the specification is silent: at most five calls start per second; early media is kept for announcements
// of operators, see [carrier.DialError.Early], and is no answer; G.711, G.722, Opus
// and RFC 4733 DTMF are offered. Numbers appear in no log line and no error.
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
	"sync/atomic"
	"time"

	"github.com/emiago/sipgo"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/appliance/recovery"
	"munadi/store/callerid"
)

// farewell is the shutdown timeout for hang-ups and unregistering.
const farewell = 5 * time.Second

// TrunkOptions configures the trunk.
type TrunkOptions struct {
	Name     string   // shown to users; empty: default
	Trunk    string   // sip:HOST[:PORT][;transport=udp|tcp|tls], or sips:HOST
	User     string   // for digest authentication and registration
	Password string   //
	From     string   // caller number or name; empty: User
	Identity string   // number in P-Asserted-Identity (RFC 3325); empty: none
	Callers  []string // prefixes (E.164) of the caller numbers that calls may show; empty: any
	// Numbers are the trunk's caller numbers by destination, for calls without one that it may show.
	Numbers   callerid.NumberRules
	Register  bool            // keep a registration at the trunk
	Challenge string          // MD5 or SHA-256: its calls to us must prove User and Password; empty: they need not
	Listen    netip.AddrPort  // signalling address, UDP and TCP; port 0 picks one
	PublicIP  netip.Addr      // public address in Contact and SDP; zero: the local address towards the trunk
	Ports     media.PortRange // RTP ports
	Codecs    []sdp.Codec     // in order of preference
	Latch     media.LatchMode // policy for RTP from other addresses
	SRTP      bool            // offer SRTP (SDES); needs TLS
	Roots     *x509.CertPool  // root certificates for TLS; nil: the system's
	Plus      string          // replacement for the + of a number
	Lines     int             // concurrent calls; 0: as many as Ports allow
	Rate      int             // new calls per second; 0: DefaultRate
	Bridges   bool            // the trunk is not asked to transfer calls (REFER)
	UserAgent string
	// CallerHeader is where a call's own caller number is put; empty: CallerInFrom.
	CallerHeader CallerHeader
	Log          *slog.Logger
}

// Carrier is a carrier.Carrier over one trunk.
type Carrier struct {
	options TrunkOptions
	trunk   sipTrunk
	names   *net.Resolver
	log     *slog.Logger
	// firstAnswer is usualFirstAnswer; tests wait longer.
	firstAnswer time.Duration

	agent  *sipgo.UserAgent
	client *sipgo.Client
	udp    net.PacketConn
	tcp    net.Listener // nil unless the trunk uses TCP

	pace     inviteSpacer
	guard    strangerFilter
	reach    serverHealth
	dialogs  dialogTable
	ringing  ringingTable
	sources  trunkSources
	arrivals arrivalLimiter
	proofs   callerDigest
	receiver atomic.Pointer[carrier.Receiver]
	inUse    atomic.Int64 // calls that are dialled or up
	lines    atomic.Int64 // limit of concurrent calls
	foreign  foreignSound
	heard    audioHistory
	load     loadShedder
	watch    trunkMonitor
	register registrationState
	serving  sync.RWMutex   // held for reading by handlers of requests
	ends     sync.WaitGroup // hang-ups and cancelled dials in progress
	close    sync.Once
	life     context.Context // cancelled when the carrier is closed
	end      context.CancelFunc
}

// NewCarrier validates the options and binds the signalling sockets, without sending a request.
func NewCarrier(o TrunkOptions) (*Carrier, error) {
	t, err := parseTrunk(o.Trunk)
	if err != nil {
		return nil, err
	}
	if o.SRTP && t.transport != "tls" {
		return nil, errors.New("SRTP keys may travel over TLS alone: the trunk needs ;transport=tls")
	}
	if o.Challenge != "" && (o.User == "" || o.Password == "") {
		return nil, errors.New("inbound-digest needs user and password: callers prove them")
	}
	o.From = cmp.Or(o.From, o.User, "munadi")
	o.Name = cmp.Or(o.Name, "default")
	o.Lines = cmp.Or(o.Lines, o.Ports.CountPairs())
	o.Rate = cmp.Or(o.Rate, DefaultRate)
	o.CallerHeader = cmp.Or(o.CallerHeader, CallerInFrom)
	o.UserAgent = cmp.Or(o.UserAgent, "munadi")
	if len(o.Codecs) == 0 {
		o.Codecs = sdp.AllCodecs()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c := &Carrier{options: o, trunk: t, names: net.DefaultResolver, log: o.Log, firstAnswer: usualFirstAnswer}
	c.lines.Store(int64(o.Lines))
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

// Run keeps the registration and monitors the trunk until ctx ends.
func (c *Carrier) Run(ctx context.Context) error {
	var registered sync.WaitGroup
	defer registered.Wait()
	if c.options.Register {
		registered.Go(func() { c.recoverPanic(func() { c.keepRegistered(ctx) }) })
	}
	c.watch.monitorTrunk(ctx)
	return nil
}

// runAside runs background work that only Close waits for.
func (c *Carrier) runAside(work func()) { c.ends.Go(func() { c.recoverPanic(work) }) }

// recoverPanic recovers a panic in one call's signalling, so that other calls continue.
func (c *Carrier) recoverPanic(work func()) {
	if err := recovery.RecoverPanic(func() error { work(); return nil }); err != nil {
		c.log.Error("panic in SIP signalling", "err", err)
	}
}

// Close ends remaining calls and the registration, and closes the sockets.
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

// awaitAside waits for the background work.
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

// awaitHandlers waits until no request is handled any more: for a response after its transports are closed sipgo opens
// a socket of its own, which nobody closes.
func (c *Carrier) awaitHandlers() {
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		c.serving.Lock()
		defer c.serving.Unlock()
	}()
	select {
	case <-idle:
	case <-time.After(farewell):
		c.log.Warn("requests of the SIP trunk are still handled while it is closed")
	}
}

func (c *Carrier) closeTransports() {
	c.end()
	c.awaitHandlers()
	_ = c.udp.Close() // first, so that no request comes any more
	if c.tcp != nil {
		_ = c.tcp.Close()
	}
	if c.agent != nil {
		_ = c.agent.Close()
	}
}

// Name returns "sip".
func (c *Carrier) Name() string { return "sip" }

// Simulated returns false.
func (c *Carrier) Simulated() bool { return false }

// Lines returns the number of concurrent calls possible now: while the trunk is down or paused only those that are
// answered, fewer while this machine sends audio too late (load shedding).
func (c *Carrier) Lines() int {
	up := c.dialogs.count()
	return c.watch.allowedLines(c.load.usableLines(int(c.lines.Load()), up), up)
}

// FreeLines returns how many more calls are possible now.
func (c *Carrier) FreeLines() int { return c.Lines() - int(c.inUse.Load()) }

// SetLines changes the limit of concurrent calls; 0: as many as there are RTP ports. Calls that are up go on.
func (c *Carrier) SetLines(lines int) {
	c.lines.Store(int64(cmp.Or(lines, c.options.Ports.CountPairs())))
}

// IsIdle reports whether no call is dialled, rings or is up.
func (c *Carrier) IsIdle() bool { return c.inUse.Load() == 0 && c.dialogs.count() == 0 }

// TrunkName returns the trunk's name.
func (c *Carrier) TrunkName() string { return c.options.Name }

// Address returns the signalling address.
func (c *Carrier) Address() netip.AddrPort { return addrPort(c.udp.LocalAddr()) }
