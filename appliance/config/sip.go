package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
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

// lowestMediaPort is the lowest unprivileged port.
const lowestMediaPort = 1024

// IPAddress is one IP address, or empty.
type IPAddress string

// UnmarshalText parses 192.0.2.7 or 2001:db8::7.
func (ip *IPAddress) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	if s == "" {
		*ip = ""
		return nil
	}
	addr, err := netip.ParseAddr(s)
	if err != nil || addr.Zone() != "" || addr.IsUnspecified() || addr.IsMulticast() {
		return fmt.Errorf("%q is not an IP address of a machine (such as 192.0.2.7)", text)
	}
	*ip = IPAddress(addr.Unmap().String())
	return nil
}

// Addr returns the address; zero for an empty one.
func (ip IPAddress) Addr() netip.Addr {
	addr, _ := netip.ParseAddr(string(ip))
	return addr
}

// PortRange is an inclusive range of ports.
type PortRange struct{ First, Last uint16 }

// UnmarshalText parses 20000-20999.
func (p *PortRange) UnmarshalText(text []byte) error {
	first, last, found := strings.Cut(string(text), "-")
	a, errA := strconv.ParseUint(strings.TrimSpace(first), 10, 16)
	b, errB := strconv.ParseUint(strings.TrimSpace(last), 10, 16)
	switch {
	case !found || errA != nil || errB != nil || a > b:
		return fmt.Errorf("%q is not a range of ports (such as 20000-20999)", text)
	case a < lowestMediaPort:
		return fmt.Errorf("%q begins below %d", text, lowestMediaPort)
	}
	*p = PortRange{uint16(a), uint16(b)}
	return nil
}

// String returns the range in the same notation.
func (p PortRange) String() string { return fmt.Sprintf("%d-%d", p.First, p.Last) }

// PairCount returns how many calls the range has ports for: each takes an even port (RTP) and the next (RTCP).
func (p PortRange) PairCount() int { return (int(p.Last)+1)/2 - (int(p.First)+1)/2 }

// CodecList is a list of audio codecs, the preferred one first, separated by commas.
type CodecList string

// allCodecs are the codecs of a CodecList.
var allCodecs = []string{"pcma", "pcmu", "g722", "opus"}

// UnmarshalText parses one or several of pcma, pcmu, g722 and opus.
func (c *CodecList) UnmarshalText(text []byte) error {
	all := splitList(strings.ToLower(string(text)))
	if len(all) == 0 {
		return fmt.Errorf("names no codec: use one or more of %s", strings.Join(allCodecs, ", "))
	}
	for i, one := range all {
		if !slices.Contains(allCodecs, one) {
			return fmt.Errorf("%q is not one of %s", one, strings.Join(allCodecs, ", "))
		}
		if slices.Contains(all[:i], one) {
			return fmt.Errorf("%q is listed twice: list each codec once", one)
		}
	}
	*c = CodecList(strings.Join(all, ","))
	return nil
}

// Names returns the codecs.
func (c CodecList) Names() []string { return splitList(string(c)) }

// PrefixList is a list of beginnings of international numbers, separated by commas; empty for all numbers.
type PrefixList string

// prefixForm matches the beginning of a number in E.164 form.
var prefixForm = regexp.MustCompile(`^\+[1-9][0-9]{0,14}$`)

// UnmarshalText parses +966, +971.
func (p *PrefixList) UnmarshalText(text []byte) error {
	all := splitList(string(text))
	for _, one := range all {
		if !prefixForm.MatchString(one) {
			return fmt.Errorf("%q is not the beginning of an international number (such as +966)", one)
		}
	}
	*p = PrefixList(strings.Join(all, ","))
	return nil
}

// prefixes returns them.
func (p PrefixList) prefixes() []string { return splitList(string(p)) }
