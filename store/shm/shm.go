// Package shm has a folder in memory for tests that write much and need no disk.
package shm

import (
	"testing"

	"munadi/store/disk"
)

// leastMemory is the free space from which /dev/shm is used; in containers it often has 64 MiB.
const leastMemory = 8 << 30

// FindFolder returns a folder in which temporary ones are in memory (tmpfs), where there is room; otherwise the empty
// string: the usual temporary folder.
func FindFolder() string {
	const folder = "/dev/shm"
	if !testing.Testing() {
		return ""
	}
	if state, err := disk.ReadState(folder); err != nil || state.CheckRoom(leastMemory) != nil {
		return ""
	}
	return folder
}
