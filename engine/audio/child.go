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

	"munadi/engine/audio/internal/ogg"
	"munadi/engine/audio/internal/webm"
	"munadi/engine/audio/internal/xiph"
)

// helperMark in a child's environment prevents recursion: without it, a program without the hidden
// subcommand would start itself endlessly.
const helperMark = "MUNADI_DECODE_AUDIO"

// stderrBytes is how much of a child's stderr is kept, for the log.
const stderrBytes = 4096

// childProcess is a running sandboxed child whose output is read from out.
type childProcess struct {
	out    *os.File
	cmd    *exec.Cmd
	cancel context.CancelFunc
	done   chan struct{} // closed when the process was reaped
	err    error         // of Wait; read after done
	stderr tailBuffer
	closed sync.Once
}

// startChild runs the helper with args on in. It waits for a slot, and is killed when ctx ends.
func startChild(ctx context.Context, in io.Reader, opt DecodeOptions, args ...string) (*childProcess, error) {
	if os.Getenv(helperMark) != "" {
		return nil, errors.New("audio: a decoder process cannot start another one")
	}
	argv := opt.Helper
	if len(argv) == 0 {
		argv = []string{"/proc/self/exe", "decode-audio"} // still valid when the file is replaced
	}
	release := func() {}
	if opt.AcquireSlot != nil {
		var err error
		if release, err = opt.AcquireSlot(ctx); err != nil {
			return nil, err
		}
	}
	p, err := startProcess(ctx, in, append(argv[1:len(argv):len(argv)], args...), argv[0], release)
	if err != nil {
		release()
		return nil, fmt.Errorf("audio: start decoder process: %w", err)
	}
	return p, nil
}

func startProcess(ctx context.Context, in io.Reader, args []string, path string, reaped func()) (*childProcess, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &childProcess{out: r, cancel: cancel, done: make(chan struct{})}
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

// waitChild waits for the child and returns its error, with its stderr; nil for success.
func (p *childProcess) waitChild() error {
	<-p.done
	if p.err == nil {
		return nil
	}
	return fmt.Errorf("decoder process: %w: %s", p.err, p.stderr.String())
}

// killChild kills the child if it still runs, and reaps it. It is idempotent.
func (p *childProcess) killChild() (err error) {
	p.closed.Do(func() {
		p.cancel()
		<-p.done
		err = p.out.Close()
	})
	return err
}

// tailBuffer keeps the last bytes written to it.
type tailBuffer struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tailBuffer) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - stderrBytes; over > 0 {
		t.buf = t.buf[:copy(t.buf, t.buf[over:])]
	}
	return len(b), nil
}

func (t *tailBuffer) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.buf))
}

// childInput returns a child's standard input: the file itself if r is one.
func childInput(r io.ReadSeeker) io.Reader {
	f, ok := r.(*os.File)
	if !ok {
		return struct{ io.Reader }{r}
	}
	return f
}

// childSeconds returns the CPU time limit of a child: far more than any valid recording needs.
func childSeconds(limit time.Duration) string {
	if limit <= 0 {
		limit = 24 * time.Hour
	}
	return strconv.Itoa(30 + int(limit.Seconds()/10))
}

// childSource is an Ogg or WebM recording decoded by a child.
type childSource struct {
	p      *childProcess
	wire   *wireReader
	format wireFormat
}

func openChild(ctx context.Context, r io.ReadSeeker, found sniffResult, opt DecodeOptions) (sampleSource, error) {
	job := jobOgg
	if found.kind == kindWebM {
		job = jobWebM
	}
	p, err := startChild(ctx, childInput(r), opt, job, childSeconds(opt.MaxDuration), opt.Channel.argumentName())
	if err != nil {
		return nil, err
	}
	s := &childSource{p: p, wire: newWireReader(p.out)}
	s.format, err = s.wire.readFormat()
	if errors.Is(err, io.EOF) {
		err = errEmpty()
	}
	if err != nil {
		return nil, closeWith(s.explainExit(err), s)
	}
	return s, nil
}

