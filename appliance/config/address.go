package config

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// ListenAddress is a listen address: host and port. The host is an IP address, a name, or empty for all interfaces.
type ListenAddress string

// UnmarshalText parses host:port, with an IPv6 address in brackets.
func (a *ListenAddress) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	host, port, err := net.SplitHostPort(s)
	if err != nil || strings.Contains(host, "/") || strings.ContainsFunc(host, outOfPlace) {
		return fmt.Errorf("%q is not an address (such as 127.0.0.1:8080, [::1]:8080 or :8080)", text)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q has no port from 0 to 65535", text)
	}
	*a = ListenAddress(net.JoinHostPort(host, port))
	return nil
}

// String returns the address in the form of net.Listen.
func (a ListenAddress) String() string { return string(a) }

// Host returns the host; empty for all interfaces.
func (a ListenAddress) Host() string {
	host, _, _ := net.SplitHostPort(string(a))
	return host
}

// AddrPort returns IP address and port; all IPv4 interfaces for a host that is not an IP address.
func (a ListenAddress) AddrPort() netip.AddrPort {
	host, port, _ := net.SplitHostPort(string(a))
	addr, err := netip.ParseAddr(host)
	if err != nil {
		addr = netip.IPv4Unspecified()
	}
	n, _ := strconv.ParseUint(port, 10, 16)
	return netip.AddrPortFrom(addr, uint16(n))
}

// IsLoopback reports whether only this machine can reach the address.
func (a ListenAddress) IsLoopback() bool {
	host, _, err := net.SplitHostPort(string(a))
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
