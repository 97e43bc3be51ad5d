package whole_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// startWithTLS starts an appliance with TLS; trust is the file with its root certificate, once it runs.
func startWithTLS(t *testing.T, trust string, s instanceSettings) (a *testInstance, root string) {
	t.Helper()
	if s.data == "" {
		s.data = filepath.Join(t.TempDir(), "data")
	}
	if root = trust; trust == "" {
		s.args = append(s.args, "--tls", "local")
		root = filepath.Join(s.data, "tls", "root.crt")
	}
	a, err := launchProcess(builtBinary(t), s)
	mustSucceed(t, err)
	t.Cleanup(func() {
		if err := a.endInstance(); err != nil {
			t.Errorf("the appliance: %v\n%s", err, a.log.lastLines())
		}
	})
	a.URL = strings.Replace(a.URL, "http://", "https://", 1)
	_, err = a.log.awaitPattern(regexp.MustCompile(`msg="model loaded" `), a.processExited())
	mustSucceed(t, err)
	return a, root
}

// trustRoot returns a TLS configuration that trusts only a root.
func trustRoot(t *testing.T, root string) *tls.Config {
	t.Helper()
	content, err := os.ReadFile(root)
	mustSucceed(t, err)
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(content) {
		t.Fatalf("%s is no certificate", root)
	}
	return &tls.Config{RootCAs: pool}
}

// TestLocalAuthority checks that curl trusts the appliance by the downloadable root, and only by it.
func TestLocalAuthority(t *testing.T) {
	t.Parallel()
	a, root := startWithTLS(t, "", instanceSettings{args: []string{"--redirect", "127.0.0.1:0"}})
	port := a.URL[strings.LastIndex(a.URL, ":"):]
	for _, base := range []string{a.URL, "https://localhost" + port} {
		if got, _ := runCurl(t, "--cacert", root, base+"/health"); !strings.HasSuffix(got, "[200]") {
			t.Errorf("%s: %s", base, got)
		}
	}
	if out, err := exec.Command("curl", "--silent", "--show-error", a.URL+"/health").CombinedOutput(); err == nil {
		t.Errorf("curl trusts it without the root: %s", out)
	}
	downloaded := filepath.Join(t.TempDir(), "munadi.crt")
	runCurl(t, "--insecure", "--output", downloaded, a.URL+"/console/certificate/munadi.crt")
	if got, _ := runCurl(t, "--cacert", downloaded, a.URL+"/health"); !strings.HasSuffix(got, "[200]") {
		t.Errorf("by the downloaded root: %s", got)
	}
	printed := runMunadi(t, nil, "tls", "root", "--data", a.Data)
	if content, err := os.ReadFile(root); err != nil || printed.stdout != string(content) || !strings.Contains(printed.stderr, "SHA-256 ") {
		t.Errorf("munadi tls root: %+v, %v", printed, err)
	}
	page, _ := runCurl(t, "--cacert", root, a.URL+"/console/certificate?lang=en")
	_, fingerprint, _ := strings.Cut(printed.stderr, "SHA-256 ")
	if !strings.Contains(page, strings.TrimSpace(fingerprint)) || !strings.Contains(page, "munadi.crt") {
		t.Errorf("the page has no fingerprint %s or no file: %.3000s", fingerprint, page)
	}
	if sign, _ := runCurl(t, "--cacert", root, a.URL+"/console/sign-in"); !strings.Contains(sign, "/console/certificate") {
		t.Error("the sign-in page does not lead to the certificate")
	}
	operateOverTLS(t, a, root)
}

