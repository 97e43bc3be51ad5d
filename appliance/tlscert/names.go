package tlscert

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// HostNames holds the names and addresses by which others reach this machine.
type HostNames struct {
	Hosts     []string
	Addresses []netip.Addr
}

// MachineHostNames returns the names and addresses of this machine, after known ones from the settings.
func MachineHostNames(known ...string) HostNames {
	var r HostNames
	for _, host := range known {
		r.addHost(host)
	}
	if name, err := os.Hostname(); err == nil {
		r.addHost(name)
		if !strings.Contains(name, ".") {
			r.addHost(name + ".local") // mDNS name
		}
	}
	r.addHost("localhost")
	for _, address := range ownAddresses() {
		r.addAddress(address)
	}
	return r
}

// addHost adds a host: an address, or a valid name.
func (r *HostNames) addHost(host string) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if address, err := netip.ParseAddr(host); err == nil {
		r.addAddress(address)
		return
	}
	if isPossibleHostName(host) && !slices.Contains(r.Hosts, host) {
		r.Hosts = append(r.Hosts, host)
	}
}

// addAddress adds an address, unless it is unspecified or link-local, which is not used in URLs.
func (r *HostNames) addAddress(address netip.Addr) {
	address = address.Unmap().WithZone("")
	if address.IsUnspecified() || address.IsLinkLocalUnicast() || slices.Contains(r.Addresses, address) {
		return
	}
	r.Addresses = append(r.Addresses, address)
}

// isPossibleHostName reports whether a text is valid as a host name in a certificate.
func isPossibleHostName(name string) bool {
	const signs = "abcdefghijklmnopqrstuvwxyz0123456789-."
	return strings.Trim(name, signs) == "" && len(name) <= 253 && !strings.Contains(name, "..") &&
		name != "" && name[0] != '.' && name[0] != '-'
}

// ownAddresses returns the addresses of this machine's interfaces, loopback last.
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
	slices.SortStableFunc(found, func(a, b netip.Addr) int { return rankAddress(a) - rankAddress(b) })
	return found
}

// rankAddress returns the sort order for people: IPv4, then IPv6, then loopback.
func rankAddress(a netip.Addr) int {
	switch {
	case a.IsLoopback():
		return 2
	case a.Is6():
		return 1
	}
	return 0
}
