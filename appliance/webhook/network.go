package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
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

// NewTransport returns an HTTP/1.1 transport over this network. HTTP/2 is off: one broken connection would fail all its
// streams.
func (n OutboundNetwork) NewTransport() *http.Transport {
	t := &http.Transport{
		DialContext: n.dialContext, TLSHandshakeTimeout: delivery.Timeout,
		TLSClientConfig: &tls.Config{RootCAs: n.Roots, MinVersion: tls.VersionTLS12},
		Protocols:       new(http.Protocols),
		MaxIdleConns:    idleConns, MaxIdleConnsPerHost: idleConns / 4, IdleConnTimeout: idleTime,
		MaxResponseHeaderBytes: maxHeader, DisableCompression: true,
	}
	t.Protocols.SetHTTP1(true)
	if n.Proxy != nil {
		t.Proxy = n.proxyFor
	}
	return t
}

// dialContext makes a connection. The resolved address is checked, except that of the proxy, which the operator
// configured.
func (n OutboundNetwork) dialContext(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: delivery.Timeout, KeepAlive: idleTime}
	if n.Proxy == nil || address != hostPort(n.Proxy) {
		dialer.ControlContext = n.controlConnection
	}
	return dialer.DialContext(ctx, network, address)
}

// controlConnection checks the resolved address of every connection before it is made.
func (n OutboundNetwork) controlConnection(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("connect to %q: %w", address, err)
	}
	return n.allowAddress("", to.Addr())
}

// proxyFor returns the proxy for a request; nil for none. Requests to private networks or this machine go direct and
// are checked there. Others go to the proxy, which resolves names itself: they are checked before each request, which
// leaves a small window for DNS rebinding.
func (n OutboundNetwork) proxyFor(r *http.Request) (*url.URL, error) {
	host := r.URL.Hostname()
	if err := n.checkHost(r.Context(), host); err != nil {
		return nil, err
	}
	addrs := lookUpAddresses(r.Context(), host) // a literal address is returned as it is
	for _, addr := range addrs {
		if reach, _ := classifyAddress(addr); reach == public {
			return n.Proxy, nil
		}
	}
	if len(addrs) > 0 {
		return nil, nil
	}
	return n.Proxy, nil
}

// hostPort returns the host:port of a proxy.
func hostPort(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// addressReach classifies an address by the network it belongs to.
type addressReach int

const (
	public  addressReach = iota
	private              // this machine or its networks, and addresses not routed on the Internet
	never                // no receiver, or forbidden (SSRF guard)
)

// addressRange is a range of addresses and its classification.
type addressRange struct {
	prefix netip.Prefix
	reach  addressReach
	what   string
}

// areas are the special ranges (IANA special-purpose registries, cloud metadata services), narrow ones before wide
// ones.
var areas = func() []addressRange {
	const metadata, here, local = "cloud metadata", "a private address", "a link-local address"
	table := []struct {
		prefix string
		reach  addressReach
		what   string
	}{
		{"100.100.100.200/32", never, metadata}, // Alibaba
		{"168.63.129.16/32", never, metadata},   // Azure
		{"192.0.0.192/32", never, metadata},     // Oracle, older
		{"fd00:ec2::/32", never, metadata},      // Amazon
		{"fd20:ce::254/128", never, metadata},   // Google
		{"fd00:42::42/128", never, metadata},    // Scaleway
		{"fd00:c1::a9fe:a9fe/128", never, metadata},

		{"169.254.0.0/16", never, local + " or cloud metadata"},
		{"fe80::/10", never, local},
		{"0.0.0.0/8", never, "an unspecified address"},
		{"::/128", never, "an unspecified address"},
		{"224.0.0.0/4", never, "a multicast address"},
		{"ff00::/8", never, "a multicast address"},
		{"240.0.0.0/4", never, "a reserved or broadcast address"},

		{"127.0.0.0/8", private, "a loopback address"},
		{"::1/128", private, "a loopback address"},
		{"10.0.0.0/8", private, here},
		{"172.16.0.0/12", private, here},
		{"192.168.0.0/16", private, here},
		{"100.64.0.0/10", private, here},
		{"192.0.0.0/24", private, here},
		{"198.18.0.0/15", private, "an address for benchmarks"},
		{"192.0.2.0/24", private, "an address for documentation"},
		{"198.51.100.0/24", private, "an address for documentation"},
		{"203.0.113.0/24", private, "an address for documentation"},
		{"2001:db8::/32", private, "an address for documentation"},
		{"3fff::/20", private, "an address for documentation"},
		{"0.0.0.0/0", public, ""},
		{"2000::/3", public, ""},
		{"64:ff9b::/96", public, ""}, // the embedded IPv4 address counts
		{"::/0", private, here},
	}
	list := make([]addressRange, len(table))
	for i, row := range table {
		list[i] = addressRange{netip.MustParsePrefix(row.prefix), row.reach, row.what}
	}
	return list
}()

// classifyAddress classifies an address, by itself or by an IPv4 address embedded in it, whichever is more restricted.
func classifyAddress(addr netip.Addr) (addressReach, string) {
	addr = addr.Unmap().WithZone("")
	worst, what := findRange(addr)
	for _, inner := range embeddedIPv4(addr) {
		if r, w := findRange(inner); r > worst {
			worst, what = r, w
		}
	}
	return worst, what
}

func findRange(addr netip.Addr) (addressReach, string) {
	for _, a := range areas {
		if a.prefix.Contains(addr) {
			return a.reach, a.what
		}
	}
	return never, "no address" // the zero Addr
}

// embeddedIPv4 returns the IPv4 addresses that an IPv6 address may be translated to.
func embeddedIPv4(addr netip.Addr) []netip.Addr {
	if !addr.Is6() {
		return nil
	}
	b := addr.As16()
	at := func(i int) netip.Addr { return netip.AddrFrom4([4]byte(b[i : i+4])) }
	under := func(prefix string) bool { return netip.MustParsePrefix(prefix).Contains(addr) }
	switch {
	case under("::/127"): // unspecified and loopback
		return nil
	case under("::/96"), under("::ffff:0:0:0/96"), under("64:ff9b::/96"): // compatible, RFC 2765, NAT64 (RFC 6052)
		return []netip.Addr{at(12)}
	case under("64:ff9b:1::/48"): // NAT64 of an operator (RFC 8215), whose prefix may be longer than it looks
		split := netip.AddrFrom4([4]byte{b[6], b[7], b[9], b[10]})
		shifted := netip.AddrFrom4([4]byte{b[7], b[9], b[10], b[11]})
		return validAddresses(split, shifted, at(9), at(12))
	case under("2002::/16"): // 6to4 (RFC 3056)
		return []netip.Addr{at(2)}
	case under("2001::/32"): // Teredo (RFC 4380): the server, and the client in disguise
		return []netip.Addr{at(4), netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]})}
	case [4]byte(b[8:12]) == [4]byte{0, 0, 0x5e, 0xfe}, [4]byte(b[8:12]) == [4]byte{2, 0, 0x5e, 0xfe}: // ISATAP
		return []netip.Addr{at(12)}
	}
	return nil
}

// validAddresses removes addresses in 0.0.0.0/8.
func validAddresses(candidates ...netip.Addr) []netip.Addr {
	var list []netip.Addr
	for _, c := range candidates {
		if c.As4()[0] != 0 {
			list = append(list, c)
		}
	}
	return list
}
