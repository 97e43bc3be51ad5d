package sip_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
)

const kamailio = "/usr/sbin/kamailio"

// proxyCore and proxyModules are in the configuration of each proxy: its address and port, and what forwarding needs.
// Retransmissions begin after 20 s, as in SIPp, which would take one on a busy machine for the next request of its
// scenario.
const (
	proxyCore = `#!KAMAILIO
debug=0
log_stderror=yes
fork=yes
children=1
auto_aliases=no
listen=udp:%[1]s:%[2]d
mpath="/usr/lib/x86_64-linux-gnu/kamailio/modules:/usr/lib/aarch64-linux-gnu/kamailio/modules"
`
	proxyModules = `loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "textops.so"
loadmodule "siputils.so"
modparam("tm", "retr_timer1", 20000)
modparam("tm", "retr_timer2", 20000)
`
)

// serveKamailio runs a proxy with settings at a port, once serves is true. It must be stopped.
func serveKamailio(
	t *testing.T, port uint16, settings func(at netip.AddrPort, dir string) []byte,
	serves func(ctx context.Context, at netip.AddrPort) bool,
) (at netip.AddrPort, proxy *sipptest.TestProgram) {
	t.Helper()
	sipptest.RequireProgram(t, kamailio, "kamailio, kamailio-tls-modules")
	proxy = sipptest.ServeProgram(t, func() *sipptest.TestProgram {
		dir := t.TempDir()
		at = netip.AddrPortFrom(sipptest.OwnAddress(), port)
		file := filepath.Join(dir, "kamailio.cfg")
		writeFile(t, file, settings(at, dir))
		return sipptest.StartProgram(t, dir, kamailio, "-DD", "-E", "-f", file, "-Y", dir, "-w", dir, "-m", "32", "-M", "4")
	}, func(ctx context.Context) bool { return serves(ctx, at) })
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("Kamailio says:\n%s", proxy.Output())
		}
	})
	return at, proxy
}

// proxySettings is the configuration of a proxy that accepts calls over TLS, adds itself to the route (Record-Route),
// and forwards them to a telephone over UDP. Its last parameter is a check for each request.
const proxySettings = proxyCore + `tcp_children=1
enable_tls=yes
listen=tls:%[1]s:%[2]d
loadmodule "tls.so"
` + proxyModules + `loadmodule "auth.so"
modparam("tls", "certificate", "%[3]s/identity.pem")
modparam("tls", "private_key", "%[3]s/identity.pem")
modparam("tls", "tls_method", "TLSv1.2")
request_route {
	if (is_method("OPTIONS") && !has_totag()) { sl_send_reply("200", "OK"); exit; }
	%[5]s
	if (has_totag()) { loose_route(); t_relay(); exit; }
	if (is_method("CANCEL")) { t_relay(); exit; }
	record_route();
	$du = "sip:%[4]s";
	t_relay();
}
`

// asksForPassword makes Kamailio challenge every request that may be challenged, and verify the credentials.
const asksForPassword = `if (!is_method("ACK|CANCEL")) {
		if (!pv_proxy_authenticate("trunk.example", "` + password + `", "0")) { proxy_challenge("trunk.example", "1"); exit; }
		consume_credentials();
	}`

// startKamailio runs Kamailio between us and a telephone until the telephone's calls have ended, and returns its
// address. Requests must pass check.
func startKamailio(t *testing.T, a *testAuthority, phone *sippPeer, check string) netip.AddrPort {
	t.Helper()
	at, proxy := serveKamailio(t, 5061, func(at netip.AddrPort, dir string) []byte {
		writeFile(t, filepath.Join(dir, "identity.pem"), a.identityPEM(at.Addr()))
		return fmt.Appendf(nil, proxySettings, at.Addr(), at.Port(), dir, phone.At, check)
	}, func(ctx context.Context, at netip.AddrPort) bool { return shakesHands(ctx, at, a) })
	t.Cleanup(func() {
		phone.EndCalls(t)
		proxy.StopProgram(os.Interrupt)
	})
	return at
}

// shakesHands reports whether a TLS handshake succeeds: Kamailio listens before it is able to.
func shakesHands(ctx context.Context, at netip.AddrPort, a *testAuthority) bool {
	ctx, cancel := context.WithTimeout(ctx, patience/4)
	defer cancel()
	d := tls.Dialer{Config: &tls.Config{RootCAs: a.rootPool(), MinVersion: tls.VersionTLS12}}
	connection, err := d.DialContext(ctx, "tcp", at.String())
	if err != nil {
		return false
	}
	_ = connection.Close()
	return true
}

// TestConnectionDrops checks a trunk that can't open TLS connections to us: if the connection of a running call breaks,
// we connect again, tell the trunk, and receive its BYE.
func TestConnectionDrops(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, answerBehindProxy("180 Ringing", tag), answerBehindProxy("200 OK", tag), receiveStep("ACK"),
		invited, answerBehindProxy("200 OK", ""), receiveStep("ACK"), pauseStep(500), hangsUp(1)))
	a := newAuthority(t)
	at := startKamailio(t, a, peer, "")
	c := openCarrier(t, "sip:"+at.String()+";transport=tls", func(o *sip.TrunkOptions) { o.Roots = a.rootPool() })
	line := dialLine(t, c)
	ended := readFrames(t, line)
	time.Sleep(time.Second)
	c.DropConnections("tls", at.String())
	select {
	case err := <-ended:
		if !errors.Is(err, io.EOF) {
			t.Errorf("Next = %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the end of the call is not heard")
	}
	all := peer.sentRequests("INVITE")
	if len(all) != 2 || all[0].headerValue("Contact") == all[1].headerValue("Contact") || all[0].headerValue("Call-Id") != all[1].headerValue("Call-Id") {
		t.Errorf("%d INVITE, the Contacts %q and %q", len(all), all[0].headerValue("Contact"), all[len(all)-1].headerValue("Contact"))
	}
}

