package webhook

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"munadi/store/delivery"
)

const (
	lookupTime = 3 * time.Second  // for looking up a name when a URL is saved
	idleTime   = 10 * time.Second // keep-alive of an idle connection
	idleConns  = 128              // over all receivers
	maxHeader  = 64 << 10         // bytes of an answer's header
)

// OutboundNetwork is the SSRF guard and transport of outgoing requests: which addresses may be called, and how. The
// zero value allows every receiver, private networks and this machine included, as on a company's own servers.
//
// Link-local addresses, cloud metadata services, multicast, broadcast and unspecified addresses are never called, in
// any IPv6 form. The address is checked when the connection is made, after name resolution, which prevents DNS
// rebinding.
type OutboundNetwork struct {
	PublicOnly bool // private networks and this machine are refused too
	// Strict is evaluated for every connection and has the effect of PublicOnly; nil: PublicOnly alone decides.
	Strict func() bool
	// Proxy is the proxy for public addresses; nil: none. The environment's proxy is not used. See
	// [OutboundNetwork.proxyFor].
	Proxy *url.URL
	Roots *x509.CertPool // nil: the system's
}

// AddressRefusal is the error of an address that may not be called; its text is for people.
type AddressRefusal struct {
	Host string // as in the URL
	Addr netip.Addr
	What string // classification of the address
}

// Error returns the address and the reason.
func (r *AddressRefusal) Error() string {
	if r.Host == "" || r.Host == r.Addr.String() {
		return fmt.Sprintf("%s may not be called: it is %s", r.Addr, r.What)
	}
	return fmt.Sprintf("%s may not be called: it leads to %s, %s", clipText(r.Host), r.Addr, r.What)
}

// allowAddress returns nil for an address that may be called.
func (n OutboundNetwork) allowAddress(host string, addr netip.Addr) error {
	r, what := classifyAddress(addr)
	switch {
	case r == never:
		return &AddressRefusal{host, addr, what}
	case r == private && (n.PublicOnly || n.Strict != nil && n.Strict()):
		return &AddressRefusal{host, addr, what + ", and only public ones are allowed here"}
	}
	return nil
}

// CheckURL checks whether a receiver may be saved: a [*AddressRefusal] when its host is, or resolves to, an address
// that may not be called. A name that cannot be resolved now is accepted, because every connection is checked again.
func (n OutboundNetwork) CheckURL(ctx context.Context, text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("is not a valid URL: %w", err)
	}
	return n.checkHost(ctx, u.Hostname())
}

func (n OutboundNetwork) checkHost(ctx context.Context, host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		return n.allowAddress(host, addr)
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		ascii = host // as net/http sends it
	}
	if addr, known := metadataName(ascii); known {
		return &AddressRefusal{host, addr, "cloud metadata"}
	}
	for _, addr := range lookUpAddresses(ctx, ascii) {
		if err := n.allowAddress(host, addr); err != nil {
			return err
		}
	}
	return nil
}

// lookUpAddresses resolves a name; none when it cannot be resolved, since it may be resolvable later, or by a proxy.
func lookUpAddresses(ctx context.Context, host string) []netip.Addr {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	return addrs
}

// metadataName recognizes host names of cloud metadata services, which may not resolve outside of the cloud.
func metadataName(host string) (netip.Addr, bool) {
	switch strings.ToLower(strings.TrimSuffix(host, ".")) {
	case "metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal",
		"metadata.tencentyun.com", "metadata.platformequinix.com":
		return netip.AddrFrom4([4]byte{169, 254, 169, 254}), true
	}
	return netip.Addr{}, false
}

// ProbeReceiver returns why a receiver is not reachable, in plain words; nil when it is. It sends a HEAD request, which
// triggers no notification, and accepts any answer.
func (n OutboundNetwork) ProbeReceiver(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeout(ctx, delivery.Timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, text, nil)
	if err != nil {
		return fmt.Errorf("is not a valid URL: %w", err)
	}
	t := n.NewTransport()
	defer t.CloseIdleConnections()
	answer, err := t.RoundTrip(r)
	if err != nil {
		_, err = explainError(err, false)
		return err
	}
	return answer.Body.Close()
}
