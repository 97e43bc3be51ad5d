// Package disk looks at the file system that a folder lies on: what is free, and whether anything can be written.
//
// The database and the recordings ask before they write. Finding out by writing would be too late for the database:
// its log is a file mapped into memory, and a page of it that the disk has no room for ends the process (SIGBUS).
package disk

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// DiskState is a file system at one moment.
type DiskState struct {
	Free, Size uint64 // bytes; free for users other than root
	Files      uint64 // that can still be made; 0 where the file system does not count them
	counts     bool   // it does
	ReadOnly   bool
}

// fewFiles is how many files must be left to be made: the database makes some now and then.
const fewFiles = 100

// ReadState is the state of the file system of path.
func ReadState(path string) (DiskState, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return DiskState{}, fmt.Errorf("look at the disk of %s: %w", path, err)
	}
	block := uint64(s.Bsize)
	return DiskState{
		Free: s.Bavail * block, Size: s.Blocks * block, Files: s.Ffree, counts: s.Files > 0,
		ReadOnly: s.Flags&unix.ST_RDONLY != 0,
	}, nil
}

// CheckRoom is nil where so many bytes are free and can be written, and otherwise says what is wrong.
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

// CheckRoom is [DiskState.CheckRoom] of the disk of path. One that cannot be looked at is tried.
func CheckRoom(path string, least uint64) error {
	now, err := ReadState(path)
	if err != nil {
		return nil //nolint:nilerr // writing tells
	}
	return now.CheckRoom(least)
}

// DiskFault is why a disk takes nothing. Its text is for people, and names no path.
type DiskFault struct{ what string }

// Error implements error.
func (f *DiskFault) Error() string { return f.what }
