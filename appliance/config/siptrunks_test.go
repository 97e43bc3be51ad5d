package config_test

import (
	"encoding/pem"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/config"
)

const threeTrunks = `
carrier: sip
sip-listen: 192.0.2.9:5060
sip-trunk: sip:pbx.example.com
sip-codecs: opus, pcma
sip-callers: +966
sip-trunks:
  - name: stc
    trunk: sips:trunk.example.com
    prefixes: ["+9665", "+96611"]
    lines: 30
    user: "966112345678"
    password-env: MUNADI_SIP_PASSWORD_STC
    register: true
    srtp: true
    plus: none
  - name: gulf
    trunk: sip:198.51.100.7
    prefixes: ["+971"]
    from: "97141234567"
    callers: ["+971"]
    caller-in: both
    codecs: [pcmu]
    calls-per-second: 2
    listen: 0.0.0.0:5070
`

// TestSeveralTrunks checks that trunks of the list come first, with the other SIP settings as defaults, and sip-trunk
// last.
func TestSeveralTrunks(t *testing.T) {
	t.Parallel()
	got, err := loadConfig(t, nil, "serve", "--config", writeFile(t, threeTrunks))
	if err != nil {
		t.Fatal(err)
	}
	want := []config.SIPTrunkSettings{
		{
			Name: "stc", Trunk: "sips:trunk.example.com", Prefixes: []string{"+9665", "+96611"}, Lines: 30, User: "966112345678",
			PasswordEnv: "MUNADI_SIP_PASSWORD_STC", Register: true, SRTP: true, Listen: "192.0.2.9:0", Callers: []string{"+966"},
			CallerIn: "from", Codecs: []string{"opus", "pcma"}, CallsPerSecond: 5, Latch: "strict", Transfer: "auto",
		},
		{
			Name: "gulf", Trunk: "sip:198.51.100.7", Prefixes: []string{"+971"}, Lines: 10, From: "97141234567",
			Listen: "0.0.0.0:5070", Callers: []string{"+971"}, CallerIn: "both", Codecs: []string{"pcmu"}, CallsPerSecond: 2,
			Latch: "strict", Transfer: "auto", Plus: "+",
		},
		{
			Name: "default", Trunk: "sip:pbx.example.com", PasswordEnv: "MUNADI_SIP_PASSWORD", Lines: 10, Listen: "192.0.2.9:5060",
			Callers: []string{"+966"}, CallerIn: "from", Codecs: []string{"opus", "pcma"}, CallsPerSecond: 5, Latch: "strict", Transfer: "auto", Plus: "+",
		},
	}
	if diff := cmp.Diff(want, got.Trunks()); diff != "" {
		t.Error(diff)
	}
	if n := got.SIPLines(); n != 50 {
		t.Errorf("%d lines", n)
	}
	list := `[{"name":"a","trunk":"sip:192.0.2.1"}]`
	if got, err = loadConfig(t, nil, "serve", "--carrier=sip", "--sip-trunks="+list, "--lines=7"); err != nil || len(got.Trunks()) != 1 ||
		got.SIPLines() != 7 {
		t.Errorf("%+v, %v", got.Trunks(), err)
	}
	if unknown := config.UnknownVariables([]string{"MUNADI_SIP_PASSWORD_STC=x"}); len(unknown) > 0 {
		t.Errorf("%v", unknown)
	}
}

