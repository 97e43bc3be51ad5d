package model

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// MappedMark is the name of a file in a model's folder by which its weights stay memory-mapped, with only a part in
// memory at a time. The encoder then takes 1.5 times as long: it is for testing a model on a machine with little
// memory.
const MappedMark = "munadi-mapped"

// dropEvery is the interval at which mapped pages are dropped: at 3 MiB read per millisecond, about 30 MiB stay in
// memory.
const dropEvery = 10 * time.Millisecond

// pageDropper periodically drops the pages of a mapped file (madvise), so that a run of the encoder holds only a part
// of its weights in memory. They are read again from the file, which the page cache holds.
type pageDropper struct{ stop, done chan struct{} }

// startDropping starts dropping the pages of this process's mappings of the file at path.
func startDropping(path string) *pageDropper {
	d := &pageDropper{make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(d.done)
		tick := time.NewTicker(dropEvery)
		defer tick.Stop()
		for {
			select {
			case <-d.stop:
				return
			case <-tick.C:
				dropMapped(path)
			}
		}
	}()
	return d
}

// stopDropping stops and waits for the goroutine. It must be called before the file is unmapped, since the addresses
// may be reused.
func (d *pageDropper) stopDropping() {
	close(d.stop)
	<-d.done
}

// dropMapped drops the pages of every read-only or unchanged private mapping of the file. It is best effort: without
// /proc it does nothing.
func dropMapped(path string) {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer func() { _ = maps.Close() }()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		line := lines.Text()
		if !strings.HasSuffix(line, " "+path) {
			continue
		}
		bounds, _, _ := strings.Cut(line, " ")
		low, high, _ := strings.Cut(bounds, "-")
		from, err := strconv.ParseUint(low, 16, 64)
		to, err2 := strconv.ParseUint(high, 16, 64)
		if err == nil && err2 == nil {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(from), uintptr(to-from), unix.MADV_DONTNEED)
		}
	}
}
