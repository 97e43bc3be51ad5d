package config

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// The carriers, as the setting carrier names them.
const (
	Simulator = "simulator"
	SIP       = "sip"
)

// The values of sip-latch: from which address RTP is accepted.
const (
	LatchStrict = "strict"
	LatchFirst  = "first"
)

// The values of sip-transfer: how a call is transferred to a person.
const (
	TransferAuto   = "auto"   // by REFER where the trunk takes it, else over a second line
	TransferBridge = "bridge" // over a second line
)

// sipChecks returns the faults of the settings of the SIP trunk. Its password is not checked here: commands that read
// the file are run without it.
func (c *Config) sipChecks() map[string]error {
	_, err := c.trunkTransport()
	return map[string]error{
		"sip-trunk":    err,
		"sip-user":     checkAccount(c.SIPUser, false),
		"sip-from":     checkCaller(c.SIPFrom),
		"sip-identity": checkCaller(c.SIPIdentity),
		"sip-listen":   checkTrunkListen(c.SIPListen.String()),
		"sip-plus":     checkPlus(c.SIPPlus),
	}
}

// jointSIPChecks returns the faults of settings of the SIP trunk that do not belong together.
func (c *Config) jointSIPChecks() []jointCheck {
	transport, _ := c.trunkTransport()
	return []jointCheck{
		{"sip-user", []string{"sip-register"}, checkAccount(c.SIPUser, c.SIPRegister)},
		{"sip-inbound-digest", []string{"sip-user"}, c.checkInboundDigest()},
		{"inbound-lines", []string{"lines"}, c.checkInboundLines()},
		{"sip-listen", []string{"sip-media-ports"}, c.checkListenPort()},
		{"sip-media-ports", []string{"carrier", "lines", "sip-trunks", "sip-trunk"}, c.checkMediaPorts()},
		{
			"sip-srtp",
			[]string{"sip-trunk"},
			unlessTLS(c.SIPSRTP, transport, "the encryption keys would be visible in the signalling"),
		},
		{"sip-ca", []string{"sip-trunk"}, unlessTLS(c.SIPCA != "", transport, "there is no certificate to check")},
	}
}

// checkInboundDigest refuses to ask callers for an account that is not set.
func (c *Config) checkInboundDigest() error {
	if c.SIPTrunk == "" {
		return nil
	}
	return c.defaultTrunk().checkInboundDigest()
}

// checkInboundLines refuses to leave no line for outbound calls.
func (c *Config) checkInboundLines() error {
	if c.Lines > 0 && c.InboundLines >= c.Lines {
		return fmt.Errorf("must be less than lines, %d: outbound calls would get none", c.Lines)
	}
	return nil
}

// trunkTransport validates sip-trunk, and returns its transport; empty without it.
func (c *Config) trunkTransport() (transport string, err error) {
	if c.SIPTrunk == "" {
		return "", nil
	}
	return parseTrunkAddress(c.SIPTrunk)
}

// parseTrunkAddress accepts sip:HOST[:PORT][;transport=udp|tcp|tls] or sips:HOST[:PORT], and returns the transport.
func parseTrunkAddress(text string) (transport string, err error) {
	if strings.Contains(text, "@") { // the user part may hold a password
		return "", errors.New("must not contain a user; set it by sip-user, and its password by MUNADI_SIP_PASSWORD")
	}
	scheme, rest, _ := strings.Cut(text, ":")
	host, parameter, _ := strings.Cut(rest, ";")
	u, err := url.Parse("//" + host)
	if scheme != "sip" && scheme != "sips" || err != nil || u.Hostname() == "" || u.Host != host || !isPort(u.Port()) {
		return "", fmt.Errorf("%q is not a trunk (such as sip:trunk.example.com, sip:192.0.2.1:5060;transport=tcp or "+
			"sips:trunk.example.com)", text)
	}
	return transportOf(scheme, parameter)
}

// isPort reports whether text is a port from 1 to 65535, or empty.
func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && n > 0
}

func transportOf(scheme, parameter string) (string, error) {
	switch {
	case scheme == "sips" && (parameter == "" || parameter == "transport=tls"):
		return "tls", nil
	case scheme == "sip" && parameter == "":
		return "udp", nil
	case scheme == "sip" && (parameter == "transport=udp" || parameter == "transport=tcp" || parameter == "transport=tls"):
		return strings.TrimPrefix(parameter, "transport="), nil
	default:
		return "", fmt.Errorf("%q: only transport=udp, tcp or tls may follow the host, and for sips: only tls", parameter)
	}
}

// unlessTLS refuses a setting that requires TLS on the trunk. A fault of sip-trunk itself is reported elsewhere.
func unlessTLS(wanted bool, transport, why string) error {
	if wanted && transport != "" && transport != "tls" {
		return fmt.Errorf("the trunk is reached over %s, where %s: add ;transport=tls to sip-trunk", transport, why)
	}
	return nil
}

// checkAccount accepts the name of a trunk's account.
func checkAccount(user string, registers bool) error {
	switch {
	case user == "" && registers:
		return errors.New("sip-register requires it: the user name of the account")
	case strings.ContainsFunc(user, outOfPlace) || strings.ContainsAny(user, `"<>\`):
		return errors.New("has characters that are not allowed in a user name")
	default:
		return nil
	}
}

// checkCaller accepts the user part of a SIP address.
func checkCaller(text string) error {
	if strings.ContainsFunc(text, outOfPlace) || strings.ContainsAny(text, `"<>\@:;?,`) {
		return errors.New("must be a number or a name, without @ and what follows it")
	}
	return nil
}

// outOfPlace reports characters that are not valid in an address.
func outOfPlace(r rune) bool { return r <= ' ' || r >= unicode.MaxASCII }

// checkListenPort accepts a port outside sip-media-ports.
func (c *Config) checkListenPort() error {
	port := c.SIPListen.AddrPort().Port()
	if port != 0 && port >= c.SIPMediaPorts.First && port <= c.SIPMediaPorts.Last {
		return fmt.Errorf("port %d is among sip-media-ports %s", port, c.SIPMediaPorts)
	}
	return nil
}

// checkMediaPorts checks that there is a pair of ports for each concurrent call.
func (c *Config) checkMediaPorts() error {
	lines := c.SIPLines()
	if pairs := c.SIPMediaPorts.PairCount(); c.Carrier == SIP && pairs < lines {
		return fmt.Errorf("%s has ports for %d concurrent calls, but lines allows %d", c.SIPMediaPorts, pairs, lines)
	}
	return nil
}

// checkPlus accepts +, none or digits that can be dialled.
func checkPlus(text string) error {
	if text == "+" || text == "none" {
		return nil
	}
	if text == "" || len(text) > 8 || strings.Trim(text, "0123456789") != "" {
		return fmt.Errorf("%q is neither +, none nor up to 8 digits such as 00", text)
	}
	return nil
}
