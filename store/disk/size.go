package disk

import (
	"io/fs"
	"os"
	"path/filepath"
)

// SizeOf returns the size in bytes of a file, or of all files below a folder; unreadable ones are left out. Links to
// files count as what they lead to, and so does a path that is a link itself.
func SizeOf(path string) (bytes int64) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	_ = filepath.WalkDir(path, func(file string, _ fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // a file that went meanwhile is no fault
		}
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
