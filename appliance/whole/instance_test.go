package whole_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"munadi/packaging/launcher"
)

// patience is the longest time for what takes a moment on an idle machine.
const patience = 3 * time.Minute

// instanceSettings are the settings of an appliance that a test starts.
type instanceSettings struct {
	data  string   // "" = a folder of its own
	args  []string // after serve
	env   []string // further variables; those of the caller with MUNADI_ are not passed on
	noKey bool     // without a bootstrap key
	bare  bool     // path is a script that has the arguments
}

// testInstance is a running appliance.
type testInstance struct {
	URL, Data string

	process  *launcher.Process
	log      *processLog
	pardoned bool     // a failed exit is expected
	tends    []string // substrings of error lines that the test expects in the log
	key      string   // below /api/v1; "": the bootstrap key
}

// startInstance runs an appliance until the test ends, and waits until it is ready.
func startInstance(t testing.TB, s instanceSettings) *testInstance {
	t.Helper()
	if s.data == "" {
		s.data = filepath.Join(t.TempDir(), "data")
	}
	a, err := launchProcess(builtBinary(t), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.endInstance(); err != nil {
			t.Errorf("the appliance: %v\n%s", err, a.log.lastLines())
		}
	})
	if err := a.awaitReady(); err != nil {
		t.Fatalf("%v\n%s", err, a.log.lastLines())
	}
	return a
}

// theShared is the appliance that all read-only tests share.
var theShared struct {
	once sync.Once
	a    *testInstance
	err  error
}

func sharedInstance(t testing.TB) *testInstance {
	t.Helper()
	path := builtBinary(t)
	theShared.once.Do(func() {
		a, err := launchProcess(path, instanceSettings{data: filepath.Join(scratch, "shared")})
		if err == nil {
			err = a.awaitReady()
		}
		theShared.a, theShared.err = a, err
	})
	if theShared.err != nil {
		t.Fatal(theShared.err)
	}
	return theShared.a
}

func stopShared() error {
	if theShared.a == nil {
		return nil
	}
	return theShared.a.endInstance()
}

// launchProcess starts the process and returns when its log names the address on which it listens.
func launchProcess(path string, s instanceSettings) (*testInstance, error) {
	a := &testInstance{Data: s.data, log: newLogbook()}
	args := launcher.ServeArgs(s.data, cacheDir(), s.args...)
	if s.bare {
		args = nil
	}
	env := append(newCommand(path).Env, s.env...)
	if !s.noKey {
		env = append(env, "MUNADI_BOOTSTRAP_API_KEY="+bootstrapKey)
	}
	p, err := launcher.StartProcess(launcher.LaunchOptions{
		Program: path, Args: args, Dir: scratch, Env: env, Log: a.log.addLine,
	})
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, a.log.lastLines())
	}
	a.process, a.URL = p, p.URL
	return a, nil
}

// newCommand returns a run of the binary without the caller's settings, in a folder without munadi.yaml.
func newCommand(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = scratch
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MUNADI_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	return cmd
}

// cacheDir is the folder with the unpacked ONNX Runtime, which all processes of the run share.
func cacheDir() string { return filepath.Join(scratch, "cache") }

// awaitReady polls /readyz until it answers 200.
func (a *testInstance) awaitReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return a.process.AwaitReady(ctx)
}

// processExited returns a channel that is closed when the process has ended.
func (a *testInstance) processExited() <-chan struct{} { return a.process.Exited() }

// probePath makes one GET; status 0 means no answer.
func (a *testInstance) probePath(ctx context.Context, path string) (status int, body string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL+path, nil)
	if err != nil {
		return 0, err.Error()
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err.Error()
	}
	return res.StatusCode, strings.TrimSpace(string(b))
}

func (a *testInstance) sendSignal(t testing.TB, s syscall.Signal) {
	t.Helper()
	mustSucceed(t, a.process.SendSignal(s))
}

// killProcess kills the process (SIGKILL, like a power cut) and returns when it has ended.
func (a *testInstance) killProcess(t testing.TB) {
	t.Helper()
	a.process.Kill()
	a.pardoned = true
}

// awaitExit returns the exit code; -1 for a signal.
func (a *testInstance) awaitExit(t testing.TB) int {
	t.Helper()
	select {
	case <-a.processExited():
		return a.process.ExitCode()
	case <-time.After(patience):
		t.Fatalf("still running\n%s", a.log.lastLines())
		return 0
	}
}

// stopGracefully ends the appliance by SIGTERM and expects exit code 0.
func (a *testInstance) stopGracefully(t testing.TB) {
	t.Helper()
	a.sendSignal(t, syscall.SIGTERM)
	if code := a.awaitExit(t); code != 0 {
		t.Fatalf("exit code %d after SIGTERM\n%s", code, a.log.lastLines())
	}
}

// endInstance stops the appliance if it still runs, and returns the faults of its whole run.
func (a *testInstance) endInstance() error {
	if err := a.process.Stop(patience); err != nil {
		return err
	}
	err := a.process.ExitError()
	if a.pardoned {
		err = nil
	}
	return errors.Join(err, a.log.faultLines(a.tends))
}

// processLog is the output of a process, which tests can wait for.
type processLog struct {
	mu   sync.Mutex
	text bytes.Buffer
	grew chan struct{} // closed and replaced at each write
}

func newLogbook() *processLog { return &processLog{grew: make(chan struct{})} }

// addLine appends a line.
func (l *processLog) addLine(line string) { _, _ = l.Write([]byte(line + "\n")) } // a buffer has no write errors

func (l *processLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.grew)
	l.grew = make(chan struct{})
	return l.text.Write(p)
}

func (l *processLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// lastLines returns the last lines.
func (l *processLog) lastLines() string {
	lines := strings.Split(strings.TrimSpace(l.String()), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// awaitPattern returns the pattern's submatches as soon as the log matches it, or an error when ended is closed or the
// time is up.
func (l *processLog) awaitPattern(pattern *regexp.Regexp, ended <-chan struct{}) ([]string, error) {
	deadline := time.After(patience)
	for {
		l.mu.Lock()
		found, grew := pattern.FindStringSubmatch(l.text.String()), l.grew
		l.mu.Unlock()
		if found != nil {
			return found, nil
		}
		select {
		case <-grew:
		case <-ended:
			return nil, fmt.Errorf("it ended without saying %s", pattern)
		case <-deadline:
			return nil, fmt.Errorf("it never said %s", pattern)
		}
	}
}

// faultLines returns an error with the error lines of the log, except those that contain an allowed substring.
func (l *processLog) faultLines(allowed []string) error {
	var errs []error
	if _, stack, died := strings.Cut(l.String(), "\ngoroutine "); died {
		errs = append(errs, errors.New("goroutine "+stack[:min(len(stack), 4000)]))
	}
	for line := range strings.Lines(l.String()) {
		if !strings.Contains(line, "level=ERROR") && !strings.Contains(line, `"level":"ERROR"`) && !strings.Contains(line, "panic") &&
			!strings.Contains(line, bootstrapKey) {
			continue
		}
		expected := false
		for _, part := range allowed {
			expected = expected || strings.Contains(line, part)
		}
		if !expected {
			errs = append(errs, errors.New("the log says: "+line))
		}
	}
	return errors.Join(errs...)
}