// operateOverTLS does the operator's steps over TLS.
func operateOverTLS(t *testing.T, a *testInstance, root string) {
	t.Helper()
	link := a.setUpLink(t)
	if !strings.HasPrefix(link, a.URL+"/") {
		t.Errorf("the set-up link %s does not lead to %s", link, a.URL)
	}
	if made := runMunadi(t, nil, "keys", "create", "--data", a.Data, "--name", "kitchen"); !strings.HasPrefix(made.stdout, "mnd_") {
		t.Errorf("munadi keys create: %+v", made)
	}
	said := runMunadi(t, nil, "doctor", "--data", a.Data, "--tls", "local", "--listen", strings.TrimPrefix(a.URL, "https://"))
	if said.code != 0 || !regexp.MustCompile(`ok +encryption +certificate for .*localhost`).MatchString(said.stdout) {
		t.Errorf("munadi doctor: %+v", said)
	}
	o := a.newOperator(t)
	o.Transport = &http.Transport{TLSClientConfig: trustRoot(t, root)}
	o.openPage(link)
	o.submitForm(link, http.StatusOK, "password", "صقر فوق الجبل", "again", "صقر فوق الجبل")
	if page := o.openPage("/console/system"); !strings.Contains(page, a.URL) || !strings.Contains(page, "TLS · ") {
		t.Errorf("the system page says neither the address nor the certificate: %.2000s", page)
	}
	for _, c := range o.boundCookies(t) {
		if !strings.HasPrefix(c.Name, "__Host-") {
			t.Errorf("cookie %s is not bound to the host", c.Name)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, strings.Replace(a.URL, "https", "wss", 1)+"/compat/v1/realtime?intent=transcription",
		&websocket.DialOptions{
			HTTPClient: &http.Client{Transport: o.Transport}, HTTPHeader: http.Header{"Authorization": {"Bearer " + bootstrapKey}},
		})
	mustSucceed(t, err)
	defer ws.CloseNow() //nolint:errcheck // the test has ended
	if _, message, err := ws.Read(ctx); err != nil || !strings.Contains(string(message), "session.created") {
		t.Errorf("over wss: %s, %v", message, err)
	}
}

// boundCookies returns the console's cookies of the operator's browser, except the one that the test set.
func (o *consoleOperator) boundCookies(t *testing.T) (kept []*http.Cookie) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, o.base+"/console", nil)
	mustSucceed(t, err)
	for _, c := range o.Jar.Cookies(r.URL) {
		if c.Name != "munadi_lang" {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		t.Error("there is no cookie")
	}
	return kept
}

// TestRecordingOverTLS checks that the recording link of an ended call leads to the TLS listener and opens.
func TestRecordingOverTLS(t *testing.T) {
	t.Parallel()
	a, root := startWithTLS(t, "", instanceSettings{args: []string{"--time-scale", "20"}})
	auth := []string{"--cacert", root, "-H", bearer}
	booked, _ := runCurl(t, append(auth, "-d", `{"phone_number":"+966500000095","scenario_id":"appointment_confirmation",`+
		`"variables":{"date":"2026-12-03","time":"17:30"}}`, a.URL+"/api/v1/calls")...)
	id := regexp.MustCompile(`"call_[^"]+"`).FindString(booked)
	if id == "" {
		t.Fatal(booked)
	}
	var answer struct {
		Data struct {
			Status    string
			Recording string `json:"recording_url"`
		}
	}
	for deadline := time.Now().Add(conversation); answer.Data.Recording == ""; <-time.After(200 * time.Millisecond) {
		got, _ := runCurl(t, append(auth, a.URL+"/api/v1/calls/"+strings.Trim(id, `"`))...)
		mustSucceed(t, json.Unmarshal([]byte(strings.TrimSuffix(got, " [200]")), &answer))
		if time.Now().After(deadline) {
			t.Fatalf("no recording: %s", got)
		}
	}
	if !strings.HasPrefix(answer.Data.Recording, a.URL+"/") {
		t.Errorf("recording_url %s", answer.Data.Recording)
	}
	if got, _ := runCurl(t, "--cacert", root, "--location", "--output", filepath.Join(t.TempDir(), "call.wav"), answer.Data.Recording); got != " [200]" {
		t.Errorf("the recording: %s", got)
	}
}

