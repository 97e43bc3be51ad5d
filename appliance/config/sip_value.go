package config

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// lowestMediaPort is where ports begin that no right is needed for.
const lowestMediaPort = 1024

// IP is one IP address, or empty.
type IP string

// UnmarshalText reads 192.0.2.7 or 2001:db8::7.
func (ip *IP) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	if s == "" {
		*ip = ""
		return nil
	}
	addr, err := netip.ParseAddr(s)
	if err != nil || addr.Zone() != "" || addr.IsUnspecified() || addr.IsMulticast() {
		return fmt.Errorf("%q is no IP address of a machine (such as 192.0.2.7)", text)
	}
	*ip = IP(addr.Unmap().String())
	return nil
}

// Addr is the address; zero for an empty one.
func (ip IP) Addr() netip.Addr {
	addr, _ := netip.ParseAddr(string(ip))
	return addr
}

// Ports is a range of ports, both ends in it.
type Ports struct{ First, Last uint16 }

// UnmarshalText reads 20000-20999.
func (p *Ports) UnmarshalText(text []byte) error {
	first, last, found := strings.Cut(string(text), "-")
	a, errA := strconv.ParseUint(strings.TrimSpace(first), 10, 16)
	b, errB := strconv.ParseUint(strings.TrimSpace(last), 10, 16)
	switch {
	case !found || errA != nil || errB != nil || a > b:
		return fmt.Errorf("%q is no range of ports (such as 20000-20999)", text)
	case a < lowestMediaPort:
		return fmt.Errorf("%q begins below %d", text, lowestMediaPort)
	}
	*p = Ports{uint16(a), uint16(b)}
	return nil
}

// String is the range as it is written.
func (p Ports) String() string { return fmt.Sprintf("%d-%d", p.First, p.Last) }

// Pairs is how many calls have room in the range: each takes an even port and the next.
func (p Ports) Pairs() int { return (int(p.Last)+1)/2 - (int(p.First)+1)/2 }

// Codecs are sound formats, the preferred one first: pcma and pcmu, separated by commas.
type Codecs string

// UnmarshalText reads one or both of them.
func (c *Codecs) UnmarshalText(text []byte) error {
	all := list(strings.ToLower(string(text)))
	if len(all) == 0 || len(all) > 2 || len(all) == 2 && all[0] == all[1] {
		return fmt.Errorf("%q does not name pcma, pcmu or both", text)
	}
	for _, one := range all {
		if one != "pcma" && one != "pcmu" {
			return fmt.Errorf("%q is none of pcma, pcmu", one)
		}
	}
	*c = Codecs(strings.Join(all, ","))
	return nil
}

// Names are the formats.
func (c Codecs) Names() []string { return list(string(c)) }
