package sip_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
)

// TestDigestOfPeers calls in with programs that prove the trunk's account: Linphone, which knows MD5 and SHA-256, and
// baresip and Kamailio, which know MD5. One with a wrong password is not taken.
func TestDigestOfPeers(t *testing.T) {
	t.Parallel()
	const right, wrong = "s3cret", "an0ther"
	for name, c := range map[string]struct {
		start     func(t *testing.T, password string) (at netip.AddrPort, call func(to string))
		algorithm string
		password  string
	}{
		"Linphone by MD5":                {linphoneThatCalls, "MD5", right},
		"Linphone by SHA-256":            {linphoneThatCalls, "SHA-256", right},
		"Linphone with a wrong password": {linphoneThatCalls, "SHA-256", wrong},
		"baresip":                        {baresipThatCalls, "MD5", right},
		"baresip with a wrong password":  {baresipThatCalls, "MD5", wrong},
		"Kamailio":                       {kamailioThatCalls, "MD5", right},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			taken := make(chan error, 1)
			refused := make(chan struct{}, 8)
			at, dial := c.start(t, c.password)
			carrierAt := openCarrier(t, "sip:"+at.String(), func(o *sip.TrunkOptions) {
				o.Challenge, o.User, o.Password = c.algorithm, "trunk", right
				o.Log = slog.New(slog.NewTextHandler(noticeWriter{t.Output(), "password is wrong", refused}, nil))
			})
			carrierAt.ReceiveCalls(func(_ context.Context, in carrier.IncomingCall) {
				if line := answerIncoming(t, in); line != nil {
					taken <- hearSound(t, line, true)
				}
			})
			dial("sip:966112345678@" + carrierAt.Address().String())
			select {
			case err := <-taken:
				if c.password == wrong {
					t.Error("a call without the password was taken")
				} else if !errors.Is(err, carrier.ErrHungUp) && !errors.Is(err, io.EOF) {
					t.Errorf("the line ended by %v", err)
				}
			case <-refused:
				if c.password == right {
					t.Error("the right password is refused")
				}
			case <-time.After(patience):
				t.Fatal("no call comes in")
			}
		})
	}
}

// noticeWriter is a log that tells when a line with a text is written.
type noticeWriter struct {
	to   io.Writer
	text string
	seen chan<- struct{}
}

func (w noticeWriter) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.text) {
		select {
		case w.seen <- struct{}{}:
		default:
		}
	}
	return w.to.Write(p)
}

// linphoneThatCalls runs Linphone with an account, and plays a tone in its calls.
func linphoneThatCalls(t *testing.T, password string) (netip.AddrPort, func(to string)) {
	t.Helper()
	phone := startLinphone(t, fmt.Sprintf(linphoneAccount, password))
	return phone.at, func(to string) { phone.EnterCommand("call " + to) }
}

// linphoneAccount is what Linphone knows of our account; the From of its calls names the user.
const linphoneAccount = `[auth_info_0]
username=trunk
realm=munadi
passwd=%s
`

// baresipThatCalls returns a baresip with an account that is started when it is to call: it dials what its command line
// says.
func baresipThatCalls(t *testing.T, password string) (netip.AddrPort, func(to string)) {
	t.Helper()
	sipptest.RequireProgram(t, "baresip", "baresip-core")
	ip, port, dir := netip.MustParseAddr("127.0.0.1"), freePort(t), t.TempDir()
	writeFile(t, filepath.Join(dir, "contacts"), nil)
	writeFile(t, filepath.Join(dir, "tone.wav"), wavAt(t, alaw.rate, toneAt(theirs, 30*alaw.rate, alaw.rate)))
	writeFile(t, filepath.Join(dir, "accounts"), fmt.Appendf(nil,
		"<sip:trunk@%s:%d>;regint=0;auth_user=trunk;auth_pass=%s;audio_codecs=%s\n", ip, port, password, alaw.codec))
	writeFile(t, filepath.Join(dir, "config"), fmt.Appendf(nil, `sip_listen %[1]s:%[3]d
net_interface %[1]s
audio_source aufile,%[2]s/tone.wav
audio_player aubridge,heard
audio_alert aubridge,alert
ausrc_srate 8000
auplay_srate 8000
ausrc_channels 1
auplay_channels 1
rtp_ports 30000-39998
module_path /usr/lib/baresip/modules
module g711.so
module aufile.so
module aubridge.so
module_tmp account.so
module_app menu.so
`, ip, dir, port))
	return netip.AddrPortFrom(ip, port), func(to string) {
		p := sipptest.StartProgram(t, dir, "baresip", "-f", dir, "-e", "/dial "+to)
		t.Cleanup(func() {
			p.StopProgram(syscall.SIGTERM)
			if t.Failed() {
				t.Logf("baresip says:\n%s", p.Output())
			}
		})
	}
}

// accountProxy is the configuration of a Kamailio that sends calls to us and proves its account itself, by its module
// uac: the second INVITE has the CSeq of the first.
const accountProxy = proxyCore + proxyModules + `loadmodule "uac.so"
modparam("uac", "auth_username_avp", "$avp(u)")
modparam("uac", "auth_password_avp", "$avp(p)")
modparam("uac", "auth_realm_avp", "$avp(r)")
request_route {
	if (is_method("OPTIONS") && !has_totag()) { sl_send_reply("200", "OK"); exit; }
	if (has_totag()) { loose_route(); t_relay(); exit; }
	record_route();
	t_on_failure("PROVE");
	t_relay();
}
failure_route[PROVE] {
	if (t_check_status("401|407")) {
		$avp(u) = "trunk"; $avp(r) = "munadi"; $avp(p) = "%[3]s";
		if (uac_auth()) { t_relay(); exit; }
	}
}
`

// kamailioThatCalls runs Kamailio, through which SIPp calls.
func kamailioThatCalls(t *testing.T, password string) (netip.AddrPort, func(to string)) {
	t.Helper()
	at, proxy := serveKamailio(t, 5060, func(at netip.AddrPort, _ string) []byte {
		return fmt.Appendf(nil, accountProxy, at.Addr(), at.Port(), password)
	}, func(_ context.Context, at netip.AddrPort) bool { return sipptest.IsListening("udp", at) })
	t.Cleanup(func() { proxy.StopProgram(os.Interrupt) })
	return at, func(to string) {
		invite := scenarioStep(strings.ReplaceAll(string(inviteUs(soundBody(mediaHere)...)),
			"sip:966112345678@[remote_ip]:[remote_port]", to))
		sipptest.PlayScenario(t, sipptest.ScenarioSettings{
			Scenario: joinScenario(invite, answered(), plays, weHangUp), Sound: speechClip(t), Calls: at,
		})
	}
}
