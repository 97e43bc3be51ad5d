package ballast_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"munadi/store/disk"
	"munadi/store/disk/ballast"
)

// TestMappedPageOnFullDisk writes to the pages of a sparse mapped file on a full disk: the ballast gives them space.
func TestMappedPageOnFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, "size=32m"); err != nil {
		t.Skip("cannot mount a file system here:", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	b, err := ballast.HoldSpace(dir, 16<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer b.ReleaseSpace()
	mapped, file := mapFile(t, filepath.Join(dir, "mapped"), 10<<20)
	fillDisk(t, dir)
	for at := 0; at < len(mapped); at += 4096 {
		mapped[at] = 1
	}
	if missing := b.MissingSpace(); missing < 8<<20 || missing > 12<<20 {
		t.Errorf("%d bytes were given back for 10 MiB", missing)
	}
	if err := b.HoldAgain(); err == nil {
		t.Error("held again on a full disk")
	}
	if err := unix.Munmap(mapped); err != nil || file.Truncate(0) != nil {
		t.Fatal(err)
	}
	if err := b.HoldAgain(); err != nil || b.MissingSpace() != 0 {
		t.Errorf("%d bytes are missing: %v", b.MissingSpace(), err)
	}
}

// mapFile creates a sparse file and maps it.
func mapFile(t *testing.T, path string, size int) ([]byte, *os.File) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	if err := file.Truncate(int64(size)); err != nil {
		t.Fatal(err)
	}
	mapped, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	return mapped, file
}

// fillDisk allocates all free space.
func fillDisk(t *testing.T, dir string) {
	t.Helper()
	state, err := disk.ReadState(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := unix.Fallocate(int(file.Fd()), 0, 0, int64(state.Free)); err != nil {
		t.Fatal(err)
	}
}