// TestRedirect checks that browsers are redirected to TLS and API clients are not.
func TestRedirect(t *testing.T) {
	t.Parallel()
	a, _ := startWithTLS(t, "", instanceSettings{args: []string{"--redirect", "127.0.0.1:0"}})
	found, err := a.log.awaitPattern(regexp.MustCompile(`HTTP to HTTPS" addr=(\S+)`), a.processExited())
	mustSucceed(t, err)
	plain := "http://" + found[1]
	for args, want := range map[string]string{
		plain + "/console/sign-in?next=%2Fconsole": a.URL + "/console/sign-in?next=%2Fconsole [307]",
		plain + "/":                                           a.URL + "/ [307]",
		"--head " + plain + "/docs":                           a.URL + "/docs [307]",
		"-H Host:localhost " + plain + "/":                    strings.Replace(a.URL, "127.0.0.1", "localhost", 1) + "/ [307]",
		"-H Host:evil.example " + plain + "//evil.example/":   " [403]",
		"-H Host:evil.example " + plain + "/":                 a.URL + "/ [307]",
		"-d x=1 " + plain + "/console/sign-in":                " [403]",
		"-H X:y " + plain + "/api/v1/health":                  " [403]",
		plain + "/compat/v1/models":                           " [403]",
		plain + "/.well-known/acme-challenge/something-wrong": " [403]",
	} {
		got, _ := runCurl(t, append(strings.Fields(args), "--output", "/dev/null", "--write-out", "%{redirect_url} [%{http_code}]")...)
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// TestCertificateFiles checks certificate files made by openssl, which are renewed while the appliance runs.
func TestCertificateFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	newCertificatePair(t, cert, key)
	args := []string{"--tls-cert", cert, "--tls-key", key}
	a, _ := startWithTLS(t, cert, instanceSettings{args: args})
	if got, _ := runCurl(t, "--cacert", cert, a.URL+"/health"); !strings.HasSuffix(got, "[200]") {
		t.Error(got)
	}
	old := shownBy(t, a)
	mustSucceed(t, os.WriteFile(key, []byte("half a file"), 0o600))
	_, err := a.log.awaitPattern(regexp.MustCompile(`cannot be used; the old one stays.*holds no private key`), a.processExited())
	mustSucceed(t, err)
	if shownBy(t, a) != old {
		t.Error("a broken pair took the old one's place")
	}
	newCertificatePair(t, cert, key)
	_, err = a.log.awaitPattern(regexp.MustCompile(`a new TLS certificate serves`), a.processExited())
	mustSucceed(t, err)
	if got, _ := runCurl(t, "--cacert", cert, a.URL+"/health"); !strings.HasSuffix(got, "[200]") || shownBy(t, a) == old {
		t.Errorf("after the renewal: %s", got)
	}
	for name, says := range map[string][]string{
		"one of two": {"--tls-cert", cert}, "exchanged": {"--tls-cert", key, "--tls-key", cert},
	} {
		runMunadi(t, nil, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, name)}, says...)...).
			wantRefused(t, name, "tls-cert", "tls-key")
	}
}

// TestHSTS checks that HSTS is sent only with a publicly trusted certificate, and only if no other program on the
// host would be affected.
func TestHSTS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	newCertificatePair(t, cert, key)
	files := []string{"--tls-cert", cert, "--tls-key", key}
	trusted, _ := startWithTLS(t, cert, instanceSettings{args: files, env: []string{"SSL_CERT_FILE=" + cert}})
	untrusted, _ := startWithTLS(t, cert, instanceSettings{args: files})
	proxied := startInstance(t, instanceSettings{args: []string{"--trusted-proxies", "127.0.0.1"}})
	for _, c := range []struct {
		name string
		args []string
		want bool
	}{
		{"trusted, usual port", resolveTo(trusted, "https://"+domain), true},
		{"trusted, another port", resolveTo(trusted, "https://"+domain+":8443"), false},
		{"trusted, localhost", resolveTo(trusted, "https://localhost"), false},
		{"untrusted", resolveTo(untrusted, "https://"+domain), false},
		{"by a proxy", []string{"-H", "Host: " + domain, "-H", "X-Forwarded-Proto: https", proxied.URL}, true},
		{"by a proxy that does not encrypt", []string{"-H", "Host: " + domain, "-H", "X-Forwarded-Proto: http", proxied.URL}, false},
	} {
		got, _ := runCurl(t, append([]string{"--insecure", "--include"}, c.args...)...)
		if said := strings.Contains(strings.ToLower(got), "strict-transport-security: max-age=31536000\r"); said != c.want {
			t.Errorf("%s: %v, want %v: %.400s", c.name, said, c.want, got)
		}
	}
}

// resolveTo returns curl's arguments to reach an appliance by another name.
func resolveTo(a *testInstance, url string) []string {
	return []string{"--connect-to", "::" + strings.TrimPrefix(a.URL, "https://"), url + "/livez"}
}

// newCertificatePair creates a certificate for this machine.
func newCertificatePair(t *testing.T, cert, key string) {
	t.Helper()
	path, err := exec.LookPath("openssl")
	if err != nil {
		skipOrFail(t, "no openssl on this machine")
	}
	out, err := exec.CommandContext(t.Context(), path, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
		"-nodes", "-days", "100", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,DNS:"+domain+",IP:127.0.0.1",
		"-keyout", key, "-out", cert).CombinedOutput()
	if err != nil {
		t.Fatalf("openssl: %v\n%s", err, out)
	}
}

// shownBy returns the serial number of the certificate that the appliance presents now.
func shownBy(t *testing.T, a *testInstance) string {
	t.Helper()
	dialer := tls.Dialer{NetDialer: &net.Dialer{}, Config: &tls.Config{InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(a.URL, "https://"))
	mustSucceed(t, err)
	defer func() { _ = conn.Close() }()
	secured, _ := conn.(*tls.Conn)
	return secured.ConnectionState().PeerCertificates[0].SerialNumber.String()
}
