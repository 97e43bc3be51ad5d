package audio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// helperMark in the environment of a child keeps it from having children of its own: a program that does not know the
// hidden subcommand would otherwise start itself without end.
const helperMark = "MUNADI_DECODE_AUDIO"

// stderrBytes of a child's complaints are kept, for the log.
const stderrBytes = 4096

// process is a running child whose output is read from out.
type process struct {
	out    *os.File
	cmd    *exec.Cmd
	cancel context.CancelFunc
	done   chan struct{} // closed when it is reaped
	err    error         // of Wait; read after done
	stderr tail
	closed sync.Once
}

// startChild runs the helper with args on in. It waits for a slot, and dies with ctx.
func startChild(ctx context.Context, in io.Reader, opt Options, args ...string) (*process, error) {
	if os.Getenv(helperMark) != "" {
		return nil, errors.New("audio: a decoder process cannot start another one")
	}
	argv := opt.Helper
	if len(argv) == 0 {
		argv = []string{"/proc/self/exe", "decode-audio"} // lives on when the file is replaced
	}
	if err := acquire(ctx, opt.Slots); err != nil {
		return nil, err
	}
	p, err := spawn(ctx, in, append(argv[1:len(argv):len(argv)], args...), argv[0], func() { release(opt.Slots) })
	if err != nil {
		release(opt.Slots)
		return nil, fmt.Errorf("audio: start decoder process: %w", err)
	}
	return p, nil
}

func spawn(ctx context.Context, in io.Reader, args []string, path string, reaped func()) (*process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &process{out: r, cancel: cancel, done: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, path, args...)
	p.cmd.Env = []string{helperMark + "=1", "GOMAXPROCS=2"}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in, w, &p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Cancel = func() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
	p.cmd.WaitDelay = 10 * time.Second
	err = p.cmd.Start()
	w.Close()
	if err != nil {
		cancel()
		r.Close()
		return nil, err
	}
	go func() {
		defer close(p.done)
		defer reaped()
		p.err = p.cmd.Wait()
	}()
	return p, nil
}

// wait returns how the child ended: nil if well.
func (p *process) wait() error {
	<-p.done
	if p.err == nil {
		return nil
	}
	return fmt.Errorf("decoder process: %w: %s", p.err, p.stderr.String())
}

// close kills the child if it still runs, and reaps it. It is safe to call it twice.
func (p *process) close() (err error) {
	p.closed.Do(func() {
		p.cancel()
		<-p.done
		err = p.out.Close()
	})
	return err
}

// acquire takes a place of each of the slots, in their order.
func acquire(ctx context.Context, slots []chan struct{}) error {
	for i, s := range slots {
		select {
		case s <- struct{}{}:
		case <-ctx.Done():
			release(slots[:i])
			return context.Cause(ctx)
		}
	}
	return nil
}

func release(slots []chan struct{}) {
	for _, s := range slots {
		<-s
	}
}

// tail keeps the last bytes written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - stderrBytes; over > 0 {
		t.buf = t.buf[:copy(t.buf, t.buf[over:])]
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.buf))
}

// childInput is what to give a child as its standard input: the file itself where that is possible.
func childInput(r io.ReadSeeker) io.Reader {
	f, ok := r.(*os.File)
	if !ok {
		return struct{ io.Reader }{r}
	}
	return f
}

// childSeconds is the processor time that a child may take: far more than any honest recording needs.
func childSeconds(limit time.Duration) string {
	if limit <= 0 {
		limit = 24 * time.Hour
	}
	return strconv.Itoa(30 + int(limit.Seconds()/10))
}

// childSource is an Ogg or WebM recording that a child decodes.
type childSource struct {
	p      *process
	wire   *wireReader
	format wireFormat
}

func openChild(ctx context.Context, r io.ReadSeeker, found finding, opt Options) (source, error) {
	job := jobOgg
	if found.kind == kindWebM {
		job = jobWebM
	}
	p, err := startChild(ctx, childInput(r), opt, job, childSeconds(opt.MaxDuration), opt.Channel.name())
	if err != nil {
		return nil, err
	}
	s := &childSource{p: p, wire: newWireReader(p.out)}
	s.format, err = s.wire.format()
	if errors.Is(err, io.EOF) {
		err = errEmpty()
	}
	if err != nil {
		return nil, closing(s.explain(err), s)
	}
	return s, nil
}

func (s *childSource) Format() Format { return s.format.Format }
func (s *childSource) Layout() layout { return layout{s.format.Rate, 1} }
func (s *childSource) Close() error   { return s.p.close() }

func (s *childSource) Read(p []float32) (int, error) {
	n, err := s.wire.samples(p)
	if err != nil {
		err = s.explain(err)
	}
	return n, err
}

// explain makes a fault of a child that died: of its limits, or of a decoder's bug.
func (s *childSource) explain(err error) error {
	if !errors.Is(err, errLost) {
		return err
	}
	return damaged("it cannot be decoded within the limits of time and memory", errors.Join(err, s.p.wait()))
}
