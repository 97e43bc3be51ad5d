// Package trunk makes a SIP carrier from the settings, keeps its registration alive, and says what is wrong with it: as
// a health warning, and to munadi doctor.
package trunk

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
	"munadi/appliance/httpserver"
)

// statusEvery is the interval at which the SIP trunk's status is copied to health warnings.
const statusEvery = 2 * time.Second

// OpenTrunk opens the SIP trunk of the settings and logs where it listens.
func OpenTrunk(cfg *config.Config, version string, log *slog.Logger) (*sip.Carrier, error) {
	if cfg.SIPUser != "" && cfg.SIPPassword == "" {
		return nil, errors.New("sip-user is set, but the variable MUNADI_SIP_PASSWORD is not (with systemd: " +
			"/etc/munadi/environment); for a trunk that authenticates by IP address set sip-from only")
	}
	if cfg.TimeScale != 1 {
		log.Warn("time-scale is ignored: it applies to the simulator only", "time_scale", cfg.TimeScale)
	}
	o, err := trunkOptions(cfg, version, log)
	if err != nil {
		return nil, err
	}
	carrier, err := sip.NewCarrier(o)
	if bind, ok := errors.AsType[*net.OpError](err); ok {
		return nil, httpserver.ExplainListenError("sip-listen", cfg.SIPListen.String(), bind)
	}
	if err != nil {
		return nil, err
	}
	log.Info("calls go out over a SIP trunk", "carrier", carrier.Name(), "trunk", carrier.Status().Trunk,
		"signalling", carrier.Address().String(), "media_ports", cfg.SIPMediaPorts.String())
	return carrier, nil
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

// RunTrunk keeps the SIP registration alive until ctx ends, and reports the trunk's status as the health warning
// "trunk".
func RunTrunk(ctx context.Context, carrier *sip.Carrier, warn func(kind, message string)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		tick := time.NewTicker(statusEvery)
		defer tick.Stop()
		for ctx.Err() == nil {
			warn("trunk", describeTrouble(carrier.Status()))
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}()
	return carrier.Run(ctx)
}

// describeTrouble returns the health warning that calls wait for the SIP trunk, or that fewer are placed since RTP
// packets are sent late, and since when; empty if neither. It is public, so it leaves the trunk's own answer out.
func describeTrouble(s sip.TrunkStatus) string {
	switch {
	case s.Up && s.Load.Lines > 0:
		return fmt.Sprintf("sound leaves late (%.1f %% of packets): %d calls at once since %s, until it is in time again",
			100*s.Load.Late, s.Load.Lines, s.Load.Since.Format(time.DateTime))
	case s.Up:
		return ""
	}
	return "calls wait for the SIP trunk since " + s.Since.Format(time.DateTime) + ": munadi doctor says why"
}
