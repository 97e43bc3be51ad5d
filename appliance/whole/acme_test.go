package whole_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// domain is the name that certificates are requested for; the authority's DNS server resolves every name to this
// machine.
const domain = "calls.example.com"

// acmeAuthority is Pebble, Let's Encrypt's ACME test server, with its DNS server.
type acmeAuthority struct {
	directory, root string // URL, file with the root of issued certificates
	trust           string // file with the certificate of the authority's HTTPS listener
	http, tls       string // ports for the challenges
	log             *processLog
	stop            func()
}

// builtTool returns the path of a program that packaging/setup builds for tests.
func builtTool(t *testing.T, name string) string {
	t.Helper()
	path := projectPath(t, ".cache/bin/"+name)
	if _, err := os.Stat(path); err != nil {
		skipOrFail(t, "no "+name+": packaging/setup test builds it")
	}
	return path
}

// runInBackground runs a program until stop is called or the test ends.
func runInBackground(t *testing.T, log *processLog, path string, env []string, args ...string) (stop func()) {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), log, log
	mustSucceed(t, cmd.Start())
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	stop = func() { _ = cmd.Process.Kill(); <-done }
	t.Cleanup(stop)
	return stop
}

func newAuthority(t *testing.T) *acmeAuthority {
	t.Helper()
	dir, port, management, names := t.TempDir(), freePort(t), freePort(t), freePort(t)
	a := &acmeAuthority{
		directory: "https://localhost:" + port + "/dir", root: filepath.Join(dir, "root.pem"), log: newLogbook(),
		trust: filepath.Join(dir, "cert.pem"), http: freePort(t), tls: freePort(t),
	}
	newCertificatePair(t, a.trust, filepath.Join(dir, "key.pem"))
	settings, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": "127.0.0.1:" + port, "managementListenAddress": "127.0.0.1:" + management,
		"certificate": a.trust, "privateKey": filepath.Join(dir, "key.pem"), "httpPort": json.Number(a.http), "tlsPort": json.Number(a.tls),
		"ocspResponderURL": "", "externalAccountBindingRequired": false,
	}})
	mustSucceed(t, err)
	mustSucceed(t, os.WriteFile(filepath.Join(dir, "pebble.json"), settings, 0o600))
	runInBackground(t, a.log, builtTool(t, "pebble-challtestsrv"), nil, "-management", "", "-defaultIPv6", "", "-defaultIPv4", "127.0.0.1",
		"-dnsserver", "127.0.0.1:"+names, "-http01", "", "-https01", "", "-tlsalpn01", "", "-doh", "")
	a.stop = runInBackground(t, a.log, builtTool(t, "pebble"), []string{"PEBBLE_VA_NOSLEEP=1"},
		"-config", filepath.Join(dir, "pebble.json"), "-dnsserver", "127.0.0.1:"+names)
	a.fetchRoot(t, "https://localhost:"+management+"/roots/0")
	return a
}

// fetchRoot waits for the authority and saves its root certificate.
func (a *acmeAuthority) fetchRoot(t *testing.T, url string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: trustRoot(t, a.trust)}}
	for deadline := time.Now().Add(patience); ; <-time.After(50 * time.Millisecond) {
		res, err := client.Get(url)
		if err == nil {
			defer res.Body.Close()
			content, err := io.ReadAll(res.Body)
			mustSucceed(t, err)
			mustSucceed(t, os.WriteFile(a.root, content, 0o600))
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the authority does not answer: %v\n%s", err, a.log.lastLines())
		}
	}
}

// startWithCertificate starts an appliance that requests its certificate from the authority.
func (a *acmeAuthority) startWithCertificate(t *testing.T, s instanceSettings, more ...string) *testInstance {
	t.Helper()
	s.args = append([]string{
		"--tls", "acme", "--acme-domains", domain, "--acme-directory", a.directory, "--acme-email", "hostmaster@example.com",
	}, more...)
	s.env = []string{"SSL_CERT_FILE=" + a.trust}
	got, _ := startWithTLS(t, a.root, s)
	return got
}

