package sip_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
)

// dnsmasq is in a folder that is in root's PATH only.
const dnsmasq = "/usr/sbin/dnsmasq"

// startNameServer runs dnsmasq with these records (in its option syntax) until the test ends.
func startNameServer(t *testing.T, records ...string) *net.Resolver {
	t.Helper()
	sipptest.RequireProgram(t, dnsmasq, "dnsmasq-base")
	var at netip.AddrPort
	r := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, at.String())
	}}
	server := sipptest.ServeProgram(t, func() *sipptest.TestProgram {
		at = netip.AddrPortFrom(sipptest.OwnAddress(), 5300)
		return sipptest.StartProgram(t, t.TempDir(), dnsmasq, append([]string{
			"--no-daemon", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--pid-file", "--bind-interfaces", "--local=/test/",
			"--listen-address=" + at.Addr().String(), fmt.Sprintf("--port=%d", at.Port()), "--host-record=up.test,127.0.0.1",
		}, records...)...)
	}, func(ctx context.Context) bool {
		_, err := r.LookupNetIP(ctx, "ip4", "up.test")
		return err == nil
	})
	t.Cleanup(func() {
		server.StopProgram(os.Kill)
		if t.Failed() {
			t.Logf("dnsmasq says:\n%s", server.Output())
		}
	})
	return r
}

// srvRecord returns dnsmasq's option for an SRV record.
func srvRecord(service, target string, port uint16, priority int) string {
	return fmt.Sprintf("--srv-host=%s,%s,%d,%d,1", service, target, port, priority)
}

// TestNames checks how the servers of a trunk with a host name are found (RFC 3263 §4).
func TestNames(t *testing.T) {
	t.Parallel()
	r := startNameServer(t,
		"--host-record=trunk.test,192.0.2.1", // its web site, say
		"--host-record=near.test,192.0.2.10", "--host-record=far.test,192.0.2.20,2001:db8::20", "--host-record=plain.test,192.0.2.30",
		srvRecord("_sip._udp.trunk.test", "far.test", 5080, 20), srvRecord("_sip._udp.trunk.test", "near.test", 5070, 10),
		srvRecord("_sip._udp.trunk.test", "nobody.test", 5060, 5),
		srvRecord("_sip._tcp.trunk.test", "near.test", 5090, 10), srvRecord("_sips._tcp.trunk.test", "near.test", 5091, 10),
		"--host-record=shut.test,192.0.2.40", "--srv-host=_sip._udp.shut.test",
		"--host-record=adrift.test,192.0.2.50", srvRecord("_sip._udp.adrift.test", "nobody.test", 5060, 1),
	)
	for trunk, want := range map[string]string{
		"sip:trunk.test":                  "192.0.2.10:5070 192.0.2.20:5080 [2001:db8::20]:5080",
		"sip:trunk.test;transport=tcp":    "192.0.2.10:5090",
		"sips:trunk.test":                 "192.0.2.10:5091",
		"sip:trunk.test;transport=tls":    "192.0.2.10:5091",
		"sip:trunk.test:5062":             "192.0.2.1:5062",
		"sip:plain.test":                  "192.0.2.30:5060",
		"sips:plain.test":                 "192.0.2.30:5061",
		"sip:far.test:5060;transport=tcp": "192.0.2.20:5060 [2001:db8::20]:5060",
		"sip:[2001:db8::7]":               "[2001:db8::7]:5060",
		"sip:shut.test":                   "shut.test offers no SIP over UDP",
		"sip:shut.test;transport=tcp":     "192.0.2.40:5060",
		"sip:adrift.test":                 "lookup nobody.test",
		"sip:nobody.test":                 "lookup nobody.test",
	} {
		got, err := sip.ResolveTrunk(t.Context(), trunk, r)
		said := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(got), "["), "]")
		if err != nil {
			said = err.Error()
		}
		if said != want && (err == nil || !strings.Contains(said, want)) {
			t.Errorf("%s is at %s, want %s", trunk, said, want)
		}
	}
}

