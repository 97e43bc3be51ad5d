package whole_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// rsyslogServer is Debian's rsyslog, which writes messages into a file.
type rsyslogServer struct {
	folder, port string
	secured      bool // by the certificate in the folder
	identified   bool // it accepts the client certificate of the folder alone
	process      *exec.Cmd
}

// newRsyslog prepares an rsyslog that does not run yet.
func newRsyslog(t *testing.T, secured bool) *rsyslogServer {
	t.Helper()
	if _, err := os.Stat("/usr/sbin/rsyslogd"); err != nil {
		skipOrFail(t, "no rsyslog: packaging/setup test")
	}
	s := &rsyslogServer{folder: t.TempDir(), port: freePort(t), secured: secured}
	global, module := "", ""
	if secured {
		newCertificatePair(t, s.path("cert.pem"), s.path("key.pem"))
		global = fmt.Sprintf(` DefaultNetstreamDriverCAFile=%[1]q DefaultNetstreamDriverCertFile=%[1]q DefaultNetstreamDriverKeyFile=%q`,
			s.path("cert.pem"), s.path("key.pem"))
		module = ` StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="anon"`
	}
	s.configure(t, global, module)
	t.Cleanup(s.stop)
	return s
}

// newIdentifyingRsyslog prepares an rsyslog that accepts only clients with a certificate of its authority
// (x509/certvalid), as an appliance has with [rsyslogServer.args].
func newIdentifyingRsyslog(t *testing.T) *rsyslogServer {
	t.Helper()
	s := newRsyslog(t, true)
	s.identified = true
	newCertificatePair(t, s.path("client.pem"), s.path("client-key.pem"))
	trusted := append(mustRead(t, s.path("cert.pem")), mustRead(t, s.path("client.pem"))...)
	mustSucceed(t, os.WriteFile(s.path("trusted.pem"), trusted, 0o600))
	s.configure(t, fmt.Sprintf(
		` DefaultNetstreamDriverCAFile=%q DefaultNetstreamDriverCertFile=%q DefaultNetstreamDriverKeyFile=%q`,
		s.path("trusted.pem"), s.path("cert.pem"), s.path("key.pem")),
		` StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="x509/certvalid"`)
	return s
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	mustSucceed(t, err)
	return content
}

// configure writes rsyslog's file, with further global and module parameters.
func (s *rsyslogServer) configure(t *testing.T, global, module string) {
	t.Helper()
	mustSucceed(t, os.WriteFile(s.path("rsyslog.conf"), fmt.Appendf(nil, `global(workDirectory=%q%s)
module(load="imtcp"%s)
template(name="raw" type="string" string="%%rawmsg%%\n")
input(type="imtcp" port=%q address="127.0.0.1")
action(type="omfile" file=%q template="raw")
`, s.folder, global, module, s.port, s.path("messages")), 0o600))
}

func (s *rsyslogServer) path(name string) string { return filepath.Join(s.folder, name) }

// args are the appliance's arguments to send to it.
func (s *rsyslogServer) args() []string {
	if !s.secured {
		return []string{"--syslog", "tcp://127.0.0.1:" + s.port}
	}
	args := []string{"--syslog", "tls://localhost:" + s.port, "--syslog-ca", s.path("cert.pem")}
	if s.identified {
		args = append(args, "--syslog-cert", s.path("client.pem"), "--syslog-key", s.path("client-key.pem"))
	}
	return args
}

func (s *rsyslogServer) start(t *testing.T) {
	t.Helper()
	s.process = exec.Command("/usr/sbin/rsyslogd", "-n", "-f", s.path("rsyslog.conf"), "-i", s.path("pid"))
	s.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	mustSucceed(t, s.process.Start())
	awaitPort(t, s.port)
}

func (s *rsyslogServer) stop() {
	if s.process != nil {
		_ = s.process.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = s.process.Wait()
		s.process = nil
	}
}

// dataOfEntry matches what names an entry in a message.
var dataOfEntry = regexp.MustCompile(`^<109>1 \S+ \S+ munadi \d+ \S+ \[audit@32473 organization="default".* chain="(\S+)" number="(\d+)" hash="(\w+)"\] \x{feff}`)

