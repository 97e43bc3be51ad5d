package appliance

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
)

// embeddedFrom is the size in bytes from which on a read-only part of the program counts as embedded files.
const embeddedFrom = 8 << 20

// releaseStartupMemory gives back the memory that only starting needed: the heap's garbage, and the pages of the program's embedded
// files, which have been unpacked. Those pages come back from the file when they are read again. What cannot be given
// back stays: nothing depends on it.
func releaseStartupMemory() {
	debug.FreeOSMemory()
	program, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var start, end uintptr
		var mode string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &start, &end, &mode); err != nil {
			continue
		}
		if mode == "r--p" && end-start >= embeddedFrom && strings.HasSuffix(lines.Text(), " "+program) {
			// PAGEOUT, not DONTNEED: it never loses what was written, e.g. by the dynamic linker.
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, start, end-start, unix.MADV_PAGEOUT)
		}
	}
}