// fetchByDomain requests a page by the domain and trusts only the authority's root.
func (a *acmeAuthority) fetchByDomain(t *testing.T, served *testInstance, path string) string {
	t.Helper()
	port := served.URL[strings.LastIndex(served.URL, ":")+1:]
	got, _ := runCurl(t, "--cacert", a.root, "--resolve", domain+":"+port+":127.0.0.1", "https://"+domain+":"+port+path)
	return got
}

// TestACME checks that a certificate is issued by the tls-alpn-01 challenge and stored.
func TestACME(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	data := filepath.Join(t.TempDir(), "data")
	a := authority.startWithCertificate(t, instanceSettings{data: data}, "--listen", "127.0.0.1:"+authority.tls)
	got := regexp.MustCompile(`msg="TLS certificate" domain=` + regexp.QuoteMeta(domain))
	_, err := a.log.awaitPattern(got, a.processExited())
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, a.log.lastLines(), authority.log.lastLines())
	}
	if got := authority.fetchByDomain(t, a, "/health"); !strings.HasSuffix(got, "[200]") {
		t.Errorf("%s", got)
	}
	if link := a.setUpLink(t); !strings.HasPrefix(link, "https://"+domain+":"+authority.tls+"/") {
		t.Errorf("the set-up link is %s", link)
	}
	if strings.Contains(authority.log.String(), "validate w/ HTTP") {
		t.Errorf("the challenge was not over TLS: %s", authority.log.lastLines())
	}
	orders := strings.Count(authority.log.String(), "Added order")
	if out, err := exec.Command("curl", "--silent", "--insecure", "--resolve", "other.example.com:"+authority.tls+":127.0.0.1",
		"https://other.example.com:"+authority.tls+"/health").CombinedOutput(); err == nil {
		t.Errorf("another name is answered: %s", out)
	}
	if now := strings.Count(authority.log.String(), "Added order"); now != orders {
		t.Errorf("a stranger's name made the appliance order a certificate: %d orders, %d before", now, orders)
	}
	serial := shownBy(t, a)
	a.stopGracefully(t)
	authority.stop()
	again := authority.startWithCertificate(t, instanceSettings{data: data}, "--listen", "127.0.0.1:"+authority.tls)
	if got := authority.fetchByDomain(t, again, "/health"); !strings.HasSuffix(got, "[200]") || shownBy(t, again) != serial {
		t.Errorf("after a restart without the authority: %s", got)
	}
	if info, err := os.Stat(filepath.Join(data, "tls", "acme", domain)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the kept certificate: %v, %v", info, err)
	}
}

// TestACMEOverHTTP checks that a certificate is issued by the http-01 challenge if the authority does not reach the TLS
// listener.
func TestACMEOverHTTP(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	a := authority.startWithCertificate(t, instanceSettings{}, "--redirect", "127.0.0.1:"+authority.http)
	_, err := a.log.awaitPattern(regexp.MustCompile(`msg="TLS certificate" domain=`+regexp.QuoteMeta(domain)), a.processExited())
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, a.log.lastLines(), authority.log.lastLines())
	}
	if got := authority.fetchByDomain(t, a, "/health"); !strings.HasSuffix(got, "[200]") {
		t.Errorf("%s", got)
	}
}

// TestACMERefused checks that a refused request is logged with the remedy, and that the appliance continues to serve.
func TestACMERefused(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	a := authority.startWithCertificate(t, instanceSettings{}) // the authority looks for it at another port
	_, err := a.log.awaitPattern(regexp.MustCompile(`the ACME CA issued no TLS certificate.*port 443.*--redirect :80`), a.processExited())
	if err != nil {
		t.Errorf("%v\n%s", err, a.log.lastLines())
	}
}
