// Package trunk creates the SIP trunks of the settings, routes calls over them by prefix and order, keeps their
// registrations alive, and reports their faults as health warnings and to munadi doctor.
package trunk

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/appliance/config"
)

// statusEvery is the interval at which the SIP trunk's status is copied to health warnings.
const statusEvery = 2 * time.Second

// OpenTrunks opens the SIP trunks of the settings and logs where they listen.
func OpenTrunks(cfg *config.Config, version string, log *slog.Logger) (*TrunkGroup, error) {
	if cfg.SIPUser != "" && cfg.SIPTrunk != "" && cfg.SIPPassword == "" {
		return nil, errors.New("sip-user is set, but the variable MUNADI_SIP_PASSWORD is not (with systemd: " +
			"/etc/munadi/environment); for a trunk that authenticates by IP address set sip-from only")
	}
	if cfg.TimeScale != 1 {
		log.Warn("time-scale is ignored: it applies to the simulator only", "time_scale", cfg.TimeScale)
	}
	g := NewGroup(log)
	g.version = version
	change, err := g.PrepareChange(cfg)
	if err != nil {
		return nil, err
	}
	change.Apply()
	return g, nil
}

// openTrunk opens one trunk.
func openTrunk(t config.SIPTrunkSettings, o sip.TrunkOptions) (*sip.Carrier, error) {
	if t.User != "" && o.Password == "" && t.PasswordEnv == "" {
		return nil, fmt.Errorf("sip-trunks: %s has a user, but its stored password cannot be used: type it again on its "+
			"page of the console", t.Name)
	}
	if t.User != "" && o.Password == "" {
		return nil, fmt.Errorf("sip-trunks: %s has a user, but the variable %s is not set (with systemd: "+
			"/etc/munadi/environment)", t.Name, t.PasswordEnv)
	}
	return sip.NewCarrier(o)
}

// trunkOptions returns a SIP trunk's options from the settings.
func trunkOptions(
	cfg *config.Config, t config.SIPTrunkSettings, version string, log *slog.Logger,
) (sip.TrunkOptions, error) {
	roots, err := authoritiesOf(t)
	password, failed := passwordOf(cfg, t)
	err = errors.Join(err, failed)
	o := sip.TrunkOptions{
		Name:         t.Name,
		Trunk:        t.Trunk,
		User:         t.User,
		Password:     password,
		From:         t.From,
		Identity:     t.Identity,
		Callers:      t.Callers,
		Numbers:      t.CallerNumbers,
		CallerHeader: sip.CallerHeader(t.CallerIn),
		Register:     t.Register,
		Challenge:    strings.ToUpper(t.InboundDigest),
		Listen:       config.ListenAddress(t.Listen).AddrPort(),
		PublicIP:     cfg.SIPPublicIP.Addr(),
		Ports:        media.PortRange(cfg.SIPMediaPorts),
		SRTP:         t.SRTP,
		Roots:        roots,
		Plus:         t.Plus,
		Bridges:      t.Transfer == config.TransferBridge,
		UserAgent:    "munadi/" + version,
		Log:          log,
		Latch:        latchOf(t.Latch),
		Rate:         t.CallsPerSecond,
		Lines:        t.Lines,
	}
	if cfg.SIPTrunks == "" && t.Name == config.DefaultTrunk {
		o.Lines = 0 // the setting lines limits them, and may change by reload
	} else {
		o.Log = log.With("trunk_name", t.Name)
	}
	for _, name := range t.Codecs {
		if codec, ok := sdp.CodecByName(name); ok {
			o.Codecs = append(o.Codecs, codec)
		}
	}
	return o, err
}

// authoritiesOf returns the authorities of a trunk's certificate; nil for the system's.
func authoritiesOf(t config.SIPTrunkSettings) (*x509.CertPool, error) {
	if t.Authority != "" {
		return config.ParseAuthorities(t.Authority)
	}
	return config.ReadAuthorities("sip-ca", t.CA)
}

// passwordOf returns a trunk's password; empty if its variable is not set.
func passwordOf(cfg *config.Config, t config.SIPTrunkSettings) (string, error) {
	switch {
	case t.Name == config.DefaultTrunk:
		return cfg.SIPPassword, nil
	case t.Password != "":
		return t.Password, nil
	}
	return config.ReadSecret("password-file", t.PasswordFile, os.Getenv(t.PasswordEnv))
}

// latchOf parses the setting sip-latch.
func latchOf(text string) media.LatchMode {
	if text == config.LatchFirst {
		return media.First
	}
	return media.Strict
}

// RunTrunks keeps the SIP registrations alive until ctx ends, and reports the trunks' status as the health warning
// "trunk".
func RunTrunks(ctx context.Context, g *TrunkGroup, warn func(kind, message string)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		tick := time.NewTicker(statusEvery)
		defer tick.Stop()
		for ctx.Err() == nil {
			warn("trunk", describeTroubles(g.Statuses()))
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}()
	return g.Run(ctx)
}

// describeTroubles returns the health warning about all trunks, or that there is none; empty without trouble. A trunk
// of several is named.
func describeTroubles(all []MemberStatus) string {
	if len(all) == 0 {
		return "calls wait: " + errNoTrunk.Error()
	}
	var out []string
	for _, s := range all {
		text := describeTrouble(s.TrunkStatus)
		if text != "" && len(all) > 1 {
			text = "trunk " + s.Name + ": " + text
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "; ")
}

// describeTrouble returns the health warning that calls wait for a SIP trunk, or that fewer are placed since RTP
// packets are sent late, and since when; empty if neither. It is public, so it leaves the trunk's own answer out.
func describeTrouble(s sip.TrunkStatus) string {
	switch {
	case s.Up && s.Load.Lines > 0:
		return fmt.Sprintf("audio is sent late (%.1f %% of RTP packets): at most %d concurrent calls since %s, "+
			"until packets are on time again", 100*s.Load.Late, s.Load.Lines, s.Load.Since.Format(time.DateTime))
	case s.Up:
		return ""
	}
	return "calls wait for the SIP trunk since " + s.Since.Format(time.DateTime) + ": munadi doctor says why"
}
