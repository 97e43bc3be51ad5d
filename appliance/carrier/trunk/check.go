package trunk

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"syscall"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/config"
	"munadi/ui/locale"
)

// checkTimeout is the timeout of doctor's trunk check.
const checkTimeout = 5 * time.Second

// unansweredAdvice names the most frequent causes of no answer.
const unansweredAdvice = "check address, port and transport in sip-trunk, and that the firewall allows requests from " +
	"sip-listen and their answers"

// CheckRunning checks the running appliance's SIP trunks by an OPTIONS ping of each, at once. Without a trunk, and for
// each that could not be opened, the finding is why calls wait.
func CheckRunning(ctx context.Context, g *TrunkGroup) []admin.CheckFinding {
	members, faults := g.listAll()
	all := len(members) + len(faults)
	if all == 0 {
		return []admin.CheckFinding{{Name: "trunk", State: admin.StateFailed, Text: "calls wait: " + errNoTrunk.Error()}}
	}
	found := make([]admin.CheckFinding, len(members))
	var asking sync.WaitGroup
	for i, m := range members {
		asking.Go(func() {
			found[i] = checkMember(ctx, m)
			found[i].Name = findingName(m.TrunkName(), all)
		})
	}
	asking.Wait()
	for _, s := range faults {
		found = append(found, admin.CheckFinding{
			Name: findingName(s.Name, all), State: admin.StateFailed, Text: "it is not open: " + explainMember(s.Err, s.Stored),
		})
	}
	return found
}

// findingName returns the name of a trunk's finding: a trunk of several is named.
func findingName(trunk string, of int) string {
	if of == 1 {
		return "trunk"
	}
	return "trunk " + trunk
}

// checkMember checks one running trunk.
func checkMember(ctx context.Context, m GroupMember) admin.CheckFinding {
	f := pingTrunk(ctx, m, m.Stored)
	s := m.Status()
	if f.State != admin.StateFailed && m.Registers {
		if s.Registered.IsZero() {
			f.State, f.Text = admin.StateFailed, f.Text+"; not registered"
			if s.Err != nil {
				f.Text += ": " + explainMember(s.Err, m.Stored)
			}
			return f
		}
		f.Text += "; registered until " + s.Registered.Local().Format(time.TimeOnly)
	}
	if s.Paused != nil {
		f.State, f.Text = admin.StateFailed, f.Text+". "+describePause(s.Paused, m.Stored)
	}
	if s.Foreign.Calls > 0 {
		f = withNote(f)
		f.Text += describeForeign(s.Foreign, m.Latch)
	}
	if s.NoAudio.Calls > 0 {
		f = withNote(f)
		f.Text += fmt.Sprintf("; of the last %d answered calls of the hour %d got no audio: check that the firewall and the "+
			"router forward UDP sip-media-ports to this machine, and sip-public-ip", s.NoAudio.Of, s.NoAudio.Calls)
	}
	for _, at := range s.Silent {
		f = withNote(f)
		f.Text += "; " + at.String() + " does not answer, and is tried last"
	}
	return f
}

// describePause returns the finding that calls wait for a trunk that refuses them, with the remedy.
func describePause(p *sip.CallPause, stored bool) string {
	said := locale.DescribeRefusal(locale.English, CauseOfPause(p), p.Answer(), stored)
	return fmt.Sprintf("%s Since %s, the next one at %s. %s", said.What, p.Since.Local().Format(time.DateTime),
		p.Next.Local().Format(time.TimeOnly), said.Do)
}

// withNote raises a finding from well to note.
func withNote(f admin.CheckFinding) admin.CheckFinding {
	if f.State == admin.StateOK {
		f.State = admin.StateWarning
	}
	return f
}

// describeForeign returns the finding that RTP packets came from an address that was not negotiated, with the remedy.
func describeForeign(f sip.ForeignSound, latch string) string {
	text := fmt.Sprintf("; in %d calls since the start, audio came from an address not negotiated (last %s, %s)",
		f.Calls, f.From, f.Last.Local().Format(time.DateTime))
	if latch == config.LatchFirst {
		return text
	}
	return text + ": if the address is the trunk's, set sip-latch: first"
}

