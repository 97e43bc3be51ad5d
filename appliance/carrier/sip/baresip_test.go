package sip_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/engine/audio"
	"munadi/store/call"
	"munadi/store/freeport"
)

// baresipPhone is a running baresip without sound devices. It answers at once, accepts only SRTP and plays a tone of
// 600 Hz. What it receives is written to files below dir.
type baresipPhone struct {
	*sipptest.TestProgram
	at  netip.AddrPort // of TLS
	dir string
	phoneSound
}

// phoneSound describes a telephone's audio: its codec in baresip's spelling, the modules for it, and the rate and
// frequency of its tone.
type phoneSound struct {
	codec, module string
	rate          int
	hertz         float64
}

// alaw is the audio of most telephones in these tests.
var alaw = phoneSound{"PCMA/8000/1", "g711", carrier.Rate, theirs}

// theirs is the frequency of the telephone's tone, ours that of our tone, in Hz.
const theirs, ours = 600, 440

// startBaresip runs a telephone with a TLS certificate until the test ends.
func startBaresip(t *testing.T, identity func(netip.Addr) []byte, sound phoneSound) *baresipPhone {
	t.Helper()
	sipptest.RequireProgram(t, "baresip", "baresip-core")
	p := &baresipPhone{phoneSound: sound}
	p.TestProgram = sipptest.ServeProgram(t, func() *sipptest.TestProgram {
		p.writeSettings(t, identity)
		return sipptest.StartProgram(t, p.dir, "baresip", "-f", p.dir)
	}, func(context.Context) bool { return sipptest.IsListening("tcp", p.at) })
	t.Cleanup(func() { p.stopBaresip(t) })
	return p
}

// writeSettings chooses an address and writes the telephone's settings into a folder.
func (p *baresipPhone) writeSettings(t *testing.T, identity func(netip.Addr) []byte) {
	// baresip's RTP comes from the address that the kernel selects: a separate address would differ from the one in its
	// SDP.
	ip, port := netip.MustParseAddr("127.0.0.1"), freePort(t)
	p.at, p.dir = netip.AddrPortFrom(ip, port+1), t.TempDir() // TLS is the next one
	writeFile(t, filepath.Join(p.dir, "identity.pem"), identity(ip))
	writeFile(t, filepath.Join(p.dir, "contacts"), nil)
	writeFile(t, filepath.Join(p.dir, "tone.wav"), wavAt(t, p.rate, toneAt(p.hertz, 30*p.rate, p.rate)))
	writeFile(t, filepath.Join(p.dir, "accounts"), fmt.Appendf(nil,
		"<sip:%s@%s;transport=tls>;regint=0;answermode=auto;mediaenc=srtp-mand;audio_codecs=%s\n", anyNumber("01"), ip, p.codec))
	writeFile(t, filepath.Join(p.dir, "config"), fmt.Appendf(nil, `sip_listen %[1]s:%[3]d
sip_certificate %[2]s/identity.pem
net_interface %[1]s
audio_source aufile,%[2]s/tone.wav
audio_player aubridge,heard
audio_alert aubridge,alert
ausrc_srate %[4]d
auplay_srate %[4]d
ausrc_channels 1
auplay_channels 1
rtp_ports 30000-39998
snd_path %[2]s
module_path /usr/lib/baresip/modules
module %[5]s.so
module srtp.so
module aufile.so
module aubridge.so
module sndfile.so
module_tmp account.so
module_app menu.so
`, ip, p.dir, port, p.rate, p.module))
}

// freePort returns a free port; the next port is free, too.
func freePort(t *testing.T) uint16 {
	t.Helper()
	ports, err := freeport.FindPorts(2)
	if err != nil {
		t.Fatal(err)
	}
	return uint16(ports[0])
}

func (p *baresipPhone) stopBaresip(t *testing.T) {
	p.StopProgram(syscall.SIGTERM)
	if t.Failed() {
		t.Logf("baresip says:\n%s", p.Output())
	}
}

// secureTrunk returns the trunk of a telephone whose certificate is verified against an authority.
func (p *baresipPhone) secureTrunk(roots *x509.CertPool, srtp bool) (string, func(*sip.TrunkOptions)) {
	return "sip:" + p.at.String() + ";transport=tls", func(o *sip.TrunkOptions) { o.Roots, o.SRTP = roots, srtp }
}

// dialEncrypted calls a telephone over TLS and SRTP.
func dialEncrypted(t *testing.T) (*baresipPhone, carrier.Line) {
	t.Helper()
	a := newAuthority(t)
	phone := startBaresip(t, a.identityPEM, alaw)
	trunk, secure := phone.secureTrunk(a.rootPool(), true)
	return phone, dialLine(t, openCarrier(t, trunk, secure))
}

// TestEncrypted checks a call over TLS and SRTP with baresip: both sides receive the other's tone.
func TestEncrypted(t *testing.T) {
	t.Parallel()
	phone, line := dialEncrypted(t)
	line.Say(carrier.Speech{PCM: toneSamples(ours, 5*carrier.Rate)})
	var heard []float64
	for line.Queued() > 0 { // longer than 5 s if this machine stalls
		f, err := line.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range f.In {
			heard = append(heard, float64(v))
		}
	}
	line.Hangup()
	if got := toneSeconds(heard, theirs, carrier.Rate); got < 1 {
		t.Errorf("%.2f s of what we hear are a tone of %d Hz", got, theirs)
	}
	if got := toneSeconds(phone.recordedSound(t), ours, audio.Rate); got < 1 {
		t.Errorf("%.2f s of what the telephone hears are a tone of %d Hz", got, ours)
	}
}

