package modeljob

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"munadi/appliance/models"
	"munadi/store/disk"
)

// Reserves that an installation must leave free, in bytes.
const (
	spareDisk   = 256 << 20
	spareMemory = 200 << 20
)

// DiskFault says that the data folder's disk has too little space for a model.
type DiskFault struct{ Free, Needed int64 }

func (f *DiskFault) Error() string {
	return fmt.Sprintf("%d MB are free on the data folder's disk, but the installation of this model needs %d MB: "+
		"free disk space, or choose a smaller model", f.Free/1e6, f.Needed/1e6)
}

// MemoryFault says that the machine has too little memory for a model.
type MemoryFault struct{ Free, Needed int64 }

func (f *MemoryFault) Error() string {
	return fmt.Sprintf("%d MB of memory are free, but testing this model while another one serves needs about %d MB: "+
		"stop other programs, or install it with munadi model pull while the service is stopped", f.Free/1e6, f.Needed/1e6)
}

// checkDisk refuses an installation of size bytes that the disk has no room for: the download, and its conversion,
// which may double 16-bit weights.
func checkDisk(modelFolder models.ModelFolder, size int64) error {
	dir := modelFolder.Folder("")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	now, err := disk.ReadState(dir)
	if err != nil {
		return nil //nolint:nilerr // the write will fail
	}
	if needed := 3*size + spareDisk; int64(now.Free) < needed {
		return &DiskFault{int64(now.Free), needed}
	}
	return nil
}

// checkMemory refuses a test of a model of size bytes that the machine has no memory for: the conversion and the
// loaded model each need its size, not at the same time, and the loaded one room to work.
func checkMemory(size int64) error {
	free, known := availableMemory()
	if needed := size + size/2 + spareMemory; known && free < needed {
		return &MemoryFault{free, needed}
	}
	return nil
}

// availableMemory returns the available memory in bytes; false if unknown.
func availableMemory() (bytes int64, known bool) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, is := strings.CutPrefix(lines.Text(), "MemAvailable:"); is {
			var kib int64
			_, err := fmt.Sscanf(rest, "%d kB", &kib)
			return kib << 10, err == nil
		}
	}
	return 0, false
}
