package whole_test

import (
	"fmt"
	"strings"
	"testing"
)

// wrongSignIn signs in with an unknown name, as if forwarded from an address, and returns the status.
func wrongSignIn(t *testing.T, a *testInstance, name, forwarded string) string {
	t.Helper()
	got, _ := runCurl(t, "--output", "/dev/null", "-H", "X-Forwarded-For: "+forwarded, "-H", "X-Forwarded-Proto: https",
		"--data-urlencode", "name="+name, "--data-urlencode", "password=wrong password", a.URL+"/console/sign-in")
	return strings.TrimSpace(got)
}

// lockedAfter counts the failed sign-ins until one is refused by the lockout.
func lockedAfter(t *testing.T, a *testInstance, from func(i int) string) int {
	t.Helper()
	for i := range 40 {
		if wrongSignIn(t, a, fmt.Sprintf("nobody%d", i), from(i)) == "[429]" {
			return i
		}
	}
	return -1
}

// TestLockOutByAddress checks that twenty failed sign-ins lock an address out, with any names; behind a trusted proxy
// it is the client's address, and forwarded headers of other clients are ignored.
func TestLockOutByAddress(t *testing.T) {
	t.Parallel()
	trusting := startInstance(t, instanceSettings{args: []string{"--trusted-proxies", "127.0.0.0/8"}})
	if n := lockedAfter(t, trusting, func(int) string { return "198.51.100.7" }); n != 20 {
		t.Errorf("the client behind the proxy is locked after %d, want 20", n)
	}
	if got := wrongSignIn(t, trusting, "somebody", "198.51.100.8"); got != "[401]" {
		t.Errorf("another client behind the same proxy: %s", got)
	}
	if got := wrongSignIn(t, trusting, "somebody", "198.51.100.9, 198.51.100.7"); got != "[429]" {
		t.Errorf("the locked client behind a header of its own: %s", got)
	}
	if log := trusting.log.String(); !strings.Contains(log, "remote=198.51.100.7:") || !strings.Contains(log, "address=198.51.100.7") {
		t.Error("the log does not have the client's address")
	}
	direct := startInstance(t, instanceSettings{})
	if n := lockedAfter(t, direct, func(i int) string { return fmt.Sprintf("203.0.113.%d", i) }); n != 20 {
		t.Errorf("a client with ever new headers is locked after %d, want 20", n)
	}
	if strings.Contains(direct.log.String(), "203.0.113.") {
		t.Error("the log believes a stranger's header")
	}
}

// TestLockOutByAccount checks that five wrong passwords lock an account out, from any address.
func TestLockOutByAccount(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--trusted-proxies", "127.0.0.0/8"}})
	for i := range 5 {
		if got := wrongSignIn(t, a, "Admin", fmt.Sprintf("198.51.100.%d", i)); got != "[401]" {
			t.Fatalf("attempt %d: %s", i, got)
		}
	}
	if got := wrongSignIn(t, a, "admin", "203.0.113.1"); got != "[429]" {
		t.Errorf("the sixth attempt on an account: %s", got)
	}
}

// TestProxySaysWhatIsEncrypted checks that cookies and warnings follow the forwarded scheme of a trusted proxy, and of
// no other client.
func TestProxySaysWhatIsEncrypted(t *testing.T) {
	t.Parallel()
	open := []string{"--listen", "0.0.0.0:0"}
	for name, c := range map[string]struct {
		args   []string
		cookie string
		warned bool
	}{
		"trusted":  {append(open, "--trusted-proxies", "127.0.0.1"), "__Host-munadi_lang=en", false},
		"stranger": {append(open, "--trusted-proxies", "192.0.2.0/24"), "munadi_lang=en", true},
		"nobody":   {open, "munadi_lang=en", true},
	} {
		a := startInstance(t, instanceSettings{args: c.args})
		a.URL = strings.Replace(a.URL, "[::]", "127.0.0.1", 1)
		for _, page := range []string{"/", "/console/sign-in", "/docs"} {
			got, _ := runCurl(t, "--include", "-H", "X-Forwarded-Proto: https", "-H", "X-Forwarded-For: 198.51.100.7", a.URL+page+"?lang=en")
			if strings.Contains(got, `class="banner"`) != c.warned {
				t.Errorf("%s, %s: warned %v, want %v", name, page, !c.warned, c.warned)
			}
			if page != "/docs" && !strings.Contains(got, "Set-Cookie: "+c.cookie) {
				t.Errorf("%s, %s: no cookie %s: %.900s", name, page, c.cookie, got)
			}
		}
		if said := strings.Contains(a.log.String(), "not encrypted (HTTP): passwords"); said != (name == "nobody") {
			t.Errorf("%s: the log warns: %v", name, said)
		}
	}
}
