// Package launcher runs munadi as a child process and observes it from outside: for the end-to-end tests, the
// benchmarks and the soak test.
package launcher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// startTimeout is how long a start may take until it listens, on a machine that is busy with other things.
const startTimeout = 2 * time.Minute

// LaunchOptions are the options of the process.
type LaunchOptions struct {
	Program string
	Args    []string          // all of them; see ServeArgs
	Dir     string            // working directory; empty: the caller's
	Env     []string          // the whole environment; nil: the caller's
	Log     func(line string) // receives each line of the log, without its end; may be nil
	Clock   time.Duration     // how far its wall clock is ahead, in whole seconds; negative: behind
}

// ServeArgs are the arguments of an appliance on a free port of this machine with these folders.
func ServeArgs(data, cache string, more ...string) []string {
	return append([]string{"serve", "--listen", "127.0.0.1:0", "--data", data, "--cache", cache}, more...)
}

// Process is a running appliance.
type Process struct {
	URL string // where it listens

	cmd    *exec.Cmd
	exited chan struct{}
	err    error // of its exit
}

// listening matches the log line with the listener's address, as text and as JSON.
var listening = regexp.MustCompile(`msg"?[=:]"?listening"?[ ,]"?addr"?[=:]"?([^\s",]+)`)

// StartProcess starts an appliance and returns when its log names its listen address. After an error no process runs.
func StartProcess(o LaunchOptions) (*Process, error) {
	p := &Process{cmd: exec.Command(o.Program, o.Args...), exited: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = o.Dir, o.Env
	address := make(chan string, 1)
	lines := &lineWriter{take: func(line string) {
		if o.Log != nil {
			o.Log(line)
		}
		if m := listening.FindStringSubmatch(line); m != nil {
			select {
			case address <- m[1]:
			default: // it has said so before
			}
		}
	}}
	p.cmd.Stdout, p.cmd.Stderr = lines, lines
	if err := startWithClock(p.cmd, o.Clock); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	select {
	case at := <-address:
		p.URL = "http://" + at
		return p, nil
	case <-p.exited:
		return nil, fmt.Errorf("%s ended before it listened: %w", o.Program, p.err)
	case <-time.After(startTimeout):
		p.Kill()
		return nil, errors.New("it does not listen")
	}
}

// AwaitReady waits until /readyz answers 200.
func (p *Process) AwaitReady(ctx context.Context) error {
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/readyz", nil)
		if err != nil {
			return err
		}
		if res, err := http.DefaultClient.Do(r); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.exited:
			return fmt.Errorf("ended before it was ready: %w", p.err)
		case <-ctx.Done():
			return fmt.Errorf("never ready: %w", ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Exited is closed when the process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// ExitError returns the error of its exit; nil while it runs, and after exit code 0.
func (p *Process) ExitError() error {
	select {
	case <-p.exited:
		return p.err
	default:
		return nil
	}
}

// ExitCode returns the exit code of a process that has ended; -1 after a signal.
func (p *Process) ExitCode() int { return p.cmd.ProcessState.ExitCode() }

// PID returns the id of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// SendSignal sends a signal.
func (p *Process) SendSignal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Kill ends it as a power cut would, and returns when it is gone.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may be dead already
	<-p.exited
	http.DefaultClient.CloseIdleConnections()
}

// Stop shuts it down gracefully (SIGTERM), and kills it after the timeout, which is an error. A process that has ended
// is left alone.
func (p *Process) Stop(timeout time.Duration) error {
	_ = p.SendSignal(syscall.SIGTERM) // it may be gone already
	select {
	case <-p.exited:
		return nil
	case <-time.After(timeout):
		p.Kill()
		return errors.New("did not end by SIGTERM")
	}
}

// ProcessorTime returns its CPU time, in user and system mode (proc(5)).
func (p *Process) ProcessorTime() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.PID()))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11]) // hundredths of a second
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// lineWriter splits the written bytes into lines.
type lineWriter struct {
	take func(line string)
	mu   sync.Mutex
	rest []byte
}

func (w *lineWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest = append(w.rest, b...)
	for {
		line, rest, whole := bytes.Cut(w.rest, []byte{'\n'})
		if !whole {
			return len(b), nil
		}
		w.take(string(line))
		w.rest = append(w.rest[:0], rest...)
	}
}