func (s *childSource) SoundFormat() SoundFormat   { return s.format.Format }
func (s *childSource) SampleLayout() sampleLayout { return sampleLayout{s.format.Rate, 1} }
func (s *childSource) Close() error               { return s.p.killChild() }

func (s *childSource) Read(p []float32) (int, error) {
	n, err := s.wire.readSamples(p)
	if err != nil {
		err = s.explainExit(err)
	}
	return n, err
}

// explainExit converts a crash of the child (resource limits, a decoder's bug) into an error of the recording.
func (s *childSource) explainExit(err error) error {
	if !errors.Is(err, errLost) {
		return err
	}
	err = errors.Join(err, s.p.waitChild())
	return newDamagedFault("it cannot be decoded within the limits of CPU time and memory", err)
}

// panicGuard recovers panics of in-process decoders of untrusted bytes, and clips their output to full scale.
type panicGuard struct {
	sampleSource
	dead bool
}

func (g *panicGuard) Read(p []float32) (n int, err error) {
	if g.dead {
		return 0, io.EOF
	}
	err = catchPanic(func() (err error) {
		n, err = g.sampleSource.Read(p)
		return err
	})
	g.dead = err != nil
	clampSamples(p[:n])
	return n, err
}

// catchPanic runs f; a panic becomes an error of the recording.
func catchPanic(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = newDamagedFault("it cannot be decoded", fmt.Errorf("decoder panicked: %v", r))
		}
	}()
	return f()
}

// Jobs of the child: the first word of its arguments.
const (
	jobOgg    = "ogg"
	jobWebM   = "webm"
	jobFFmpeg = "ffmpeg"
)

// helperUsage is the error for invalid arguments of the hidden subcommand.
const helperUsage = "audio: helper: usage: ogg|webm|ffmpeg, CPU time limit in seconds, mix|left|right"

// RunHelper is the hidden subcommand of DecodeOptions.Helper (sandboxed decoder process): it decodes untrusted Ogg or
// WebM bytes from in to out in the format of wire.go. It first gives up access to files, sockets, new programs and most
// memory, so it must run in a separate process. The error sets the exit status; errors of the recording are written to
// out.
func RunHelper(args []string, in io.Reader, out io.Writer) error {
	if len(args) < 2 {
		return errors.New(helperUsage)
	}
	seconds, err := strconv.ParseUint(args[1], 10, 31)
	if err != nil {
		return errors.New(helperUsage)
	}
	if args[0] == jobFFmpeg {
		return execConfined(seconds, args[2:])
	}
	if err := confineDecoder(seconds); err != nil {
		return fmt.Errorf("audio: helper: %w", err)
	}
	w, channel := newWireWriter(out), MixChannels
	if len(args) > 2 {
		channel = channelOf(args[2])
	}
	switch args[0] {
	case jobOgg:
		return w.writeEnd(decodeOgg(ogg.NewPages(in), w, channel))
	case jobWebM:
		return w.writeEnd(decodeWebM(in, w, channel))
	}
	return errors.New(helperUsage)
}

// sampleSink receives the child's decoded samples.
type sampleSink interface {
	writeFormat(f SoundFormat, rate int) error // rate of the samples, which may differ from that of the recording
	writeSamples(mono []float32) error
}

// childFault converts an error of the decoders into an error of the recording.
func childFault(err error) error {
	switch {
	case errors.Is(err, ogg.ErrTruncated):
		return newTruncatedFault("it ends within a page", err)
	case errors.Is(err, ogg.ErrDamaged):
		return newDamagedFault("a page is damaged or missing", err)
	case errors.Is(err, webm.ErrTruncated):
		return newTruncatedFault("it ends within a block", err)
	case errors.Is(err, webm.ErrDamaged):
		return newDamagedFault("a block is damaged", err)
	case errors.Is(err, xiph.ErrPacket):
		return newDamagedFault("a packet cannot be decoded", err)
	}
	return err
}
