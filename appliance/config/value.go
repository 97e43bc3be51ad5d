package config

import (
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
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

// DailyTime is a time of day for a daily task, "02:30", or "none". It is in the machine's local time.
type DailyTime string

// never is the DailyTime of a disabled task.
const never = "none"

// clock is the layout of a DailyTime.
const clock = "15:04"

// UnmarshalText parses hours and minutes, or none.
func (d *DailyTime) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	if s == never {
		*d = never
		return nil
	}
	at, err := time.Parse(clock, s)
	if err != nil {
		return fmt.Errorf("%q is not a time of day (such as 02:30) or none", text)
	}
	*d = DailyTime(at.Format(clock))
	return nil
}

// Next returns the first such time after t, in t's time zone; false for none. On a day on which daylight saving skips
// it, it is the corresponding moment.
func (d DailyTime) Next(t time.Time) (time.Time, bool) {
	at, err := time.Parse(clock, string(d))
	if err != nil {
		return time.Time{}, false
	}
	for day := range 3 {
		next := time.Date(t.Year(), t.Month(), t.Day()+day, at.Hour(), at.Minute(), 0, 0, t.Location())
		if next.After(t) {
			return next, true
		}
	}
	return time.Time{}, false
}

// Duration is a length of time; it is parsed and printed like "90s", "1h30m" or "7d".
type Duration time.Duration

// day is the unit "d".
const day = 24 * time.Hour

// UnmarshalText parses whole days, if any, followed by a duration as in time.ParseDuration.
func (d *Duration) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	bad := fmt.Errorf("%q is not a duration (such as 90s, 1h30m or 7d)", text)
	var total time.Duration
	if days, rest, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 32)
		if err != nil || n > uint64(math.MaxInt64/day) {
			return bad
		}
		total, s = time.Duration(n)*day, rest
	}
	if s != "" || total == 0 {
		rest, err := time.ParseDuration(s)
		if err != nil || rest < 0 || total > math.MaxInt64-rest {
			return bad
		}
		total += rest
	}
	*d = Duration(total)
	return nil
}

// String returns the shortest form that parses to the same value.
func (d Duration) String() string {
	var b strings.Builder
	if days := time.Duration(d) / day; days > 0 {
		fmt.Fprintf(&b, "%dd", days)
		d -= Duration(days * day)
	}
	if d == 0 && b.Len() > 0 {
		return b.String()
	}
	s := time.Duration(d).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return b.String() + s
}

// MarshalText returns String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// ByteSize is a number of bytes; it is parsed and printed like "100MiB", "2 GB" or "4096".
type ByteSize int64

// sizeUnit is a unit of sizes.
type sizeUnit struct {
	name  string
	bytes int64
}

// sizeUnits returns the units from large to small, so that the first that divides a size prints it; "B", which ends
// every name, is last.
func sizeUnits() []sizeUnit {
	return []sizeUnit{
		{"TiB", 1 << 40},
		{"TB", 1e12},
		{"GiB", 1 << 30},
		{"GB", 1e9},
		{"MiB", 1 << 20},
		{"MB", 1e6},
		{"KiB", 1 << 10},
		{"kB", 1e3},
		{"B", 1},
	}
}

// UnmarshalText parses a whole number and a unit in any case, bytes without one.
func (s *ByteSize) UnmarshalText(text []byte) error {
	number, bytes := strings.TrimSpace(string(text)), int64(1)
	for _, u := range sizeUnits() {
		if n := len(number) - len(u.name); n >= 0 && strings.EqualFold(number[n:], u.name) {
			number, bytes = strings.TrimSpace(number[:n]), u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(number, 10, 63)
	if err != nil || int64(n) > math.MaxInt64/bytes {
		return fmt.Errorf("%q is not a size (such as 100MiB, 2GB or 4096)", text)
	}
	*s = ByteSize(int64(n) * bytes)
	return nil
}

// String returns the size in the largest unit that divides it.
func (s ByteSize) String() string {
	for _, u := range sizeUnits() {
		if s != 0 && int64(s)%u.bytes == 0 && u.bytes > 1 {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// MarshalText returns String.
func (s ByteSize) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// OriginList is a list of web origins (RFC 6454) for CORS, or "*" for all; separated by commas.
type OriginList string

// UnmarshalText parses https://app.example.com,http://localhost:3000 or *.
func (o *OriginList) UnmarshalText(text []byte) error {
	var all []string
	for _, one := range splitList(string(text)) {
		origin, ok := serializeOrigin(one)
		if !ok && one != "*" {
			return fmt.Errorf("%q is not a web origin (such as https://app.example.com, without a path, or *)", one)
		}
		if one == "*" {
			origin = one
		}
		all = append(all, origin)
	}
	*o = OriginList(strings.Join(all, ","))
	return nil
}

// AllowsOrigin reports whether an origin is in the list.
func (o OriginList) AllowsOrigin(origin string) bool {
	all := splitList(string(o))
	if slices.Contains(all, "*") {
		return true
	}
	serialized, ok := serializeOrigin(origin)
	return ok && slices.Contains(all, serialized)
}

// serializeOrigin normalizes an origin as browsers do: lower case, without the scheme's default port.
func serializeOrigin(text string) (string, bool) {
	u, err := url.Parse(strings.ToLower(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return "", false
	}
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	bare := url.URL{Scheme: u.Scheme, Host: u.Host}
	if bare.String() != strings.ToLower(text) || strings.HasSuffix(u.Host, ":") || strings.Contains(u.Host, "*") {
		return "", false
	}
	return strings.TrimSuffix(bare.String(), ":"+usual), true
}
