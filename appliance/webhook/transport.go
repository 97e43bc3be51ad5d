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
