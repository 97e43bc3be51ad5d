package webhook_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"munadi/appliance/webhook"
)

// TestAddresses: what may never be called, what may be called on a company's own network only, what anyone may call.
func TestAddresses(t *testing.T) {
	t.Parallel()
	never := `169.254.169.254 169.254.0.1 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192 0.0.0.0 0.1.2.3
		224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 :: fe80::1 fe80::1%eth0 febf::1 ff02::1 fd00:ec2::254 fd00:ec2::23
		fd20:ce::254 fd00:42::42 ::ffff:169.254.169.254 ::ffff:0:169.254.169.254 ::169.254.169.254 64:ff9b::169.254.169.254
		64:ff9b::a9fe:a9fe 64:ff9b::100.100.100.200 64:ff9b:1::169.254.169.254 64:ff9b:1:a9fe:a9:fe00:: 2002:a9fe:a9fe::1
		2002:e000:1::1 2001:0:a9fe:a9fe::1 2001:0:808:808::5601:5601 2001:db8::5efe:169.254.169.254 fe80::5efe:10.0.0.1
		64:ff9b::0.0.0.0 ::ffff:0.0.0.0`
	private := `127.0.0.1 127.9.9.9 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1 ::1 fc00::1
		fd12:3456::1 fec0::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b::127.0.0.1 2002:c0a8:101::1 2001:db8::1
		192.0.2.1 203.0.113.9 64:ff9b:1:102:3:400:: 2a00::5efe:10.0.0.1 1::1 2001:0:7f00:1::f7f7:f7f7`
	public := `8.8.8.8 172.32.0.1 172.15.255.255 100.63.255.255 100.128.0.1 169.253.255.255 169.255.0.1 223.255.255.255 192.0.1.1
		1.1.1.1 2606:4700::1111 2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2001:4860::8888 168.63.129.15`
	anywhere, outside := webhook.OutboundNetwork{}, webhook.OutboundNetwork{PublicOnly: true}
	for i, list := range []string{never, private, public} {
		for _, text := range strings.Fields(list) {
			addr := netip.MustParseAddr(text)
			if refused := anywhere.AllowAddress(addr) != nil; refused != (i == 0) {
				t.Errorf("%s: refused %v", text, refused)
			}
			if refused := outside.AllowAddress(addr) != nil; refused != (i < 2) {
				t.Errorf("%s with only public ones allowed: refused %v", text, refused)
			}
		}
	}
	if anywhere.AllowAddress(netip.Addr{}) == nil {
		t.Error("no address passes")
	}
}

// FuzzAllow: in whatever form it comes, an address that carries the metadata service's is refused.
func FuzzAllow(f *testing.F) {
	f.Add([]byte{0x20, 0x02, 169, 254, 169, 254, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		addr, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		strict, lax := webhook.OutboundNetwork{PublicOnly: true}.AllowAddress(addr), webhook.OutboundNetwork{}.AllowAddress(addr)
		if strict == nil && lax != nil {
			t.Errorf("%s: a narrower network allows more", addr)
		}
		if bad := addr.IsLinkLocalUnicast() || addr.IsMulticast() || addr.IsUnspecified(); bad && lax == nil {
			t.Errorf("%s is allowed", addr)
		}
		if strict == nil && (addr.IsPrivate() || addr.IsLoopback()) {
			t.Errorf("%s is allowed as a public one", addr)
		}
	})
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url     string
		network webhook.OutboundNetwork
		want    string // in the refusal; empty: allowed
	}{
		{"https://8.8.8.8/x", webhook.OutboundNetwork{}, ""},
		{"http://127.0.0.1:9000/", webhook.OutboundNetwork{}, ""},
		{"http://localhost/", webhook.OutboundNetwork{}, ""},
		{"http://169.254.169.254/latest/meta-data/", webhook.OutboundNetwork{}, "cloud metadata"},
		{"http://[::ffff:169.254.169.254]/", webhook.OutboundNetwork{}, "cloud metadata"},
		{"http://[fd00:ec2::254]/", webhook.OutboundNetwork{}, "cloud metadata"},
		{"http://[fe80::1]/", webhook.OutboundNetwork{}, "link-local"},
		{"http://0.0.0.0:8080/", webhook.OutboundNetwork{}, "unspecified"},
		{"http://metadata.google.internal/", webhook.OutboundNetwork{}, "metadata.google.internal may not be called"},
		{"http://METADATA.google.internal./", webhook.OutboundNetwork{}, "cloud metadata"},
		{"http://ｍetadata.google.internal/", webhook.OutboundNetwork{}, "cloud metadata"},
		{"https://no-such-name.invalid/", webhook.OutboundNetwork{}, ""},
		{"http://127.0.0.1/", webhook.OutboundNetwork{PublicOnly: true}, "127.0.0.1 may not be called: it is a loopback address, and only public"},
		{"http://localhost/", webhook.OutboundNetwork{PublicOnly: true}, "localhost may not be called: it leads to "},
		{"http://10.1.2.3/", webhook.OutboundNetwork{PublicOnly: true}, "private"},
	} {
		err := c.network.CheckURL(t.Context(), c.url)
		var refusal *webhook.AddressRefusal
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.url, err, c.want)
		}
	}
}

