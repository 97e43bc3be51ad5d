package realip_test

import (
	"net"
	"net/http"
	"net/netip"
	"testing"
)

// FuzzForwarded checks that headers do not change the address of an untrusted client, and that behind a proxy the
// client is a valid address.
func FuzzForwarded(f *testing.F) {
	f.Add("203.0.113.7", "https", "")
	f.Add("203.0.113.7, 10.0.0.1, , [::1]", "https, http", "for=203.0.113.7")
	f.Add("::ffff:10.0.0.1%eth0, unknown", "javascript", "\x00")
	f.Fuzz(func(t *testing.T, address, scheme, rest string) {
		header := http.Header{
			"X-Forwarded-For": {rest, address}, "X-Forwarded-Proto": {scheme}, "X-Real-Ip": {rest},
			"Forwarded": {rest}, "X-Forwarded-Host": {rest}, "X-Forwarded-Ssl": {rest}, "X-Url-Scheme": {rest},
		}
		if got := lookBehind("192.0.2.9:1234", header, true, "10.0.0.0/8"); got.remote != "192.0.2.9:1234" ||
			got.scheme != "http" || !got.exposed {
			t.Errorf("a stranger becomes %+v", got)
		}
		got := lookBehind("10.0.0.1:1234", header, true, "10.0.0.0/8")
		host, _, err := net.SplitHostPort(got.remote)
		if _, bad := netip.ParseAddr(host); err != nil || bad != nil {
			t.Errorf("behind a proxy there is %q", got.remote)
		}
		if got.scheme != "http" && got.scheme != "https" {
			t.Errorf("the scheme is %q", got.scheme)
		}
	})
}
