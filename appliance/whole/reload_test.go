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

// settled is an appliance whose settings stand in a file.
type settled struct {
	*instance
	t    *testing.T
	file string
}

// usual are lines that every file of these tests has.
const usual = "rate-limit: 0\n"

func startSettled(t *testing.T) *settled {
	t.Helper()
	s := &settled{t: t, file: filepath.Join(t.TempDir(), "munadi.yaml")}
	s.write("")
	s.instance = start(t, settings{args: []string{"--config", s.file}})
	return s
}

func (s *settled) write(lines string) {
	s.t.Helper()
	must(s.t, os.WriteFile(s.file, []byte(usual+lines), 0o600))
}

// reload is munadi reload.
func (s *settled) reload() outcome {
	s.t.Helper()
	return munadi(s.t, nil, "reload", "--data", s.Data)
}

// put writes the file and reloads it, which must succeed and say these words.
func (s *settled) put(lines string, says ...string) {
	s.t.Helper()
	s.write(lines)
	got := s.reload()
	for _, word := range says {
		if got.code != 0 || !strings.Contains(got.stdout, word) {
			s.t.Fatalf("%q: %+v", lines, got)
		}
	}
}

// upload sends that many bytes as a recording and is the status.
func (s *settled) upload(size int) int {
	s.t.Helper()
	return s.post(s.t, transcriptions, file(bytes.Repeat([]byte{1}, size))).Status
}

// forwarded is the status of /metrics for somebody beyond this machine.
func (s *settled) forwarded(token string) int {
	s.t.Helper()
	return s.get(s.t, "/metrics", header("X-Forwarded-For", "192.0.2.1"), key(token)).Status
}

// private sets a webhook in this machine and is the status.
func (s *settled) private() int {
	s.t.Helper()
	return s.ask(s.t, http.MethodPut, "/webhook", object{"url": "http://127.0.0.1:9/hook", "enabled": false}).Status
}

// TestReloadRefusesAFaultyFile: every fault is named with its line, nothing of the file counts, the old settings serve.
func TestReloadRefusesAFaultyFile(t *testing.T) {
	t.Parallel()
	s := startSettled(t)
	s.tends = append(s.tends, "the settings were not reloaded")
	s.put("max-upload: 1KiB\n", "max-upload")
	s.write("max-upload: 2GiB\nlog-level: loud\n\nqueu: 3\nbackup-at: 25:00\n")
	s.reload().refused(t, "reload", "the old settings stay",
		s.file+":3: log-level", s.file+":5: unknown key", `did you mean "queue"`, s.file+":6: backup-at")
	munadi(t, nil, "config", "--check", "--config", s.file).refused(t, "config --check", s.file+":3: log-level")
	s.signal(t, syscall.SIGHUP) // the same way as a service manager
	if _, err := s.log.await(regexp.MustCompile(`(?s)not reloaded.*not reloaded.*munadi.yaml:5: unknown key`), s.exited()); err != nil {
		t.Fatal(err)
	}
	if got := s.upload(2 << 10); got != http.StatusRequestEntityTooLarge {
		t.Errorf("an upload of 2 KiB: %d: the refused file counts", got)
	}
	s.write("max-upload: 1KiB\nmodel: " + t.TempDir() + "\n")
	s.reload().refused(t, "a model that is none", "model")
	if status, body := s.probe(t.Context(), "/readyz"); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	must(t, os.Remove(s.file))
	s.reload().refused(t, "no file", s.file)
}

// TestReloadTakesEffect: what can change while it runs does, and what cannot is named.
func TestReloadTakesEffect(t *testing.T) {
	t.Parallel()
	s := startSettled(t)
	if got := s.private(); got != http.StatusOK {
		t.Fatalf("a private webhook: %d", got)
	}
	s.put("webhook-to: public\n", "webhook-to")
	if got := s.private(); got != http.StatusUnprocessableEntity {
		t.Errorf("a private webhook where only public ones may be: %d", got)
	}
	s.put("max-upload: 1KiB\n", "max-upload", "webhook-to")
	if got := s.upload(4 << 10); got != http.StatusRequestEntityTooLarge {
		t.Errorf("a large upload: %d", got)
	}
	s.put("metrics-token: sesame\nlog-level: debug\nlines: 3\n", "metrics-token, log-level", "lines")
	if got := s.forwarded("sesame"); got != http.StatusOK {
		t.Errorf("/metrics with the new token: %d", got)
	}
	if got := s.forwarded("other"); got != http.StatusUnauthorized {
		t.Errorf("/metrics with another token: %d", got)
	}
	s.put("threads: 1\nlisten: 127.0.0.1:1\nlog-format: json\n", "In force now: ", "threads", "Needs a restart: ", "log-format")
	if again := s.reload(); !strings.Contains(again.stdout, "Needs a restart: ") || strings.Contains(again.stdout, "In force") {
		t.Errorf("a second time: %+v", again)
	}
	s.put("", "threads")
	must(t, os.WriteFile(s.file, []byte("rate-limit: 2\n"), 0o600))
	s.signal(t, syscall.SIGHUP)
	if _, err := s.log.await(regexp.MustCompile(`the settings were reloaded" changed=rate-limit`), s.exited()); err != nil {
		t.Fatal(err)
	}
	seen := map[int]int{}
	for range 4 {
		seen[s.private()]++
	}
	if seen[http.StatusOK] != 2 || seen[http.StatusTooManyRequests] != 2 {
		t.Errorf("with 2 requests a minute: %v", seen)
	}
}

// TestReloadTellsTheServiceManager: it hears when a reload begins and that it has ended, whatever came of it.
func TestReloadTellsTheServiceManager(t *testing.T) {
	t.Parallel()
	m := newManager(t, filepath.Join(t.TempDir(), "notify"))
	a := start(t, settings{env: []string{"NOTIFY_SOCKET=" + m.path}})
	m.await(t, "READY=1")
	a.signal(t, syscall.SIGHUP)
	m.await(t, "RELOADING=1")
	if between := m.await(t, "READY=1"); len(between) > 0 {
		t.Errorf("told in between: %q", between)
	}
}

// TestReloadOfNothing: without an appliance there is nothing to reload.
func TestReloadOfNothing(t *testing.T) {
	t.Parallel()
	munadi(t, nil, "reload", "--data", t.TempDir()).refused(t, "reload", "no appliance runs")
}
