package appliance

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"time"

	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/appliance/config"
	"munadi/appliance/console"
	"munadi/appliance/httpserver"
)

// trunkLook is the interval at which the SIP trunk's status is copied to health warnings.
const trunkLook = 2 * time.Second

// openTrunk opens the SIP trunk and logs where it listens.
func (a *Appliance) openTrunk() (*sip.Carrier, error) {
	if a.config.SIPUser != "" && a.config.SIPPassword == "" {
		return nil, errors.New("sip-user is set, but the variable MUNADI_SIP_PASSWORD is not (with systemd: " +
			"/etc/munadi/environment); for a trunk that authenticates by IP address set sip-from only")
	}
	if a.config.TimeScale != 1 {
		a.log.Warn("time-scale is ignored: it applies to the simulator only", "time_scale", a.config.TimeScale)
	}
	o, err := trunkOptions(a.config, a.version, a.log)
	if err != nil {
		return nil, err
	}
	trunk, err := sip.NewCarrier(o)
	if bind, ok := errors.AsType[*net.OpError](err); ok {
		return nil, httpserver.ExplainListenError("sip-listen", a.config.SIPListen.String(), bind)
	}
	if err != nil {
		return nil, err
	}
	a.log.Info("calls go out over a SIP trunk", "carrier", trunk.Name(), "trunk", trunk.Status().Trunk,
		"signalling", trunk.Address().String(), "media_ports", a.config.SIPMediaPorts.String())
	return trunk, nil
}

// trunkOptions returns the SIP trunk's options from the settings.
func trunkOptions(cfg *config.Config, version string, log *slog.Logger) (sip.TrunkOptions, error) {
	roots, err := rootsIn(cfg.SIPCA)
	o := sip.TrunkOptions{
		Trunk:        cfg.SIPTrunk,
		User:         cfg.SIPUser,
		Password:     cfg.SIPPassword,
		From:         cfg.SIPFrom,
		Identity:     cfg.SIPIdentity,
		Callers:      cfg.SIPCallers.Prefixes(),
		Register:     cfg.SIPRegister,
		Listen:       cfg.SIPListen.AddrPort(),
		PublicIP:     cfg.SIPPublicIP.Addr(),
		Ports:        media.PortRange(cfg.SIPMediaPorts),
		SRTP:         cfg.SIPSRTP,
		Roots:        roots,
		Plus:         cfg.PlusSign(),
		UserAgent:    "munadi/" + version,
		Log:          log,
		CallerHeader: sip.CallerHeader(cfg.SIPCallerIn),
		Latch:        latchOf(cfg.SIPLatch),
		Rate:         cfg.SIPRate,
		Lines:        cfg.SIPMediaPorts.PairCount(), // limit of the port range; the number in use may change by reload
	}
	for _, name := range cfg.SIPCodecs.Names() {
		if codec, ok := sdp.CodecByName(name); ok {
			o.Codecs = append(o.Codecs, codec)
		}
	}
	return o, err
}

// latchOf parses the setting sip-latch.
func latchOf(text string) media.LatchMode {
	if text == config.LatchFirst {
		return media.First
	}
	return media.Strict
}

// rootsIn returns the certificates of a PEM file; nil, which means the system's, without one.
func rootsIn(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("sip-ca: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("sip-ca: %s holds no certificate in PEM", path)
	}
	return roots, nil
}

// runTrunk keeps the SIP registration alive, and reports the trunk's status as a health warning.
func (a *Appliance) runTrunk(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		tick := time.NewTicker(trunkLook)
		defer tick.Stop()
		for ctx.Err() == nil {
			a.health.SetWarning("trunk", trunkTrouble(a.calls.trunk.Status()))
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}()
	return a.calls.trunk.Run(ctx)
}

// trunkTrouble returns the health warning that calls wait for the SIP trunk, or that fewer are placed since RTP
// packets are sent late, and since when; empty if neither. It is public, so it leaves the trunk's own answer out.
func trunkTrouble(s sip.TrunkStatus) string {
	switch {
	case s.Up && s.Load.Lines > 0:
		return fmt.Sprintf("sound leaves late (%.1f %% of packets): %d calls at once since %s, until it is in time again",
			100*s.Load.Late, s.Load.Lines, s.Load.Since.Format(time.DateTime))
	case s.Up:
		return ""
	}
	return "calls wait for the SIP trunk since " + s.Since.Format(time.DateTime) + ": munadi doctor says why"
}

// trunkShown returns the trunk's status for the console; nil without a trunk.
func (a *Appliance) trunkShown() *console.TrunkVitals {
	if a.calls.trunk == nil {
		return nil
	}
	s := a.calls.trunk.Status()
	t := &console.TrunkVitals{Address: s.Trunk, Up: s.Up, Since: s.Since, Registers: a.config.SIPRegister}
	if !s.Registered.IsZero() {
		t.Registered = &s.Registered
	}
	if s.Err != nil {
		t.Fault = explainTrunk(s.Err)
	}
	return t
}
