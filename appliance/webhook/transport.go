package webhook

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"

	"munadi/store/delivery"
)

// NewTransport is HTTP over this network, HTTP/1.1 only: a connection that died under many streams would take them all
// with it.
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

// dialContext makes a connection. Its very address is checked, after the name was looked up; that of the proxy, which the
// operator chose, is not.
func (n OutboundNetwork) dialContext(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: delivery.Timeout, KeepAlive: idleTime}
	if n.Proxy == nil || address != hostPort(n.Proxy) {
		dialer.ControlContext = n.controlConnection
	}
	return dialer.DialContext(ctx, network, address)
}

// controlConnection is asked for every connection, before it is made.
func (n OutboundNetwork) controlConnection(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("connect to %q: %w", address, err)
	}
	return n.allowAddress("", to.Addr())
}

// proxyFor is the proxy for a request; nil for none. What leads into private networks or to this machine goes straight
// there, and is checked there. The rest goes to the proxy, which looks names up itself: they are checked before each
// request, which a name that changes in between can outrun.
func (n OutboundNetwork) proxyFor(r *http.Request) (*url.URL, error) {
	host := r.URL.Hostname()
	if err := n.checkHost(r.Context(), host); err != nil {
		return nil, err
	}
	addrs := lookUpAddresses(r.Context(), host) // an address is its own
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

// hostPort is where a proxy listens.
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
