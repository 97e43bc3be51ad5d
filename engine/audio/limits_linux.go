package audio

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

const (
	decoderMemory = 256 << 20 // address space that a decoder may allocate beyond the process's initial size
	ffmpegMemory  = 2 << 30   // address space of ffmpeg, its libraries included
	decoderFiles  = 16        // for the Go runtime; the filter prevents opening others
	ffmpegFiles   = 64
)

// confineDecoder sandboxes this process: from now on it can only read and write open files, and compute.
func confineDecoder(cpuSeconds uint64) error {
	used, err := addressSpace()
	if err != nil {
		return err
	}
	if err := setLimits(cpuSeconds, used+decoderMemory, decoderFiles); err != nil {
		return err
	}
	return filterSystemCalls()
}

// execConfined executes another program under the same resource limits, without the seccomp filter. It returns only on
// failure.
func execConfined(cpuSeconds uint64, argv []string) error {
	if len(argv) == 0 {
		return errors.New(helperUsage)
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	runtime.LockOSThread() // no_new_privs belongs to the thread and is inherited from it
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("audio: helper: no new privileges: %w", err)
	}
	if err := setLimits(cpuSeconds, ffmpegMemory, ffmpegFiles); err != nil {
		return err
	}
	return unix.Exec(path, argv, []string{"LC_ALL=C", helperMark + "=1"})
}

func setLimits(cpuSeconds, memory, files uint64) error {
	for _, l := range []struct {
		name       string
		which      int
		soft, hard uint64
	}{
		{"core", unix.RLIMIT_CORE, 0, 0},
		{"file size", unix.RLIMIT_FSIZE, 0, 0},
		{"processor time", unix.RLIMIT_CPU, cpuSeconds, cpuSeconds + 1},
		{"open files", unix.RLIMIT_NOFILE, files, files},
		{"memory", unix.RLIMIT_AS, memory, memory},
	} {
		if err := unix.Setrlimit(l.which, &unix.Rlimit{Cur: l.soft, Max: l.hard}); err != nil {
			return fmt.Errorf("audio: helper: limit %s: %w", l.name, err)
		}
	}
	return nil
}

// addressSpace returns the size of this process's address space, in bytes.
func addressSpace() (uint64, error) {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseUint(string(bytes.SplitN(statm, []byte(" "), 2)[0]), 10, 64)
	return pages * uint64(os.Getpagesize()), err
}
