package certificate

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// Reach is how others reach this machine.
type Reach struct {
	Hosts     []string
	Addresses []netip.Addr
}

// Reaches are the names and addresses of this machine, after those that are known of: hosts that the settings name.
func Reaches(known ...string) Reach {
	var r Reach
	for _, host := range known {
		r.add(host)
	}
	if name, err := os.Hostname(); err == nil {
		r.add(name)
		if !strings.Contains(name, ".") {
			r.add(name + ".local") // as mDNS has it
		}
	}
	r.add("localhost")
	for _, address := range ownAddresses() {
		r.addAddress(address)
	}
	return r
}

// add takes a host: an address, or a name if it can be one.
func (r *Reach) add(host string) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if address, err := netip.ParseAddr(host); err == nil {
		r.addAddress(address)
		return
	}
	if possible(host) && !slices.Contains(r.Hosts, host) {
		r.Hosts = append(r.Hosts, host)
	}
}

// addAddress leaves out what nobody writes into an address bar: all interfaces, and those that need a zone.
func (r *Reach) addAddress(address netip.Addr) {
	address = address.Unmap().WithZone("")
	if address.IsUnspecified() || address.IsLinkLocalUnicast() || slices.Contains(r.Addresses, address) {
		return
	}
	r.Addresses = append(r.Addresses, address)
}

// possible says whether a text can be a host's name in a certificate.
func possible(name string) bool {
	const signs = "abcdefghijklmnopqrstuvwxyz0123456789-."
	return strings.Trim(name, signs) == "" && len(name) <= 253 && !strings.Contains(name, "..") &&
		name != "" && name[0] != '.' && name[0] != '-'
}

// ownAddresses are those of this machine's interfaces, loopback last.
func ownAddresses() []netip.Addr {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	}
	var found []netip.Addr
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			found = append(found, p.Addr().Unmap())
		}
	}
	slices.SortStableFunc(found, func(a, b netip.Addr) int { return rank(a) - rank(b) })
	return found
}

// rank puts first what a person would write: IPv4, then IPv6, then loopback.
func rank(a netip.Addr) int {
	switch {
	case a.IsLoopback():
		return 2
	case a.Is6():
		return 1
	}
	return 0
}
