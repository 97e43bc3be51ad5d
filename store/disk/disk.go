// Package disk checks the free space and writability of the file system of a folder (statfs), and measures what a
// folder takes.
//
// The database and the recordings check before they write. An error while writing would be too late for the database:
// its log is a memory-mapped file, and a page without disk space crashes the process (SIGBUS).
package disk

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// DiskState is the state of a file system at one moment.
type DiskState struct {
	Free, Size uint64 // bytes; free for users other than root
	Files      uint64 // inodes left; 0 where the file system does not count them
	counts     bool   // it counts inodes
	ReadOnly   bool
}

// fewFiles is the minimum of free inodes: the database creates files.
const fewFiles = 100

// ReadState returns the state of the file system of path.
func ReadState(path string) (DiskState, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return DiskState{}, fmt.Errorf("read the free space of the disk of %s: %w", path, err)
	}
	block := uint64(s.Bsize)
	return DiskState{
		Free: s.Bavail * block, Size: s.Blocks * block, Files: s.Ffree, counts: s.Files > 0,
		ReadOnly: s.Flags&unix.ST_RDONLY != 0,
	}, nil
}

// CheckRoom returns nil if at least least bytes are free and writable, otherwise the reason.
func (s DiskState) CheckRoom(least uint64) error {
	switch {
	case s.ReadOnly:
		return &DiskFault{"the disk is mounted read-only"}
	case s.Free < least:
		return &DiskFault{fmt.Sprintf("the disk is full: %d MiB are free, and %d MiB are kept as a reserve",
			s.Free>>20, least>>20)}
	case s.counts && s.Files < fewFiles:
		return &DiskFault{fmt.Sprintf("the disk has room for only %d more files", s.Files)}
	}
	return nil
}

// CheckRoom is [DiskState.CheckRoom] for the disk of path. If its state cannot be read, writing is attempted.
func CheckRoom(path string, least uint64) error {
	now, err := ReadState(path)
	if err != nil {
		return nil //nolint:nilerr // the write will fail
	}
	return now.CheckRoom(least)
}

// DiskFault is the reason why a disk accepts no writes. Its text is for people and contains no path.
type DiskFault struct{ what string }

// Error implements error.
func (f *DiskFault) Error() string { return f.what }
