// Command munadi is the appliance and its tools; see munadi --help.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"munadi/assets/ort"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	go watchStopSignals(signals, cancel, func() { os.Exit(1) })
	if err := runCommand(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "munadi:", err)
		os.Exit(1)
	}
}

// repeatWindow is how long after the first stop signal further ones count as the same request: timeout(1), and a
// terminal with a shell or make in between, signal a process and its group, so that the process gets the signal
// twice.
const repeatWindow = 250 * time.Millisecond

// watchStopSignals calls stop (graceful shutdown) at the first signal, and exit at the first one later than
// [repeatWindow] after it.
func watchStopSignals(signals <-chan os.Signal, stop, exit func()) {
	<-signals
	asked := time.Now()
	stop()
	for range signals {
		if time.Since(asked) > repeatWindow {
			exit()
			return
		}
	}
}

// silenceReader yields silent samples.
type silenceReader struct{ left int }

func (s *silenceReader) Read(p []float32) (int, error) {
	n := min(len(p), s.left)
	clear(p[:n])
	s.left -= n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// VersionCmd is munadi version.
type VersionCmd struct{}

// Run prints the versions of the program, Go and ONNX Runtime.
func (VersionCmd) Run(out io.Writer) error {
	_, err := fmt.Fprintf(out, "munadi %s (%s %s/%s, ONNX Runtime %s)\n",
		versionString(), runtime.Version(), runtime.GOOS, runtime.GOARCH, ort.Version)
	return err
}

// revision is the commit of the build, set by the linker.
var revision string

// versionString returns the module's version, else the commit of the build.
func versionString() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case ok && info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	case revision != "":
		return revision
	}
	return "development"
}
