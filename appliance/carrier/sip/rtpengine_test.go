package sip_test

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"munadi/appliance/carrier/sip/sipptest"
	"munadi/engine/audio"
)

// relaySettings is the configuration of a Kamailio that forwards calls to a telephone and lets rtpengine relay their
// audio, in the first INVITE and in those of a hold.
const relaySettings = proxyCore + proxyModules + `loadmodule "rtpengine.so"
modparam("rtpengine", "rtpengine_sock", "udp:%[3]s")
modparam("rtpengine", "rtpengine_tout_ms", 20000)
request_route {
	if (is_method("OPTIONS") && !has_totag()) { sl_send_reply("200", "OK"); exit; }
	if (is_method("CANCEL")) { t_relay(); exit; }
	if (is_method("INVITE")) { rtpengine_manage("replace-origin ICE=remove"); t_on_reply("SDP"); }
	if (is_method("BYE")) { rtpengine_delete(); }
	if (has_totag()) { loose_route(); t_relay(); exit; }
	record_route();
	$du = "sip:%[4]s";
	t_relay();
}
onreply_route[SDP] {
	if (has_body("application/sdp")) { rtpengine_manage("replace-origin ICE=remove"); }
}
`

// startRelay runs Kamailio and rtpengine, which relays the audio in user space, between us and a telephone.
func startRelay(t *testing.T, phone netip.AddrPort) (at netip.AddrPort, engine *sipptest.TestProgram) {
	t.Helper()
	sipptest.RequireProgram(t, "rtpengine", "rtpengine-daemon")
	var control netip.AddrPort
	engine = sipptest.ServeProgram(t, func() *sipptest.TestProgram {
		control = netip.AddrPortFrom(sipptest.OwnAddress(), 2223)
		dir := t.TempDir()
		return sipptest.StartProgram(t, dir, "rtpengine", "--config-file=none", "--foreground", "--log-stderr", "--table=-1",
			"--interface="+control.Addr().String(), "--listen-ng="+control.String(), "--pidfile="+filepath.Join(dir, "pid"),
			"--num-threads=2", "--delete-delay=0", "--port-min=30000", "--port-max=30999")
	}, func(context.Context) bool { return sipptest.IsListening("udp", control) })
	at, proxy := serveKamailio(t, 5060, func(at netip.AddrPort, _ string) []byte {
		return fmt.Appendf(nil, relaySettings, at.Addr(), at.Port(), control, phone)
	}, func(_ context.Context, at netip.AddrPort) bool { return sipptest.IsListening("udp", at) })
	t.Cleanup(func() {
		proxy.StopProgram(os.Interrupt)
		engine.StopProgram(syscall.SIGTERM)
		if t.Failed() {
			t.Logf("rtpengine says:\n%s", engine.Output())
		}
	})
	return at, engine
}

// relayedPackets finds the streams of a call in rtpengine's summary of it that had ten packets or more.
var relayedPackets = regexp.MustCompile(`, [0-9]{2,} p, `)

// TestRTPEngine checks a call whose signalling goes through Kamailio and whose audio goes through rtpengine to Linphone:
// both hear each other and each other's keys, and Linphone holds it and takes it up again.
func TestRTPEngine(t *testing.T) {
	t.Parallel()
	phone := startLinphone(t)
	at, engine := startRelay(t, phone.at)
	line := dialLine(t, openCarrier(t, "sip:"+at.String()))
	talkWithLinphone(t, phone, line)
	line.Hangup()
	if got := toneSeconds(phone.heard(t), ours, audio.Rate); got < 1 {
		t.Errorf("%.2f s of what Linphone hears are our tone", got)
	}
	// The summary comes when the proxy has told that the call is over, which may be after the telephone has ended.
	streams := func() int { return len(relayedPackets.FindAllString(engine.Output(), -1)) }
	ctx, cancel := context.WithTimeout(t.Context(), sipptest.Patience)
	defer cancel()
	if sipptest.PollUntil(ctx, engine.ExitedChan(), func() bool { return streams() >= 2 }) != nil {
		t.Errorf("rtpengine relayed %d streams of audio", streams())
	}
}
