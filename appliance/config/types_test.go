package config_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"munadi/appliance/config"
)

func TestDuration(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		d     time.Duration
		print string
	}{
		"4h": {4 * time.Hour, "4h"}, "90s": {90 * time.Second, "1m30s"}, "7d": {7 * 24 * time.Hour, "7d"},
		"1d12h": {36 * time.Hour, "1d12h"}, "24h": {24 * time.Hour, "1d"}, " 250ms ": {250 * time.Millisecond, "250ms"},
		"0s": {0, "0s"}, "1h0m5s": {time.Hour + 5*time.Second, "1h0m5s"}, "10m": {10 * time.Minute, "10m"},
		"100h": {100 * time.Hour, "4d4h"},
	} {
		var d config.Duration
		if err := d.UnmarshalText([]byte(text)); err != nil || time.Duration(d) != want.d || d.String() != want.print {
			t.Errorf("%q reads as %v, %v; want %v", text, d, err, want)
		}
	}
	for _, text := range []string{"", "4", "h", "-1h", "1d-1h", "d", "999999999d", "106751d24h", "1.5d", "4 hours"} {
		var d config.Duration
		if err := d.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q reads as %v", text, d)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		n     config.ByteSize
		print string
	}{
		"100MiB": {100 << 20, "100MiB"}, "2 GB": {2e9, "2GB"}, "4096": {4096, "4KiB"}, "1kb": {1000, "1kB"},
		"0": {0, "0"}, "7B": {7, "7"}, "1024 mib": {1 << 30, "1GiB"}, "1TiB": {1 << 40, "1TiB"}, "1001": {1001, "1001"},
		"9223372036854775807": {math.MaxInt64, "9223372036854775807"},
	} {
		var n config.ByteSize
		if err := n.UnmarshalText([]byte(text)); err != nil || n != want.n || n.String() != want.print {
			t.Errorf("%q reads as %v, %v; want %v", text, n, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1.5GiB", "1 PiB", "9223372036854775808", "8388608TiB", "1e3", "1 0"} {
		var n config.ByteSize
		if err := n.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q reads as %v", text, n)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for text, loopback := range map[string]bool{
		"127.0.0.1:8080": true, "[::1]:0": true, "localhost:80": true, "127.8.9.1:1": true,
		":8080": false, "0.0.0.0:80": false, "[::]:65535": false, "example.com:443": false,
	} {
		var a config.ListenAddress
		if err := a.UnmarshalText([]byte(text)); err != nil || a.String() != text || a.IsLoopback() != loopback {
			t.Errorf("%q reads as %q, loopback %v, %v", text, a, a.IsLoopback(), err)
		}
	}
	for _, text := range []string{"", "8080", "host", "host:", "host:http", "host:65536", "::1:80", "a b:1"} {
		var a config.ListenAddress
		if err := a.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q reads as %q", text, a)
		}
	}
}

// FuzzTypes checks that each valid value is formatted so that it parses to the same value.
func FuzzTypes(f *testing.F) {
	for _, seed := range []string{"4h", "7d", "1d12h30m", "106751d", "100MiB", "2 GB", "127.0.0.1:8080", "[::1]:0", ":1", "20000-20999", "::ffff:192.0.2.7"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var d, d2 config.Duration
		if d.UnmarshalText([]byte(text)) == nil && (d2.UnmarshalText([]byte(d.String())) != nil || d2 != d) {
			t.Errorf("duration %q prints as %s, which reads as %v", text, d, d2)
		}
		var n, n2 config.ByteSize
		if n.UnmarshalText([]byte(text)) == nil && (n2.UnmarshalText([]byte(n.String())) != nil || n2 != n) {
			t.Errorf("size %q prints as %s, which reads as %v", text, n, n2)
		}
		var a, a2 config.ListenAddress
		if a.UnmarshalText([]byte(text)) == nil && (a2.UnmarshalText([]byte(a)) != nil || a2 != a) {
			t.Errorf("address %q prints as %s, which reads as %v", text, a, a2)
		}
		var p, p2 config.PortRange
		if p.UnmarshalText([]byte(text)) == nil && (p2.UnmarshalText([]byte(p.String())) != nil || p2 != p || p.PairCount() < 0) {
			t.Errorf("ports %q print as %s, which read as %v", text, p, p2)
		}
		var ip, ip2 config.IPAddress
		if ip.UnmarshalText([]byte(text)) == nil && (ip2.UnmarshalText([]byte(ip)) != nil || ip2 != ip) {
			t.Errorf("address %q prints as %s, which reads as %v", text, ip, ip2)
		}
		if d < 0 || n < 0 || strings.ContainsAny(string(a), " \n") {
			t.Errorf("%q reads as %v, %v, %v", text, d, n, a)
		}
	})
}
