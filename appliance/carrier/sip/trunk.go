package sip

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/emiago/sipgo/sip"
)

// sipTrunk is the parsed trunk address.
type sipTrunk struct {
	host      string
	port      int    // 0: from DNS, or the transport's default
	transport string // udp, tcp, tls
}

// parseTrunk parses sip:HOST[:PORT][;transport=udp|tcp|tls] and sips:HOST[:PORT].
func parseTrunk(text string) (sipTrunk, error) {
	var uri sip.Uri
	if !strings.HasPrefix(text, "sip:") && !strings.HasPrefix(text, "sips:") {
		return sipTrunk{}, errors.New("the trunk must be like sip:HOST, sip:HOST:PORT;transport=tcp or sips:HOST")
	}
	if err := sip.ParseUri(text, &uri); err != nil {
		return sipTrunk{}, fmt.Errorf("the trunk can't be read: %w", err)
	}
	if uri.Host == "" || uri.User != "" || !isHost(uri.Host) {
		return sipTrunk{}, errors.New("the trunk must be a host, without a user before it")
	}
	if uri.Port < 0 || uri.Port > 65535 {
		return sipTrunk{}, fmt.Errorf("the trunk's port is %d; 1 to 65535 are possible", uri.Port)
	}
	t := sipTrunk{host: strings.Trim(uri.Host, "[]"), port: uri.Port, transport: "udp"}
	if named, ok := uri.UriParams.Get("transport"); ok {
		t.transport = strings.ToLower(named)
	}
	if uri.Scheme == "sips" {
		t.transport = "tls"
	}
	switch t.transport {
	case "udp", "tcp", "tls":
		return t, nil
	default:
		return sipTrunk{}, fmt.Errorf("the trunk's transport is %q; udp, tcp and tls are possible", t.transport)
	}
}

// isHost reports whether s is safe as a host in messages: a name or an address, without line breaks.
func isHost(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '.' && r != '-' && r != '_' && r != ':' && r != '[' && r != ']' &&
			(r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// trunkURI returns the trunk's URI with an optional user.
func (t sipTrunk) trunkURI(user string) sip.Uri {
	u := sip.Uri{Scheme: "sip", User: user, Host: t.host, Port: t.port}
	if t.transport != "udp" {
		u.UriParams.Add("transport", t.transport)
	}
	return u
}

// userURI returns the address of record of a user at the trunk, without port and parameters.
func (t sipTrunk) userURI(user string) sip.Uri {
	u := t.trunkURI(user)
	u.UriParams, u.Port = nil, 0
	return u
}

// String returns the trunk for display, without a port that DNS decides.
func (t sipTrunk) String() string {
	over := " (" + strings.ToUpper(t.transport) + ")"
	if _, err := netip.ParseAddr(t.host); err != nil && t.port == 0 {
		return t.host + over
	}
	return net.JoinHostPort(t.host, strconv.Itoa(int(t.portOr(t.port)))) + over
}

func addrPort(a net.Addr) netip.AddrPort { return addrPortOf(a.String()) }

// addrPortOf parses an address and port; the zero value for another text.
func addrPortOf(text string) netip.AddrPort {
	at, err := netip.ParseAddrPort(text)
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}