// listEntries returns the entries that were received, each as chain, number and hash.
func (s *rsyslogServer) listEntries(t *testing.T) (all []string) {
	t.Helper()
	content, err := os.ReadFile(s.path("messages"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(content)) {
		found := dataOfEntry.FindStringSubmatch(line)
		if found == nil {
			t.Fatalf("received %q", line)
		}
		all = append(all, strings.Join(found[1:], " "))
	}
	return all
}

// exportEntries returns the entries of the audit log in the same form.
func (a *testInstance) exportEntries(t *testing.T) (all []string) {
	t.Helper()
	exported := a.requestAPI(t, http.MethodGet, "/audit", nil).wantStatus(t, 200)
	for line := range bytes.Lines(exported.Body) {
		var one struct {
			Chain string
			Seq   uint64
			Hash  []byte
			Entry *struct{}
		}
		mustSucceed(t, json.Unmarshal(line, &one))
		if one.Entry != nil {
			all = append(all, fmt.Sprint(one.Chain, " ", one.Seq, " ", hex.EncodeToString(one.Hash)))
		}
	}
	return all
}

// changeRules makes n entries.
func (a *testInstance) changeRules(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"kill_switch": i%2 == 0}).wantStatus(t, 200)
	}
}

// awaitAll waits until rsyslog has every entry of the audit logs of appliances, each once and in order, and no other.
func (s *rsyslogServer) awaitAll(t *testing.T, appliances ...*testInstance) {
	t.Helper()
	var logs [][]string
	entries := 0
	for _, a := range appliances {
		want := a.exportEntries(t)
		logs, entries = append(logs, want), entries+len(want)
	}
	for deadline := time.Now().Add(conversation); len(s.listEntries(t)) < entries; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d entries came\n%s", len(s.listEntries(t)), entries, appliances[0].log.lastLines())
		}
	}
	all := s.listEntries(t)
	if len(all) != entries {
		t.Errorf("rsyslog has %d entries, want %d", len(all), entries)
	}
	for _, want := range logs {
		got := slices.DeleteFunc(slices.Clone(all), func(entry string) bool { return !slices.Contains(want, entry) })
		if !slices.Equal(got, want) {
			t.Errorf("rsyslog has\n%s\nthe audit log\n%s\nall\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"),
				strings.Join(all, "\n"))
		}
	}
}

// TestAuditReachesRsyslog checks that rsyslog gets every entry of the audit log once and in order, over an outage of it
// and a kill of the appliance; and that munadi doctor says how it goes.
func TestAuditReachesRsyslog(t *testing.T) {
	t.Parallel()
	for name, secured := range map[string]bool{"TCP": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newRsyslog(t, secured)
			server.start(t)
			a := startFastCalls(t, instanceSettings{args: server.args()})
			a.changeRules(t, 20)
			server.awaitAll(t, a)
			checked := func(args ...string) string {
				return runMunadi(t, nil, append([]string{"doctor", "--data", a.Data, "--cache", cacheDir()}, args...)...).stdout
			}
			if told := checked(); !regexp.MustCompile(`(?m)^ok +syslog`).MatchString(told) {
				t.Errorf("munadi doctor says\n%s", told)
			}
			server.stop()
			a.changeRules(t, 10)
			if told := checked(); !regexp.MustCompile(`(?m)^FAIL +syslog`).MatchString(told) {
				t.Errorf("munadi doctor says while it is away\n%s", told)
			}
			a.killProcess(t)
			b := startFastCalls(t, instanceSettings{data: a.Data, noKey: true, args: server.args()})
			b.changeRules(t, 10)
			server.start(t)
			server.awaitAll(t, b)
		})
	}
}

// TestTwoAppliancesToOneRsyslog: two appliances with a client certificate send to one rsyslog that accepts nobody
// without; it has both chains whole, and both verify.
func TestTwoAppliancesToOneRsyslog(t *testing.T) {
	t.Parallel()
	server := newIdentifyingRsyslog(t)
	server.start(t)
	a, b := startFastCalls(t, instanceSettings{args: server.args()}), startFastCalls(t, instanceSettings{args: server.args()})
	for range 3 { // the two take turns
		a.changeRules(t, 5)
		b.changeRules(t, 5)
	}
	server.awaitAll(t, a, b)
	for _, one := range []*testInstance{a, b} {
		told := runMunadi(t, nil, "audit", "verify", "--data", one.Data)
		if told.code != 0 {
			t.Errorf("munadi audit verify: %d\n%s%s", told.code, told.stdout, told.stderr)
		}
	}
	server.identified = false
	unknown := startFastCalls(t, instanceSettings{args: server.args()})
	unknown.changeRules(t, 1)
	refused := regexp.MustCompile(`(?m)^FAIL +syslog`)
	for deadline := time.Now().Add(conversation); ; {
		told := runMunadi(t, nil, "doctor", "--data", unknown.Data, "--cache", cacheDir()).stdout
		if refused.MatchString(told) {
			break
		}
		if time.Now().After(deadline) { // a busy server refuses later than the check waits
			t.Fatalf("without the client certificate munadi doctor says\n%s", told)
		}
	}
	server.awaitAll(t, a, b) // and no other's
}
