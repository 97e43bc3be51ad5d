package recognizer

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
)

// embeddedSize is the size in bytes from which a read-only mapping of the program counts as embedded files.
const embeddedSize = 8 << 20

// ReleaseStartupMemory returns to the system the memory that was needed for starting only: the heap's garbage, and
// the pages of the program's embedded files, which have been unpacked. These pages are read from the file again when
// needed. Errors are ignored: it only saves memory.
func ReleaseStartupMemory() {
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
		if mode == "r--p" && end-start >= embeddedSize && strings.HasSuffix(lines.Text(), " "+program) {
			// MADV_PAGEOUT, not MADV_DONTNEED: it never loses written pages, e.g. of the dynamic linker.
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, start, end-start, unix.MADV_PAGEOUT)
		}
	}
}