// TestCallByName checks that a silent server is skipped for the next one of the DNS answer. The trunk does not count as
// down, and the next call does not wait for that server again.
func TestCallByName(t *testing.T) {
	t.Parallel()
	silent := newElsewhere(t)
	peer := startSIPp(t, fromFile(t, "testdata/numbers.xml"))
	c := openCarrier(t, "sip:trunk.test")
	c.AskNames(startNameServer(t,
		"--host-record=silent.test,127.0.0.1", "--host-record=peer.test,"+peer.At.Addr().String(),
		srvRecord("_sip._udp.trunk.test", "silent.test", silent.localPort(), 1),
		srvRecord("_sip._udp.trunk.test", "peer.test", peer.At.Port(), 2),
	))
	if answer, err := c.PingTrunk(t.Context()); err != nil || !strings.HasPrefix(answer.Address, peer.At.String()) {
		t.Errorf("a sign of life: %+v, %v", answer, err)
	}
	runCarrier(t, c)
	c.AwaitFirstAnswer(sip.UsualFirstAnswer)
	dialLine(t, c).Hangup()
	first := silent.countInvites()
	dialLine(t, c).Hangup()
	if first != 1 || silent.countInvites() != first {
		t.Errorf("the silent server was asked for %d calls, then for %d", first, silent.countInvites())
	}
	s := c.Status()
	if !s.Up || len(s.Silent) != 1 || s.Silent[0].String() != silent.socket.LocalAddr().String() {
		t.Errorf("the trunk: %+v", s)
	}
}

// TestGivenUpBetweenServers checks that no further server is called after a dial was given up while its first server
// was silent.
func TestGivenUpBetweenServers(t *testing.T) {
	t.Parallel()
	first, second := newElsewhere(t), newElsewhere(t)
	c := openCarrier(t, "sip:trunk.test")
	c.AskNames(startNameServer(t, "--host-record=silent.test,127.0.0.1",
		srvRecord("_sip._udp.trunk.test", "silent.test", first.localPort(), 1), srvRecord("_sip._udp.trunk.test", "silent.test", second.localPort(), 2)))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		_, _ = first.nextMessage("none") // the INVITE
		cancel()
	}()
	if _, err := c.Dial(ctx, newDialRequest("01")); !errors.Is(err, context.Canceled) {
		t.Errorf("Dial = %v", err)
	}
	if n := second.countInvites(); n != 0 {
		t.Errorf("the second server was asked for %d calls", n)
	}
}

// countInvites returns the number of INVITEs so far; none is answered.
func (e *sipSocket) countInvites() int {
	_ = e.socket.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	for {
		m, err := e.nextMessage("none")
		if err != nil {
			return len(e.asked)
		}
		if m.requestMethod() == "INVITE" {
			e.asked[m.headerValue("Call-Id")] = true
		}
	}
}

// TestEncryptedByName checks that the certificate must contain the trunk's domain, whatever host DNS returns (RFC
// 5922).
func TestEncryptedByName(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	phone := startBaresip(t, func(netip.Addr) []byte { return a.certificatePEM(nil, "trunk.test") }, alaw)
	resolver := startNameServer(t, "--host-record=host.test,"+phone.at.Addr().String(),
		srvRecord("_sips._tcp.trunk.test", "host.test", phone.at.Port(), 1), srvRecord("_sips._tcp.other.test", "host.test", phone.at.Port(), 1))
	_, secure := phone.secureTrunk(a.rootPool(), true)
	c := openCarrier(t, "sips:trunk.test", secure)
	c.AskNames(resolver)
	line := dialLine(t, c)
	line.Say(carrier.Speech{PCM: toneSamples(ours, carrier.Rate)})

	c = openCarrier(t, "sips:other.test", secure)
	c.AskNames(resolver)
	if got := dialRefused(t, c).Err; got == nil || !strings.Contains(got.Error(), "trunk.test") {
		t.Errorf("another's certificate: %v", got)
	}
}