// TestRefusedAtTheConnection: the check does not rest on what the URL looked like when it was set.
func TestRefusedAtTheConnection(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("it was called")
	}))
	defer receiver.Close()
	byName := strings.Replace(receiver.URL, "127.0.0.1", "localhost", 1)
	for _, url := range []string{receiver.URL, byName} {
		try, outcome := tryOnce(t, webhook.WorkerOptions{Network: webhook.OutboundNetwork{PublicOnly: true}}, url)
		if outcome != webhook.Refused || !strings.Contains(try.Error, "loopback") || try.StatusCode != 0 {
			t.Errorf("%s: %s, %+v", url, outcome, try)
		}
	}
	if try, outcome := tryOnce(t, webhook.WorkerOptions{}, "http://[::ffff:169.254.169.254]/"); outcome != webhook.Refused {
		t.Errorf("%s: %+v", outcome, try)
	}
}

// TestProxy: the environment's is not used; one that is set is, and what it is asked for is checked before.
func TestProxy(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		w.WriteHeader(http.StatusAccepted)
	}))
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	if try, outcome := tryOnce(t, webhook.WorkerOptions{}, "http://no-such-name.invalid/"); outcome != webhook.Broken || len(asked) > 0 {
		t.Errorf("%s: %+v, the proxy was asked for %v", outcome, try, asked)
	}
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	through := webhook.WorkerOptions{Network: webhook.OutboundNetwork{Proxy: address, PublicOnly: true}}
	if try, outcome := tryOnce(t, through, "http://no-such-name.invalid/x"); outcome != webhook.Delivered || len(asked) != 1 {
		t.Errorf("%s: %+v, the proxy was asked for %v", outcome, try, asked)
	}
	if try, outcome := tryOnce(t, through, "http://169.254.169.254/"); outcome != webhook.Refused || len(asked) != 1 {
		t.Errorf("%s: %+v, the proxy was asked for %v", outcome, try, asked)
	}
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer here.Close()
	if try, outcome := tryOnce(t, through, here.URL); outcome != webhook.Refused || len(asked) != 1 {
		t.Errorf("%s: %+v, the proxy was asked for %v", outcome, try, asked)
	}
	through.Network.PublicOnly = false
	if try, outcome := tryOnce(t, through, here.URL); outcome != webhook.Delivered || try.StatusCode != http.StatusNoContent || len(asked) != 1 {
		t.Errorf("%s: %+v, the proxy was asked for %v", outcome, try, asked)
	}
	if try, outcome := tryOnce(t, through, "http://8.8.8.8/y"); outcome != webhook.Delivered || len(asked) != 2 {
		t.Errorf("%s: %+v, the proxy was asked for %v", outcome, try, asked)
	}
}

func TestProbe(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodHead {
			t.Errorf("it was asked %s", r.Method)
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
	}))
	if err := (webhook.OutboundNetwork{}).ProbeReceiver(t.Context(), receiver.URL+"/hook"); err != nil {
		t.Errorf("a receiver that is there: %v", err)
	}
	receiver.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx       context.Context
		url, want string
	}{
		{t.Context(), receiver.URL, "the connection was refused: nothing listens at 127.0.0.1:"},
		{t.Context(), "http://169.254.169.254/", "may not be called"},
		{t.Context(), "http://[::1", "not a valid URL"},
		{t.Context(), "ftp://127.0.0.1/", "unsupported protocol scheme"},
		{ended, receiver.URL, "canceled"},
	} {
		if err := (webhook.OutboundNetwork{}).ProbeReceiver(c.ctx, c.url); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.url, err, c.want)
		}
	}
}
