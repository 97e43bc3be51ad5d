package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// Names of the carriers.
const (
	Simulator = "simulator"
	SIP       = "sip"
)

// Whose sound a call hears; see sip-latch.
const (
	LatchStrict = "strict"
	LatchFirst  = "first"
)

// SIPLines is how many calls may be up at once over a trunk where lines says nothing.
const SIPLines = 10

// PlusSign is what stands for the + of a number in the trunk's addresses; the setting says none for nothing.
func (c *Config) PlusSign() string {
	if c.SIPPlus == "none" {
		return ""
	}
	return c.SIPPlus
}

// sipChecks are the rules of the settings that concern the trunk. Its password is none of their business: commands
// that read the file are run without it.
func (c *Config) sipChecks() map[string]error {
	transport, err := c.checkTrunk()
	return map[string]error{
		"sip-trunk":       err,
		"sip-user":        c.checkSIPUser(),
		"sip-from":        checkCaller(c.SIPFrom),
		"sip-identity":    checkCaller(c.SIPIdentity),
		"sip-listen":      c.checkSIPListen(),
		"sip-media-ports": c.checkMediaPorts(),
		"sip-srtp":        unlessTLS(c.SIPSRTP, transport, "keys would be seen by whoever sees the calls"),
		"sip-ca":          unlessTLS(c.SIPCA != "", transport, "there is no certificate to check"),
		"sip-plus":        checkPlus(c.SIPPlus),
	}
}

// checkTrunk wants sip:HOST[:PORT][;transport=udp|tcp|tls] or sips:HOST[:PORT], and says by what it is reached.
func (c *Config) checkTrunk() (transport string, err error) {
	if c.SIPTrunk == "" {
		if c.Carrier == SIP {
			return "", errors.New("carrier sip needs it: the address of the operator or PBX, such as sip:trunk.example.com")
		}
		return "", nil
	}
	if strings.Contains(c.SIPTrunk, "@") { // what stands there may be a password
		return "", errors.New("has a user in it; that is sip-user, and its password MUNADI_SIP_PASSWORD")
	}
	scheme, rest, _ := strings.Cut(c.SIPTrunk, ":")
	host, parameter, _ := strings.Cut(rest, ";")
	u, err := url.Parse("//" + host)
	if scheme != "sip" && scheme != "sips" || err != nil || u.Hostname() == "" || u.Host != host || !isPort(u.Port()) {
		return "", fmt.Errorf("%q is no trunk (such as sip:trunk.example.com, sip:192.0.2.1:5060;transport=tcp or "+
			"sips:trunk.example.com)", c.SIPTrunk)
	}
	return transportOf(scheme, parameter)
}

// isPort says that text is a port that something can be reached at, or empty.
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

// unlessTLS refuses what makes no sense without TLS. Whether the trunk itself is wrong is said elsewhere.
func unlessTLS(wanted bool, transport, why string) error {
	if wanted && transport != "" && transport != "tls" {
		return fmt.Errorf("the trunk is reached over %s, where %s: add ;transport=tls to sip-trunk", transport, why)
	}
	return nil
}

func (c *Config) checkSIPUser() error {
	switch {
	case c.SIPUser == "" && c.SIPRegister:
		return errors.New("sip-register needs it: who registers")
	case strings.ContainsFunc(c.SIPUser, outOfPlace) || strings.ContainsAny(c.SIPUser, `"<>\`):
		return errors.New("has characters that no name of an account has")
	default:
		return nil
	}
}

// checkCaller wants what stands before the @ of an address.
func checkCaller(text string) error {
	if strings.ContainsFunc(text, outOfPlace) || strings.ContainsAny(text, `"<>\@:;?,`) {
		return errors.New("is to be a number or a name, without @ and what follows it")
	}
	return nil
}

// outOfPlace are characters that an address never has.
func outOfPlace(r rune) bool { return r <= ' ' || r >= unicode.MaxASCII }

// checkSIPListen wants an address of this machine, since names are looked up for others alone.
func (c *Config) checkSIPListen() error {
	if host := c.SIPListen.Host(); host != "" {
		if _, err := netip.ParseAddr(host); err != nil {
			return fmt.Errorf("%q is no IP address (such as 0.0.0.0, for all of this machine)", host)
		}
	}
	port := c.SIPListen.AddrPort().Port()
	if port != 0 && port >= c.SIPMediaPorts.First && port <= c.SIPMediaPorts.Last {
		return fmt.Errorf("port %d is among sip-media-ports %s", port, c.SIPMediaPorts)
	}
	return nil
}

// checkMediaPorts wants room for all calls.
func (c *Config) checkMediaPorts() error {
	lines := c.Lines
	if lines == 0 {
		lines = SIPLines
	}
	if pairs := c.SIPMediaPorts.PairCount(); c.Carrier == SIP && pairs < lines {
		return fmt.Errorf("%s has room for %d calls at once, and lines for %d", c.SIPMediaPorts, pairs, lines)
	}
	return nil
}

// checkPlus wants what a telephone can dial.
func checkPlus(text string) error {
	if text == "+" || text == "none" {
		return nil
	}
	if text == "" || len(text) > 8 || strings.Trim(text, "0123456789") != "" {
		return fmt.Errorf("%q is neither +, none nor up to 8 digits such as 00", text)
	}
	return nil
}
