package sip_test

import (
	"testing"
	"time"

	"munadi/appliance/carrier/sip"
)

func TestReason(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int{
		"Q.850;cause=16":                                     16,
		`Q.850 ;cause=17 ;text="User busy"`:                  17,
		`q.850;text="a;cause=3, b";Cause=21`:                 21,
		`SIP;cause=200;text="Call completed elsewhere"`:      0,
		`SIP;cause=603;text="no, \"never\"", Q.850;cause=21`: 21,
		"Q.850;cause=0":                                      0,
		"Q.850;cause=128":                                    0,
		"Q.850;cause=sixteen":                                0,
		"Q.850":                                              0,
		"":                                                   0,
		`"Q.850;cause=16`:                                    0,
		"Q.850;cause=16;cause=17":                            16,
		"preemption;cause=1;text=\"UA\" , Q.850 ; cause = 34  ": 34,
	} {
		if got, ok := sip.ParseReason(value); got != want || ok != (want != 0) {
			t.Errorf("%q is cause %d (%v), want %d", value, got, ok, want)
		}
	}
}

func FuzzReason(f *testing.F) {
	f.Add(`SIP;cause=603;text="no, \"never\"", Q.850;cause=21`)
	f.Add(`Q.850;text="\`)
	f.Fuzz(func(t *testing.T, value string) {
		if cause, ok := sip.ParseReason(value); ok != (cause >= 1 && cause <= 127) {
			t.Errorf("%q is cause %d (%v)", value, cause, ok)
		}
		if cause, ok := sip.ParseReason(`X;text="` + "Q.850" + `",Q.850;cause=18;` + value); cause != 18 || !ok {
			t.Errorf("behind it, %q hides a cause: %d", value, cause)
		}
	})
}

func TestRetryAfterHeader(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"120": 2 * time.Minute, " 18 ;duration=3600": 18 * time.Second, "60 (in a meeting)": time.Minute, "0": time.Second,
		"7200": time.Hour, "99999999999999999999": time.Hour, "": 0, "soon": 0, "-5": 0,
	} {
		if got := sip.RetryAfter(value); got != want {
			t.Errorf("%q is %v, want %v", value, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("120 (in a meeting);duration=3600")
	f.Fuzz(func(t *testing.T, value string) {
		if got := sip.RetryAfter(value); got < 0 || got > time.Hour || got != 0 && got < time.Second {
			t.Errorf("%q is %v", value, got)
		}
	})
}

func TestKeyOfInfo(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"Signal=5\r\nDuration=160\r\n": "5", "Signal= *\r\n": "*", "signal=#": "#", "Signal=11": "#", "10": "*",
		"d": "D", "7": "7", " 0 \r\n": "0", "Signal=!": "", "Signal=55": "", "": "", "Duration=160": "", "E": "",
	} {
		if got := sip.ParseKey([]byte(body)); got != want {
			t.Errorf("%q is key %q, want %q", body, got, want)
		}
	}
}

func FuzzKey(f *testing.F) {
	f.Add([]byte("Signal=5\r\nDuration=160\r\n"))
	f.Add([]byte("=\nsignal"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if key := sip.ParseKey(body); len(key) > 1 {
			t.Errorf("%q is key %q", body, key)
		}
	})
}

func FuzzFragment(f *testing.F) {
	f.Add([]byte("SIP/2.0 200 OK\r\n"))
	f.Add([]byte("sip/2.0 \t180"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if status, ok := sip.ParseFragment(body); ok && (status < 100 || status > 699) {
			t.Errorf("%q is status %d", body, status)
		}
	})
}

func TestTrunkNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"sip:sip.example.com":                    "sip.example.com (UDP)",
		"sip:192.0.2.7:5080;transport=tcp":       "192.0.2.7:5080 (TCP)",
		"sips:sip.example.com":                   "sip.example.com (TLS)",
		"sip:[2001:db8::7]:5061;transport=TLS":   "[2001:db8::7]:5061 (TLS)",
		"sip.example.com":                        "",
		"sip:user@sip.example.com":               "",
		"sip:":                                   "",
		"sip:sip.example.com;transport=sctp":     "",
		"https://sip.example.com":                "",
		"sip:sip.example.com:99999":              "",
		"sip:sip.example.com:5060\r\nInjected:x": "",
	} {
		got, err := sip.TrunkName(text)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q is %q (%v), want %q", text, got, err, want)
		}
	}
}

func FuzzTrunk(f *testing.F) {
	f.Add("sip:[2001:db8::7]:5061;transport=tls")
	f.Add("sips:sip.example.com?x=y")
	f.Fuzz(func(t *testing.T, text string) {
		name, err := sip.TrunkName(text)
		if err != nil {
			return
		}
		for _, r := range name {
			if r <= ' ' && r != ' ' || r == 0x7f {
				t.Errorf("%q is the trunk %q", text, name)
			}
		}
	})
}
