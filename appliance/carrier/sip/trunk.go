package sip

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/emiago/sipgo/sip"
)

// trunk is where calls go.
type trunk struct {
	host      string
	port      int    // 0: whatever DNS says, or the transport's own
	transport string // udp, tcp, tls
}

// server is one address of the trunk, and where it sees us.
type server struct {
	remote netip.AddrPort
	local  netip.Addr
	port   int // ours; see [Carrier.connect]
}

// parseTrunk reads sip:HOST[:PORT][;transport=udp|tcp|tls] and sips:HOST[:PORT].
func parseTrunk(text string) (trunk, error) {
	var uri sip.Uri
	if !strings.HasPrefix(text, "sip:") && !strings.HasPrefix(text, "sips:") {
		return trunk{}, errors.New("the trunk must be like sip:HOST, sip:HOST:PORT;transport=tcp or sips:HOST")
	}
	if err := sip.ParseUri(text, &uri); err != nil {
		return trunk{}, fmt.Errorf("the trunk can't be read: %w", err)
	}
	if uri.Host == "" || uri.User != "" || !isHost(uri.Host) {
		return trunk{}, errors.New("the trunk must be a host, without a user before it")
	}
	if uri.Port < 0 || uri.Port > 65535 {
		return trunk{}, fmt.Errorf("the trunk's port is %d; 1 to 65535 are possible", uri.Port)
	}
	t := trunk{host: strings.Trim(uri.Host, "[]"), port: uri.Port, transport: "udp"}
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
		return trunk{}, fmt.Errorf("the trunk's transport is %q; udp, tcp and tls are possible", t.transport)
	}
}

// isHost is for what goes into messages: a name or an address, and nothing that ends a line.
func isHost(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '.' && r != '-' && r != '_' && r != ':' && r != '[' && r != ']' &&
			(r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// uri is the trunk with a user before it; none for an empty one.
func (t trunk) uri(user string) sip.Uri {
	u := sip.Uri{Scheme: "sip", User: user, Host: t.host, Port: t.port}
	if t.transport != "udp" {
		u.UriParams.Add("transport", t.transport)
	}
	return u
}

// servers are the trunk's addresses in the order of RFC 3263 §4: SRV unless a port is given, else A and AAAA.
func (c *Carrier) servers(ctx context.Context) ([]server, error) {
	addresses, err := c.trunk.resolve(ctx, net.DefaultResolver)
	if err != nil {
		return nil, err
	}
	var out []server
	for _, a := range addresses {
		local, reachable := c.facing(a)
		if reachable == nil {
			out = append(out, server{remote: a, local: local})
			c.guard.know(a.Addr())
			continue
		}
		err = reachable
	}
	if len(out) == 0 {
		return nil, err
	}
	return out, nil
}

// connect finds the port that a server sees us at: the one that we listen on, but over TLS, where nobody can connect to
// us, that of the connection that we make.
func (c *Carrier) connect(ctx context.Context, by server) (server, error) {
	by.port = c.port()
	if c.trunk.transport == "udp" {
		return by, nil
	}
	req := sip.NewRequest(sip.OPTIONS, c.trunk.uri(""))
	req.AppendHeader(c.via(server{local: by.local}))
	c.sendTo(req, by)
	connection, err := c.agent.TransportLayer().ClientRequestConnection(ctx, req)
	if err != nil {
		return by, err
	}
	defer func() { _, _ = connection.TryClose() }()
	if c.trunk.transport == "tls" {
		by.port = int(addrPort(connection.LocalAddr()).Port())
	}
	return by, nil
}

// facing is the address that the other side sees us at.
func (c *Carrier) facing(remote netip.AddrPort) (netip.Addr, error) {
	if remote.Addr().Is4() != addrPort(c.udp.LocalAddr()).Addr().Is4() {
		return netip.Addr{}, fmt.Errorf("%s can't be reached from %s", remote.Addr(), c.udp.LocalAddr())
	}
	if c.options.PublicIP.IsValid() {
		return c.options.PublicIP, nil
	}
	if own := c.options.Listen.Addr(); own.IsValid() && !own.IsUnspecified() {
		return own.Unmap(), nil
	}
	probe, err := net.Dial("udp", remote.String()) // sends nothing: the kernel picks the way out
	if err != nil {
		return netip.Addr{}, err
	}
	defer func() { _ = probe.Close() }()
	return addrPort(probe.LocalAddr()).Addr(), nil
}

func (t trunk) resolve(ctx context.Context, r *net.Resolver) ([]netip.AddrPort, error) {
	if a, err := netip.ParseAddr(t.host); err == nil {
		return []netip.AddrPort{netip.AddrPortFrom(a.Unmap(), t.portOr(t.port))}, nil
	}
	if t.port == 0 {
		if found := t.services(ctx, r); len(found) > 0 {
			return found, nil
		}
	}
	return t.hosts(ctx, r, t.host, t.port)
}

// services are the addresses of the SRV records, by priority and weight.
func (t trunk) services(ctx context.Context, r *net.Resolver) []netip.AddrPort {
	service, proto := "sip", t.transport
	if t.transport == "tls" {
		service, proto = "sips", "tcp"
	}
	_, records, err := r.LookupSRV(ctx, service, proto, t.host)
	if err != nil {
		return nil
	}
	var out []netip.AddrPort
	for _, record := range records {
		if found, err := t.hosts(ctx, r, strings.TrimSuffix(record.Target, "."), int(record.Port)); err == nil {
			out = append(out, found...)
		}
	}
	return out
}

func (t trunk) hosts(ctx context.Context, r *net.Resolver, host string, port int) ([]netip.AddrPort, error) {
	found, err := r.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	out := make([]netip.AddrPort, len(found))
	for i, a := range found {
		out[i] = netip.AddrPortFrom(a.Unmap(), t.portOr(port))
	}
	return out, nil
}

func (t trunk) portOr(port int) uint16 {
	switch {
	case port != 0:
		return uint16(port)
	case t.transport == "tls":
		return 5061
	default:
		return 5060
	}
}

// String is the trunk as it was given, with what was left out.
func (t trunk) String() string {
	return net.JoinHostPort(t.host, strconv.Itoa(int(t.portOr(t.port)))) + " over " + strings.ToUpper(t.transport)
}

func addrPort(a net.Addr) netip.AddrPort {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}
