package config_test

import (
	"errors"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/config"
)

// TestTrunks checks the settings of docs/sip.md and the trunks that result.
func TestTrunks(t *testing.T) {
	t.Parallel()
	path := writeFile(t, "carrier: sip\nsip-trunk: sips:trunk.example.com:5061\nsip-user: 966112345678\nsip-register: yes\n"+
		"sip-inbound-digest: sha-256\n"+
		"sip-srtp: true\nsip-public-ip: 203.0.113.7\nsip-media-ports: 30000 - 30099\nsip-codecs: PCMU\nsip-plus: none\n"+
		"sip-listen: 0.0.0.0:5060\nlines: 50\n")
	got, err := loadConfig(t, map[string]string{"MUNADI_SIP_PASSWORD": "secret"}, "serve", "--config="+path)
	if err != nil {
		t.Fatal(err)
	}
	if got.SIPPassword != "secret" || got.Trunks()[0].InboundDigest != "sha-256" || !got.SIPRegister || !got.SIPSRTP || got.Trunks()[0].Plus != "" ||
		got.SIPPublicIP.Addr() != netip.MustParseAddr("203.0.113.7") ||
		got.SIPMediaPorts != (config.PortRange{First: 30000, Last: 30099}) || got.SIPMediaPorts.PairCount() != 50 ||
		!slices.Equal(got.SIPCodecs.Names(), []string{"pcmu"}) ||
		got.SIPListen.AddrPort() != netip.MustParseAddrPort("0.0.0.0:5060") {
		t.Errorf("got %+v", got)
	}
	for _, trunk := range []string{
		"sip:192.0.2.1", "sip:192.0.2.1:5062", "sip:[2001:db8::1]:5060;transport=tcp", "sip:pbx;transport=udp",
		"sips:trunk.example.com;transport=tls", "sip:trunk.example.com;transport=tls",
	} {
		if _, err := loadConfig(t, nil, "serve", "--carrier=sip", "--sip-trunk="+trunk); err != nil {
			t.Errorf("%s: %v", trunk, err)
		}
	}
	if got, err := loadConfig(t, nil, "serve", "--sip-register", "--sip-user=a@b", "--sip-srtp=no"); err != nil ||
		!got.SIPRegister || got.SIPSRTP {
		t.Errorf("flags that stand alone: %+v, %v", got, err)
	}
}

// TestTrunkFaults checks that each fault names its setting and the remedy, and never quotes what may be a password.
func TestTrunkFaults(t *testing.T) {
	t.Parallel()
	trunk := "--sip-trunk=sip:trunk.example.com"
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no address":      {[]string{"--sip-trunk=trunk.example.com"}, "is not a trunk"},
		"a web address":   {[]string{"--sip-trunk=https://trunk.example.com"}, "is not a trunk"},
		"no host":         {[]string{"--sip-trunk=sip:"}, "is not a trunk"},
		"a port too far":  {[]string{"--sip-trunk=sip:h:70000"}, "is not a trunk"},
		"a path":          {[]string{"--sip-trunk=sip:h/x"}, "is not a trunk"},
		"a user":          {[]string{"--sip-trunk=sip:me:hunter2@h"}, "MUNADI_SIP_PASSWORD"},
		"carrier pigeons": {[]string{"--sip-trunk=sip:h;transport=pigeon"}, "only transport=udp"},
		"secure by UDP":   {[]string{"--sip-trunk=sips:h;transport=udp"}, "for sips: only tls"},
		"no account":      {[]string{trunk, "--sip-register"}, "--sip-user: sip-register requires it"},
		"nobody proves":   {[]string{trunk, "--sip-inbound-digest=md5"}, "--sip-inbound-digest: needs user"},
		"unknown digest":  {[]string{trunk, "--sip-user=u", "--sip-inbound-digest=sha"}, "--sip-inbound-digest: "},
		"a strange name":  {[]string{trunk, "--sip-user=a b"}, "--sip-user: has characters"},
		"a whole address": {[]string{trunk, "--sip-from=+96611@h"}, "--sip-from: must be a number or a name"},
		"keys in the air": {[]string{trunk, "--sip-srtp"}, "--sip-srtp: the trunk is reached over udp"},
		"no certificate":  {[]string{trunk + ";transport=tcp", "--sip-ca=ca.pem"}, "--sip-ca: the trunk is reached over tcp"},
		"a name to bind":  {[]string{trunk, "--sip-listen=localhost:5060"}, "--sip-listen: \"localhost\" is not an IP address"},
		"ports that meet": {[]string{trunk, "--sip-listen=:20010"}, "among sip-media-ports 20000-20999"},
		"nowhere":         {[]string{trunk, "--sip-public-ip=0.0.0.0"}, "is not an IP address of a machine"},
		"a name for NAT":  {[]string{trunk, "--sip-public-ip=router"}, "is not an IP address of a machine"},
		"one port":        {[]string{trunk, "--sip-media-ports=20000"}, "is not a range of ports"},
		"upside down":     {[]string{trunk, "--sip-media-ports=3000-2000"}, "is not a range of ports"},
		"others' ports":   {[]string{trunk, "--sip-media-ports=1000-2000"}, "begins below 1024"},
		"no room for ten": {[]string{trunk, "--sip-media-ports=20001-20019"}, "has ports for 9 concurrent calls, but lines allows 10"},
		"no room":         {[]string{trunk, "--lines=501"}, "has ports for 500 concurrent calls, but lines allows 501"},
		"no format":       {[]string{trunk, "--sip-codecs="}, "names no codec"},
		"another format":  {[]string{trunk, "--sip-codecs=gsm"}, "is not one of pcma, pcmu, g722, opus"},
		"twice":           {[]string{trunk, "--sip-codecs=pcma,PCMA"}, "is listed twice"},
		"no plus":         {[]string{trunk, "--sip-plus="}, "--sip-plus: "},
		"another plus":    {[]string{trunk, "--sip-plus=0x"}, "--sip-plus: "},
		"maybe":           {[]string{trunk, "--sip-register=maybe"}, "is neither true nor false"},
	} {
		_, err := loadConfig(t, nil, append([]string{"serve", "--carrier=sip"}, c.args...)...)
		var faults *config.ConfigError
		if !errors.As(err, &faults) || len(faults.Faults) != 1 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error shows a password: %v", name, err)
		}
	}
}

// TestSimulatorNeedsNoTrunk checks that settings of the unused carrier are accepted.
func TestSimulatorNeedsNoTrunk(t *testing.T) {
	t.Parallel()
	if _, err := loadConfig(t, nil, "serve", "--sip-trunk=sip:h", "--time-scale=10", "--lines=9000"); err != nil {
		t.Error(err)
	}
}

// TestDocumentedTrunks checks that each trunk in the documentation is valid.
func TestDocumentedTrunks(t *testing.T) {
	t.Parallel()
	for page, trunks := range map[string]int{"sip.md": 4, "going-live.md": 1, "ar/going-live.md": 1} {
		section, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := strings.Split(string(section), "```yaml\n")[1:]
		if len(blocks) != trunks {
			t.Errorf("%s shows %d trunks", page, len(blocks))
		}
		for _, block := range blocks {
			settings, _, _ := strings.Cut(block, "```")
			got, err := loadConfig(t, nil, "serve", "--config="+writeFile(t, settings))
			if err != nil || got.Carrier != config.SIP || got.Trunks()[0].From+got.Trunks()[0].User == "" {
				t.Errorf("%v, of\n%s", err, settings)
			}
		}
	}
}
