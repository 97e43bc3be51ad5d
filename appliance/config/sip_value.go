package config

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// lowestMediaPort is the lowest unprivileged port.
const lowestMediaPort = 1024

// IPAddress is one IP address, or empty.
type IPAddress string

// UnmarshalText parses 192.0.2.7 or 2001:db8::7.
func (ip *IPAddress) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	if s == "" {
		*ip = ""
		return nil
	}
	addr, err := netip.ParseAddr(s)
	if err != nil || addr.Zone() != "" || addr.IsUnspecified() || addr.IsMulticast() {
		return fmt.Errorf("%q is not an IP address of a machine (such as 192.0.2.7)", text)
	}
	*ip = IPAddress(addr.Unmap().String())
	return nil
}

// Addr returns the address; zero for an empty one.
func (ip IPAddress) Addr() netip.Addr {
	addr, _ := netip.ParseAddr(string(ip))
	return addr
}

// PortRange is an inclusive range of ports.
type PortRange struct{ First, Last uint16 }

// UnmarshalText parses 20000-20999.
func (p *PortRange) UnmarshalText(text []byte) error {
	first, last, found := strings.Cut(string(text), "-")
	a, errA := strconv.ParseUint(strings.TrimSpace(first), 10, 16)
	b, errB := strconv.ParseUint(strings.TrimSpace(last), 10, 16)
	switch {
	case !found || errA != nil || errB != nil || a > b:
		return fmt.Errorf("%q is not a range of ports (such as 20000-20999)", text)
	case a < lowestMediaPort:
		return fmt.Errorf("%q begins below %d", text, lowestMediaPort)
	}
	*p = PortRange{uint16(a), uint16(b)}
	return nil
}

// String returns the range in the same notation.
func (p PortRange) String() string { return fmt.Sprintf("%d-%d", p.First, p.Last) }

// PairCount returns how many calls the range has ports for: each takes an even port (RTP) and the next (RTCP).
func (p PortRange) PairCount() int { return (int(p.Last)+1)/2 - (int(p.First)+1)/2 }

// CodecList is a list of audio codecs, the preferred one first, separated by commas.
type CodecList string

// allCodecs are the codecs of a CodecList.
var allCodecs = []string{"pcma", "pcmu", "g722", "opus"}

// UnmarshalText parses one or several of pcma, pcmu, g722 and opus.
func (c *CodecList) UnmarshalText(text []byte) error {
	all := splitList(strings.ToLower(string(text)))
	if len(all) == 0 {
		return fmt.Errorf("names no codec: use one or more of %s", strings.Join(allCodecs, ", "))
	}
	for i, one := range all {
		if !slices.Contains(allCodecs, one) {
			return fmt.Errorf("%q is not one of %s", one, strings.Join(allCodecs, ", "))
		}
		if slices.Contains(all[:i], one) {
			return fmt.Errorf("%q is listed twice: list each codec once", one)
		}
	}
	*c = CodecList(strings.Join(all, ","))
	return nil
}

// Names returns the codecs.
func (c CodecList) Names() []string { return splitList(string(c)) }

// PrefixList is a list of beginnings of international numbers, separated by commas; empty for all numbers.
type PrefixList string

// prefixForm matches the beginning of a number in E.164 form.
var prefixForm = regexp.MustCompile(`^\+[1-9][0-9]{0,14}$`)

// UnmarshalText parses +966, +971.
func (p *PrefixList) UnmarshalText(text []byte) error {
	all := splitList(string(text))
	for _, one := range all {
		if !prefixForm.MatchString(one) {
			return fmt.Errorf("%q is not the beginning of an international number (such as +966)", one)
		}
	}
	*p = PrefixList(strings.Join(all, ","))
	return nil
}

// Prefixes returns them.
func (p PrefixList) Prefixes() []string { return splitList(string(p)) }
