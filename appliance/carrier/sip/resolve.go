package sip

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/emiago/sipgo/sip"
)

// trunkServer is one address of the trunk, with our address as it sees us.
type trunkServer struct {
	remote netip.AddrPort
	local  netip.Addr
	port   int    // ours; see [Carrier.findLocalPort]
	flow   string // local address of the connection; empty without one
}

// mostServers is the maximum number of the trunk's addresses that are tried.
const mostServers = 3

// resolveServers returns the first reachable addresses of the trunk, in the order in which they are tried.
func (c *Carrier) resolveServers(ctx context.Context) ([]trunkServer, error) {
	addresses, err := c.trunk.resolveAddresses(ctx, c.names)
	if err != nil {
		return nil, err
	}
	var out []trunkServer
	for _, a := range addresses {
		local, reachable := c.localAddressFor(a)
		if reachable == nil {
			out = append(out, trunkServer{remote: a, local: local})
			c.guard.addKnownAddress(a.Addr())
			continue
		}
		err = reachable
	}
	if len(out) == 0 {
		return nil, err
	}
	out = c.reach.orderServers(out)
	return out[:min(len(out), mostServers)], nil
}

// findLocalPort returns the server with our port as it sees it: the listening port, or over TLS, where it cannot
// connect to us, the port of our connection. It is made if there is none, within firstAnswer: some servers accept a
// connection and never answer its TLS handshake.
func (c *Carrier) findLocalPort(ctx context.Context, by trunkServer) (trunkServer, error) {
	by.port = int(addrPort(c.udp.LocalAddr()).Port())
	if c.trunk.transport == "udp" {
		return by, nil
	}
	req := sip.NewRequest(sip.OPTIONS, c.trunk.trunkURI(""))
	req.AppendHeader(c.newViaHeader(trunkServer{local: by.local}))
	c.sendTo(req, by)
	ctx, cancel := context.WithTimeout(ctx, c.firstAnswer)
	defer cancel()
	connection, err := c.agent.TransportLayer().ClientRequestConnection(ctx, req)
	if err != nil {
		return by, err
	}
	defer func() { _, _ = connection.TryClose() }()
	by.flow = connection.LocalAddr().String()
	if c.trunk.transport == "tls" {
		by.port = int(addrPort(connection.LocalAddr()).Port())
	}
	return by, nil
}

// localAddressFor returns our address as the remote side sees it.
func (c *Carrier) localAddressFor(remote netip.AddrPort) (netip.Addr, error) {
	if remote.Addr().Is4() != addrPort(c.udp.LocalAddr()).Addr().Is4() {
		return netip.Addr{}, fmt.Errorf("%s can't be reached from %s", remote.Addr(), c.udp.LocalAddr())
	}
	if c.options.PublicIP.IsValid() {
		return c.options.PublicIP, nil
	}
	if own := c.options.Listen.Addr(); own.IsValid() && !own.IsUnspecified() {
		return own.Unmap(), nil
	}
	probe, err := net.Dial("udp", remote.String()) // sends no packet: the kernel selects the route
	if err != nil {
		return netip.Addr{}, err
	}
	defer func() { _ = probe.Close() }()
	return addrPort(probe.LocalAddr()).Addr(), nil
}

// resolveAddresses resolves the trunk's addresses by RFC 3263 §4: SRV unless a port is given, else A and AAAA.
func (t sipTrunk) resolveAddresses(ctx context.Context, r *net.Resolver) ([]netip.AddrPort, error) {
	if a, err := netip.ParseAddr(t.host); err == nil {
		return []netip.AddrPort{netip.AddrPortFrom(a.Unmap(), t.portOr(t.port))}, nil
	}
	if t.port == 0 {
		if records := t.lookUpSRV(ctx, r); len(records) > 0 {
			return t.resolveSRVTargets(ctx, r, records)
		}
	}
	return t.resolveHost(ctx, r, t.host, t.port)
}

// lookUpSRV returns the SRV records, by priority and weight (RFC 2782). A failing lookup counts as no records: many
// routers' resolvers only support A and AAAA.
func (t sipTrunk) lookUpSRV(ctx context.Context, r *net.Resolver) []*net.SRV {
	service, proto := "sip", t.transport
	if t.transport == "tls" {
		service, proto = "sips", "tcp"
	}
	_, records, err := r.LookupSRV(ctx, service, proto, t.host)
	if err != nil {
		return nil
	}
	return records
}

// resolveSRVTargets returns the addresses of the SRV targets. The name itself is no fallback: a name with SRV records
// may host another service.
func (t sipTrunk) resolveSRVTargets(
	ctx context.Context, r *net.Resolver, records []*net.SRV,
) (out []netip.AddrPort, err error) {
	for _, record := range records {
		host := strings.TrimSuffix(record.Target, ".")
		if host == "" { // RFC 2782: service not available
			return nil, fmt.Errorf("%s offers no SIP over %s, its SRV record says", t.host, strings.ToUpper(t.transport))
		}
		found, failed := t.resolveHost(ctx, r, host, int(record.Port))
		if failed != nil {
			err = failed
			continue
		}
		out = append(out, found...)
	}
	if len(out) > 0 {
		return out, nil
	}
	return nil, err
}

func (t sipTrunk) resolveHost(ctx context.Context, r *net.Resolver, host string, port int) ([]netip.AddrPort, error) {
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

func (t sipTrunk) portOr(port int) uint16 {
	switch {
	case port != 0:
		return uint16(port)
	case t.transport == "tls":
		return 5061
	default:
		return 5060
	}
}
