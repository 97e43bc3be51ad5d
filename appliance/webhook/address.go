package webhook

import "net/netip"

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
