package installation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"munadi/store"
	"munadi/store/disk"
)

// ExplainDataError wraps the error of an unusable data folder with the remedy. The cause stays in the chain.
func ExplainDataError(folder string, err error) error {
	switch {
	case err == nil:
		return nil
	case store.CodeOf(err) == store.CodeInUse:
		return fmt.Errorf("another appliance runs on the data folder %s; stop it, or set another folder with --data: %w",
			folder, err)
	case errors.Is(err, syscall.EROFS), readOnly(folder):
		return fmt.Errorf("the data folder %s is on a read-only file system; mount it for writing, or set another "+
			"folder with --data: %w", folder, err)
	case store.IsNoRoom(err):
		return fmt.Errorf("no disk space is left for the data folder %s; free some, or set another folder with --data: %w",
			folder, err)
	case isFolderError(folder, err, fs.ErrPermission), isUnwritable(folder):
		return fmt.Errorf("user %d may not write to the data folder %s; give it to that user (chown -R), run as the user "+
			"that owns it, or set another folder with --data: %w", os.Geteuid(), folder, err)
	case isFolderError(folder, err, syscall.ENOTDIR):
		return fmt.Errorf("the data folder %s cannot be created: there is a file of that name; set another with --data: %w",
			folder, err)
	case isFolderError(folder, err, err):
		return fmt.Errorf("the data folder %s cannot be used; set another with --data: %w", folder, err)
	}
	return err
}

// ExplainCacheError wraps the error of an unusable cache folder, into which the model is unpacked, with the remedy.
func ExplainCacheError(folder string, err error) error {
	if !isFolderError(folder, err, err) {
		return err
	}
	return fmt.Errorf("the cache folder %s cannot be used; set another with --cache: %w", folder, err)
}

// isFolderError reports whether err is the system error what on the folder itself, on a file in it or on a folder above
// it: errors of a key file or a certificate elsewhere are explained separately.
func isFolderError(folder string, err, what error) bool {
	var at *fs.PathError
	if !errors.Is(err, what) || !errors.As(err, &at) {
		return false
	}
	here, there := filepath.Clean(folder), filepath.Clean(at.Path)
	return here == there || isBelow(here, there) || isBelow(there, here)
}

func isBelow(inner, outer string) bool {
	return strings.HasPrefix(inner, strings.TrimSuffix(outer, "/")+"/")
}

// readOnly reports whether the folder's file system is mounted read-only.
func readOnly(folder string) bool {
	s, err := disk.ReadState(folder)
	return err == nil && s.ReadOnly
}

// isUnwritable probes whether the folder is not writable; the database's errors do not show it.
func isUnwritable(folder string) bool {
	probe, err := os.CreateTemp(folder, ".probe-*")
	if err != nil {
		return strings.Contains(err.Error(), syscall.EACCES.Error())
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name()) // empty; the start fails anyway
	return false
}

// ExplainMissing returns the warning about missing recordings folders, with the remedy.
func ExplainMissing(folders []string) string {
	return "the earlier recordings are missing from " + strings.Join(folders, " and ") +
		": mount the volume and restart; if they are permanently lost, create an empty file .installation there and restart"
}
