package whole_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// settingsFileInstance is an appliance with a settings file.
type settingsFileInstance struct {
	*testInstance
	t    *testing.T
	file string
}

// usual are the lines that every file of these tests has.
const usual = "rate-limit: 0\n"

func startSettled(t *testing.T) *settingsFileInstance {
	t.Helper()
	s := &settingsFileInstance{t: t, file: filepath.Join(t.TempDir(), "munadi.yaml")}
	s.writeSettings("")
	s.testInstance = startInstance(t, instanceSettings{args: []string{"--config", s.file}})
	return s
}

func (s *settingsFileInstance) writeSettings(lines string) {
	s.t.Helper()
	mustSucceed(s.t, os.WriteFile(s.file, []byte(usual+lines), 0o600))
}

// reloadSettings runs munadi reload.
func (s *settingsFileInstance) reloadSettings() commandOutcome {
	s.t.Helper()
	return runMunadi(s.t, nil, "reload", "--data", s.Data)
}

// putSettings writes the file and reloads it, which must succeed and print these words.
func (s *settingsFileInstance) putSettings(lines string, says ...string) {
	s.t.Helper()
	s.writeSettings(lines)
	got := s.reloadSettings()
	for _, word := range says {
		if got.code != 0 || !strings.Contains(got.stdout, word) {
			s.t.Fatalf("%q: %+v", lines, got)
		}
	}
}

// uploadStatus uploads a recording of this many bytes and returns the status.
func (s *settingsFileInstance) uploadStatus(size int) int {
	s.t.Helper()
	return s.postForm(s.t, transcriptions, withFile(bytes.Repeat([]byte{1}, size))).Status
}

// forwardedMetricsStatus returns the status of /metrics for a client on another machine.
func (s *settingsFileInstance) forwardedMetricsStatus(token string) int {
	s.t.Helper()
	return s.getPath(s.t, "/metrics", withHeader("X-Forwarded-For", "192.0.2.1"), withKey(token)).Status
}

// privateWebhookStatus sets a webhook on this machine and returns the status.
func (s *settingsFileInstance) privateWebhookStatus() int {
	s.t.Helper()
	return s.requestAPI(s.t, http.MethodPut, "/webhook", jsonObject{"url": "http://127.0.0.1:9/hook", "enabled": false}).Status
}

// TestReloadRefusesAFaultyFile checks that every fault is reported with its line, that nothing of the file is applied,
// and that the old settings stay.
func TestReloadRefusesAFaultyFile(t *testing.T) {
	t.Parallel()
	s := startSettled(t)
	s.tends = append(s.tends, "the settings were not reloaded")
	s.putSettings("max-upload: 1KiB\n", "max-upload")
	s.writeSettings("max-upload: 2GiB\nlog-level: loud\n\nqueu: 3\nbackup-at: 25:00\n")
	s.reloadSettings().wantRefused(t, "reload", "the old settings stay",
		s.file+":3: log-level", s.file+":5: unknown key", `did you mean "queue"`, s.file+":6: backup-at")
	runMunadi(t, nil, "config", "--check", "--config", s.file).wantRefused(t, "config --check", s.file+":3: log-level")
	named := filepath.Join(t.TempDir(), "munadi.yaml") // what it names is checked, too
	mustSucceed(t, os.WriteFile(named, []byte("model: /nowhere\ntls-cert: "+named+"\ntls-key: "+named+"\n"), 0o600))
	runMunadi(t, nil, "config", "--check", "--config", named).wantRefused(t, "config --check of files", "2 faults",
		named+":1: model: there is no folder", named+":2: tls-cert: "+named+" holds no certificate")
	s.sendSignal(t, syscall.SIGHUP) // as a service manager does
	if _, err := s.log.awaitPattern(regexp.MustCompile(`(?s)not reloaded.*not reloaded.*munadi.yaml:5: unknown key`), s.processExited()); err != nil {
		t.Fatal(err)
	}
	if got := s.uploadStatus(2 << 10); got != http.StatusRequestEntityTooLarge {
		t.Errorf("an upload of 2 KiB: %d: the refused file counts", got)
	}
	s.writeSettings("max-upload: 1KiB\nmodel: " + t.TempDir() + "\n")
	s.reloadSettings().wantRefused(t, "a model that is none", "model")
	if status, body := s.probePath(t.Context(), "/readyz"); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	mustSucceed(t, os.Remove(s.file))
	s.reloadSettings().wantRefused(t, "no file", s.file)
}

// TestReloadTakesEffect checks that settings that can change at runtime do, and that the others are named.
func TestReloadTakesEffect(t *testing.T) {
	t.Parallel()
	s := startSettled(t)
	if got := s.privateWebhookStatus(); got != http.StatusOK {
		t.Fatalf("a private webhook: %d", got)
	}
	s.putSettings("webhook-to: public\n", "webhook-to")
	if got := s.privateWebhookStatus(); got != http.StatusUnprocessableEntity {
		t.Errorf("a private webhook where only public ones may be: %d", got)
	}
	s.putSettings("max-upload: 1KiB\n", "max-upload", "webhook-to")
	if got := s.uploadStatus(4 << 10); got != http.StatusRequestEntityTooLarge {
		t.Errorf("a large upload: %d", got)
	}
	s.putSettings("metrics-token: sesame\nlog-level: debug\nlines: 3\n", "metrics-token, log-level", "lines")
	if got := s.forwardedMetricsStatus("sesame"); got != http.StatusOK {
		t.Errorf("/metrics with the new token: %d", got)
	}
	if got := s.forwardedMetricsStatus("other"); got != http.StatusUnauthorized {
		t.Errorf("/metrics with another token: %d", got)
	}
	s.putSettings("threads: 1\nlisten: 127.0.0.1:1\nlog-format: json\n", "In force now: ", "threads", "Needs a restart: ", "log-format")
	if again := s.reloadSettings(); !strings.Contains(again.stdout, "Needs a restart: ") || strings.Contains(again.stdout, "In force") {
		t.Errorf("a second time: %+v", again)
	}
	s.putSettings("", "threads")
	mustSucceed(t, os.WriteFile(s.file, []byte("rate-limit: 2\n"), 0o600))
	s.sendSignal(t, syscall.SIGHUP)
	if _, err := s.log.awaitPattern(regexp.MustCompile(`the settings were reloaded" changed=rate-limit`), s.processExited()); err != nil {
		t.Fatal(err)
	}
	seen := map[int]int{}
	for range 4 {
		seen[s.privateWebhookStatus()]++
	}
	if seen[http.StatusOK] != 2 || seen[http.StatusTooManyRequests] != 2 {
		t.Errorf("with 2 requests a minute: %v", seen)
	}
}

// TestReloadTellsTheServiceManager checks that systemd is notified of the begin and the end of a reload, also of a
// failed one.
func TestReloadTellsTheServiceManager(t *testing.T) {
	t.Parallel()
	m := newManager(t, filepath.Join(t.TempDir(), "notify"))
	a := startInstance(t, instanceSettings{env: []string{"NOTIFY_SOCKET=" + m.path}})
	m.awaitState(t, "READY=1")
	a.sendSignal(t, syscall.SIGHUP)
	m.awaitState(t, "RELOADING=1")
	if between := m.awaitState(t, "READY=1"); len(between) > 0 {
		t.Errorf("told in between: %q", between)
	}
}

// TestReloadOfNothing checks a reload without a running appliance.
func TestReloadOfNothing(t *testing.T) {
	t.Parallel()
	runMunadi(t, nil, "reload", "--data", t.TempDir()).wantRefused(t, "reload", "no appliance runs")
}