// CheckOffline pings the SIP trunks of the settings from temporary ports while no appliance runs.
func CheckOffline(ctx context.Context, cfg *config.Config, version string) []admin.CheckFinding {
	all := cfg.Trunks()
	found := make([]admin.CheckFinding, len(all))
	var asking sync.WaitGroup
	for i, t := range all {
		asking.Go(func() {
			found[i] = checkTrunkOffline(ctx, cfg, t, version)
			found[i].Name = findingName(t.Name, len(all))
		})
	}
	asking.Wait()
	return found
}

// checkTrunkOffline pings one trunk.
func checkTrunkOffline(
	ctx context.Context, cfg *config.Config, t config.SIPTrunkSettings, version string,
) admin.CheckFinding {
	o, err := trunkOptions(cfg, t, version, slog.New(slog.DiscardHandler))
	if err != nil {
		return admin.CheckFinding{State: admin.StateFailed, Text: err.Error()}
	}
	o.Listen = netip.AddrPortFrom(o.Listen.Addr(), 0)
	opened, err := sip.NewCarrier(o) //nolint:contextcheck // what it receives is not part of the check
	if err != nil {
		return admin.CheckFinding{State: admin.StateFailed, Text: err.Error()}
	}
	defer func() { _ = opened.Close() }() //nolint:contextcheck // it takes leave also where ctx has ended
	f := pingTrunk(ctx, opened, false)
	switch {
	case f.State == admin.StateFailed || !t.Register:
	case o.Password == "":
		f.State = admin.StateWarning
		f.Text += "; whether it registers its user is not known: " + t.PasswordEnv +
			" is not in this environment"
	default:
		f.Text += "; registers its user"
		if err := opened.RegisterOnce(ctx); err != nil {
			f.State, f.Text = admin.StateFailed, ExplainError(err)
		}
	}
	return f
}

// pingTrunk pings a trunk, perhaps one that was made in the console, and returns the finding.
func pingTrunk(ctx context.Context, t interface {
	PingTrunk(ctx context.Context) (sip.TrunkAnswer, error)
}, stored bool,
) admin.CheckFinding {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	f := admin.CheckFinding{State: admin.StateOK}
	answer, err := t.PingTrunk(ctx)
	if err != nil {
		f.State, f.Text = admin.StateFailed, explainMember(err, stored)
		return f
	}
	f.Text = fmt.Sprintf("%s answers %d in %d ms", answer.Address, answer.Status, answer.Took.Milliseconds())
	if answer.Server != "" {
		f.Text += " (" + answer.Server + ")"
	}
	if answer.Status == 503 {
		f.State = admin.StateWarning
		f.Text += ": it is overloaded or being serviced; calls that get the same answer wait, without losing an attempt"
	}
	if answer.Status == 403 {
		f.State = admin.StateWarning
		f.Text += ": it refuses this machine; ask the operator whether this IP address is allowed, and check " +
			locale.TrunkNames(locale.English, stored).Replace("sip-user")
	}
	return f
}

// explainMember is [ExplainError], which for a trunk that was made in the console names its fields there.
func explainMember(err error, stored bool) string {
	if !stored {
		return ExplainError(err)
	}
	said := locale.TrunkFault(locale.English, ExplainError(err), true)
	return strings.TrimSuffix(strings.NewReplacer("\u2068", "", "\u2069", "").Replace(said), ".")
}

// ExplainError adds the remedy to an error of the trunk.
func ExplainError(err error) string {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		refused     sip.StatusError
	)
	if _, is := errors.AsType[notOpenError](err); is {
		return err.Error()
	}
	switch {
	case errors.As(err, &name):
		return fmt.Sprintf("%s: check sip-trunk, and this machine's DNS", name)
	case errors.As(err, &certificate):
		return fmt.Sprintf("its certificate is not trusted (%s): set sip-ca to its CA's certificate", certificate.Err)
	case errors.As(err, &refused) && (refused == 401 || refused == 403 || refused == 407):
		return fmt.Sprintf("%s: check sip-user and MUNADI_SIP_PASSWORD", err)
	case errors.As(err, &refused):
		return err.Error()
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("%s: nothing listens there; check the port and transport in sip-trunk", err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %s: %s", checkTimeout, unansweredAdvice)
	default:
		return fmt.Sprintf("%s: %s", err, unansweredAdvice)
	}
}
