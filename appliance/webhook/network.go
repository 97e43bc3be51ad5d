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
	lookupTime = 3 * time.Second  // for a name, when an address is set
	idleTime   = 10 * time.Second // a connection is kept for the next notification
	idleConns  = 128              // over all receivers
	maxHeader  = 64 << 10         // bytes of an answer's head
)

// OutboundNetwork is what notifications are sent over: which addresses may be called, and how. The zero value reaches every
// receiver, in private networks and on this machine too, as one does on a company's own servers.
//
// Link-local addresses, the clouds' metadata services, multicast, broadcast and unspecified addresses are never
// called, in whatever IPv6 form they come. The check is made for the very address of a connection, after the name was
// looked up, so that a name cannot change its mind in between.
type OutboundNetwork struct {
	PublicOnly bool // private networks and this machine are refused too
	// Strict says the same of every connection anew; nil: only PublicOnly does.
	Strict func() bool
	// Proxy makes the connections to public addresses, nil: none does; the environment's is not used. See [OutboundNetwork.proxyFor].
	Proxy *url.URL
	Roots *x509.CertPool // nil: the system's
}

// AddressRefusal is an address that may not be called; its text is for people.
type AddressRefusal struct {
	Host string // as it was given
	Addr netip.Addr
	What string // what the address is
}

// Error says which address, and why.
func (r *AddressRefusal) Error() string {
	if r.Host == "" || r.Host == r.Addr.String() {
		return fmt.Sprintf("%s may not be called: it is %s", r.Addr, r.What)
	}
	return fmt.Sprintf("%s may not be called: it leads to %s, %s", clipText(r.Host), r.Addr, r.What)
}

// allowAddress is nil for an address that may be called.
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

// CheckURL says whether a receiver may be set: a [*AddressRefusal] when its host is, or has, an address that may not be
// called. A name that cannot be looked up now is no fault: the check is made again with every connection.
func (n OutboundNetwork) CheckURL(ctx context.Context, text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("is no valid URL: %w", err)
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

// lookUpAddresses are the addresses of a name; none when it cannot be looked up: it may have a meaning later, or to a proxy.
func lookUpAddresses(ctx context.Context, host string) []netip.Addr {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	return addrs
}

// metadataName knows the names that mean cloud metadata inside a cloud, and may mean nothing here.
func metadataName(host string) (netip.Addr, bool) {
	switch strings.ToLower(strings.TrimSuffix(host, ".")) {
	case "metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal",
		"metadata.tencentyun.com", "metadata.platformequinix.com":
		return netip.AddrFrom4([4]byte{169, 254, 169, 254}), true
	}
	return netip.Addr{}, false
}

// ProbeReceiver says why a receiver cannot be reached, in plain words; nil when it can. It asks for its head (HEAD), which
// notifies nobody of anything, and takes any answer for a good one.
func (n OutboundNetwork) ProbeReceiver(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeout(ctx, delivery.Timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, text, nil)
	if err != nil {
		return fmt.Errorf("is no valid URL: %w", err)
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