// TestTrunkListFaults checks that each fault names the trunk and the key, and never quotes a password.
func TestTrunkListFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ entry, want string }{
		"no name":          {"trunk: sip:h", "trunk 1: name"},
		"a taken name":     {"name: default, trunk: sip:h", "is taken"},
		"no address":       {"name: a", "trunk 1: trunk:"},
		"a web address":    {"name: a, trunk: 'https://h'", "is not a trunk"},
		"a password":       {"name: a, trunk: 'sip:me:hunter2@h'", "MUNADI_SIP_PASSWORD"},
		"an unknown key":   {"name: a, trunk: sip:h, password: hunter2", "is not a list of trunks"},
		"no variable":      {"name: a-b, trunk: sip:h, user: me", "MUNADI_SIP_PASSWORD_A_B"},
		"another setting":  {"name: a, trunk: sip:h, user: me, password-env: MUNADI_DATABASE_KEY", "is a setting of Munadi;"},
		"two passwords":    {"name: a, trunk: sip:h, user: me, password-env: P, password-file: /p", "leave one of them out"},
		"no user":          {"name: a, trunk: sip:h, password-file: /p", "needs user"},
		"not a variable":   {"name: a, trunk: sip:h, user: me, password-env: hunter2!", "is not the name of an environment variable"},
		"a local prefix":   {"name: a, trunk: sip:h, prefixes: ['05']", "prefixes: "},
		"too many lines":   {"name: a, trunk: sip:h, lines: 100000", "lines: "},
		"nobody proves":    {"name: a, trunk: sip:h, inbound-digest: md5", "inbound-digest: needs user"},
		"unknown digest":   {"name: a, trunk: sip:h, user: u, password-env: P, inbound-digest: sha", "inbound-digest: "},
		"nobody registers": {"name: a, trunk: sip:h, register: true", "user: "},
		"keys in clear":    {"name: a, trunk: sip:h, srtp: true", "srtp: "},
		"a codec":          {"name: a, trunk: sip:h, codecs: [gsm]", "codecs: "},
		"a header":         {"name: a, trunk: sip:h, caller-in: to", "caller-in: "},
		"no port":          {"name: a, trunk: sip:h, listen: 0.0.0.0", "listen: "},
		"lines and ports":  {"name: a, trunk: sip:h, lines: 600", "sip-media-ports"},
	} {
		file := writeFile(t, "carrier: sip\nsip-trunks: [{"+c.entry+"}]\n")
		_, err := loadConfig(t, nil, "serve", "--config", file)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestParseAuthorities: a text of certificates is taken with what stands around them, anything else in it is refused.
func TestParseAuthorities(t *testing.T) {
	t.Parallel()
	peer := httptest.NewTLSServer(nil)
	defer peer.Close()
	encode := func(kind string, content []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}))
	}
	one := encode("CERTIFICATE", peer.Certificate().Raw)
	for name, c := range map[string]struct{ text, fault string }{
		"one":             {one, ""},
		"two":             {"subject=CN = pbx\n" + one + "\r\n\r\nissuer\n" + one, ""},
		"no text":         {" \n", ""},
		"no PEM":          {"/etc/munadi/pbx.pem", "has no certificate in PEM"},
		"cut off":         {one[:len(one)-40], "certificate 1 of 1 is cut off or damaged"},
		"second cut off":  {one + one[:len(one)/2], "certificate 2 of 2 is cut off or damaged"},
		"no certificate":  {encode("CERTIFICATE", []byte("x")), "certificate 1 of 1 cannot be used"},
		"key":             {one + encode("PRIVATE KEY", []byte("s3cret")), "PRIVATE KEY is no certificate"},
		"without the end": {strings.Replace(one, "-----END", "", 1), "certificate 1 of 1 is cut off or damaged"},
	} {
		roots, err := config.ParseAuthorities(c.text)
		if (err == nil) != (c.fault == "") || err != nil && !strings.HasPrefix(err.Error(), c.fault) {
			t.Errorf("%s: %v, want %q", name, err, c.fault)
		}
		if wanted := err == nil && name != "no text"; (roots != nil) != wanted {
			t.Errorf("%s: authorities %v", name, roots)
		}
	}
}

// TestSeveralInOneLine: beginnings and codecs that stand in one element of a list count each.
func TestSeveralInOneLine(t *testing.T) {
	t.Parallel()
	one := config.SIPTrunkSettings{
		Name: "pbx", Trunk: "sip:h", Prefixes: []string{"+966, +971"}, Codecs: []string{"g722,pcma"}, Callers: []string{"+966 +971"},
	}
	if found := one.FindFaults(); len(found) > 0 {
		t.Fatalf("refused: %v", found)
	}
	got := config.Default().CompleteTrunks([]config.SIPTrunkSettings{one})[0]
	if len(got.Prefixes) != 2 || len(got.Codecs) != 2 || len(got.Callers) != 2 {
		t.Errorf("prefixes %q, codecs %q, callers %q", got.Prefixes, got.Codecs, got.Callers)
	}
}