// TestSlowTargetRefresh checks that while the peer takes 7 s to answer the INVITE with our new connection, no other
// INVITE is sent (RFC 3261 §14.1), and that the answer is acknowledged; SIPp fails a call otherwise.
func TestSlowTargetRefresh(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, answerBehindProxy("180 Ringing", tag), answerBehindProxy("200 OK", tag), receiveStep("ACK"),
		plays, invited, pauseStep(7000), answerBehindProxy("200 OK", ""), receiveStep("ACK"), pauseStep(500), hangsUp(1)))
	a := newAuthority(t)
	at := startKamailio(t, a, peer, "")
	c := openCarrier(t, "sip:"+at.String()+";transport=tls", func(o *sip.TrunkOptions) { o.Roots = a.rootPool() })
	ended := readFrames(t, dialLine(t, c))
	c.DropConnections("tls", at.String())
	select {
	case err := <-ended:
		if !errors.Is(err, io.EOF) {
			t.Errorf("Next = %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the end of the call is not heard")
	}
}

// TestProxyChecksEverything checks a Kamailio that requires credentials with the INVITE, each PRACK (RFC 3262) and the
// BYE.
func TestProxyChecksEverything(t *testing.T) {
	t.Parallel()
	// The INVITE has two Via and two Record-Route headers, for TLS and UDP.
	second := `<ereg regexp="[^ ].*" search_in="hdr" header="%[1]s:" occurrence="%[2]d" check_it="true" assign_to="%[3]s"/>`
	routed := scenarioStep(strings.Replace(string(invited), "</action>", fmt.Sprintf(second, "Via", 2, "via2")+
		fmt.Sprintf(second, "Record-Route", 1, "route")+fmt.Sprintf(second, "Record-Route", 2, "route2")+"</action>", 1) +
		`<Reference variables="via2,route,route2"/>`)
	path := []string{"Via: [$via2]", "Record-Route: [$route]", "Record-Route: [$route2]"}
	peer := startSIPp(t, joinScenario(routed, reliableProvisional("183 Session Progress", 41, append(path[:3:3], soundBody(mediaHere)...)...), acknowledged,
		reliableProvisional("180 Ringing", 42, path...), acknowledged, inviteAnswers("200 OK", append(path[:3:3], contact)...), receiveStep("ACK"), weHangUp))
	a := newAuthority(t)
	at := startKamailio(t, a, peer, asksForPassword)
	dialLine(t, openCarrier(t, "sip:"+at.String()+";transport=tls", func(o *sip.TrunkOptions) { o.Roots = a.rootPool() })).Hangup()
	peer.awaitRequest(t, "BYE", 1)
	for n, prack := range peer.sentRequests("PRACK") {
		if want := fmt.Sprintf("%d 2 INVITE", 41+n); prack.headerValue("RAck") != want || prack.headerValue("Proxy-Authorization") != "" {
			t.Errorf("RAck %q, want %q; credentials %q", prack.headerValue("RAck"), want, prack.headerValue("Proxy-Authorization"))
		}
	}
}

// TestTransferBehindAProxy transfers a call through Kamailio, over TLS on our side.
func TestTransferBehindAProxy(t *testing.T) {
	t.Parallel()
	for status, works := range map[string]bool{"SIP/2.0 200 OK": true, "SIP/2.0 486 Busy Here": false} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(invited, answerBehindProxy("180 Ringing", tag), answerBehindProxy("200 OK", tag), receiveStep("ACK"),
				receiveStep("REFER"), replyStep("202 Accepted"), notifyTransfer(1, "active", "SIP/2.0 180 Ringing"),
				notifyTransfer(2, "terminated", status), weHangUp))
			a := newAuthority(t)
			at := startKamailio(t, a, peer, "")
			line := dialLine(t, openCarrier(t, "sip:"+at.String()+";transport=tls", func(o *sip.TrunkOptions) { o.Roots = a.rootPool() }))
			if err := line.Transfer(t.Context(), "+966500000055"); (err == nil) != works {
				t.Errorf("Transfer = %v", err)
			}
			line.Hangup()
			peer.awaitRequest(t, "BYE", 1)
		})
	}
}

// answerBehindProxy is the response of a telephone behind a proxy to an INVITE; tag is added to one without a tag.
func answerBehindProxy(status, tag string) scenarioStep {
	return sendStep(status[0] > '1', append([]string{
		"SIP/2.0 " + status, "[last_Via:]", "[last_From:]", "[last_To:]" + tag, "[last_Call-ID:]", "[last_CSeq:]",
		"[last_Record-Route:]", contact,
	}, soundBody(mediaHere)...))
}
