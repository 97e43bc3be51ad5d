package backup

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// syncRestored syncs the folders of a restored tree and, when root restores for another user, changes the owner to
// that of the target folder: the appliance runs as that user.
func syncRestored(stage, beside string) error {
	owner, err := ownerOf(beside)
	if err != nil {
		return err
	}
	return filepath.WalkDir(stage, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if owner != nil {
			if err := os.Lchown(path, int(owner.Uid), int(owner.Gid)); err != nil {
				return err
			}
		}
		if entry.IsDir() {
			return syncFolder(path)
		}
		return nil
	})
}

// ownerOf returns a folder's owner if this process runs as root and the owner is another user; nil otherwise.
func ownerOf(folder string) (*syscall.Stat_t, error) {
	info, err := os.Stat(folder)
	if err != nil || os.Geteuid() != 0 {
		return nil, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid == 0 {
		return nil, nil
	}
	return stat, nil
}