// TestWidebandTelephone checks that with baresip restricted to G.722 or Opus both sides receive audio above 4 kHz.
func TestWidebandTelephone(t *testing.T) {
	t.Parallel()
	const high, ourHigh = 5500, 6200
	for name, sound := range map[string]phoneSound{
		"G722": {"G722/16000/1", "g722", 16000, high}, "opus": {"opus/48000/2", "opus", 48000, high},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAuthority(t)
			phone := startBaresip(t, a.identityPEM, sound)
			trunk, secure := phone.secureTrunk(a.rootPool(), true)
			line := dialLine(t, openCarrier(t, trunk, secure, func(o *sip.TrunkOptions) { o.Codecs = nil }))
			line.Say(carrier.Speech{PCM: toneSamples(ours, 5*carrier.Rate), Wide: toneAt(ourHigh, 10*carrier.Rate, 2*carrier.Rate)})
			var heard []float64
			for line.Queued() > 0 {
				f, err := line.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if f.Wide != nil {
					for _, v := range f.Wide {
						heard = append(heard, float64(v))
					}
				}
			}
			line.Hangup()
			if got := toneSeconds(heard, high, audio.Rate); got < 1 {
				t.Errorf("%.2f s of what we hear are a tone of %d Hz", got, high)
			}
			if got := toneSeconds(phone.recordedSound(t), ourHigh, audio.Rate); got < 1 {
				t.Errorf("%.2f s of what the telephone hears are a tone of %d Hz", got, ourHigh)
			}
			if facts := line.(carrier.MeasuredLine).Measure(); facts.Codec != name {
				t.Errorf("%+v", facts)
			}
		})
	}
}

// recordedSound waits for the call's end and returns what the telephone received, at audio.Rate.
func (p *baresipPhone) recordedSound(t *testing.T) []float64 {
	t.Helper()
	return readSound(t, p.TestProgram, filepath.Join(p.dir, "*-dec.wav"))
}

// readSound waits until a telephone has written a sound file of two seconds or more, and returns it at audio.Rate.
func readSound(t *testing.T, phone *sipptest.TestProgram, pattern string) []float64 {
	t.Helper()
	var out []float64
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	err := sipptest.PollUntil(ctx, phone.ExitedChan(), func() bool {
		files, _ := filepath.Glob(pattern)
		if len(files) == 0 {
			return false
		}
		coded, err := os.ReadFile(files[0])
		if err != nil {
			return false
		}
		sound, err := audio.DecodeAll(ctx, bytes.NewReader(coded), audio.DecodeOptions{})
		if err != nil || len(sound) < 2*audio.Rate {
			return false // still being written
		}
		for _, v := range sound {
			out = append(out, float64(v))
		}
		return true
	})
	if err != nil {
		t.Fatalf("what the telephone heard: %v", err)
	}
	return out
}

// TestPeerHangsUpEncryptedCall checks that the line ends when the telephone is stopped.
func TestPeerHangsUpEncryptedCall(t *testing.T) {
	t.Parallel()
	phone, line := dialEncrypted(t)
	if _, err := line.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	phone.StopProgram(syscall.SIGTERM)
	if err := awaitLineEnd(t, line); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
}

// TestCertificate checks that no call is placed over a trunk with an invalid certificate.
func TestCertificate(t *testing.T) {
	t.Parallel()
	a, b := newAuthority(t), newAuthority(t)
	elsewhere := func(netip.Addr) []byte { return a.identityPEM(netip.MustParseAddr("192.0.2.1")) }
	for name, c := range map[string]struct {
		identity func(netip.Addr) []byte
		roots    *x509.CertPool
	}{
		"of another authority": {a.identityPEM, b.rootPool()}, "of another address": {elsewhere, a.rootPool()}, "the system's authorities": {a.identityPEM, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			phone := startBaresip(t, c.identity, alaw)
			trunk, secure := phone.secureTrunk(c.roots, true)
			r := dialRefused(t, openCarrier(t, trunk, secure))
			if status, f := carrier.ClassifyRefusal(r); status != call.Failed || f.Reason != call.NoCarrier || r.SIPCode != nil ||
				r.Err == nil || !strings.Contains(r.Err.Error(), "certificate") {
				t.Errorf("%v is %s (%s)", r, status, f.Reason)
			}
		})
	}
}

// TestUnencryptedRefused checks that a telephone that requires SRTP refuses an unencrypted offer.
func TestUnencryptedRefused(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	phone := startBaresip(t, a.identityPEM, alaw)
	trunk, plain := phone.secureTrunk(a.rootPool(), false)
	r := dialRefused(t, openCarrier(t, trunk, plain))
	if status, f := carrier.ClassifyRefusal(r); status != call.Failed || r.SIPCode == nil || *r.SIPCode < 400 {
		t.Errorf("%v is %s (%s)", r, status, f.Reason)
	}
}
