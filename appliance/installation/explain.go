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

// unreadableRecord explains that the installation's record cannot be read.
func unreadableRecord(data string, err error) error {
	if !store.IsUnreadable(err) {
		return fmt.Errorf("read which installation the database belongs to: %w", err)
	}
	return &store.Error{
		Code: store.CodeCorrupt,
		Message: "the database of the data folder " + data + " is damaged where it says to which installation it belongs: " +
			"check the disk for errors, and restore a backup (munadi restore FILE --replace)",
		Err: err,
	}
}

// otherDatabase refuses a database of another installation than the data folder's.
func otherDatabase(data, marker string, record *store.InstallationRecord) error {
	found := "a new one, or one of an older version without an installation's id"
	if record != nil {
		found = "that of installation " + record.ID
	}
	return store.Errorf(
		store.CodeConflict,
		"the database does not belong to the data folder: %s names installation %s, and "+
			"the database is %s. Mount the right volume, correct --data or --store, or restore a backup (munadi restore FILE "+
			"--replace). If this is the right database, remove %[1]s",
		filepath.Join(data, MarkerFile),
		marker,
		found,
	)
}

// otherRecordings refuses recordings of another installation: none of them belongs to a call here, so that all would
// be removed as orphans.
func otherRecordings(folder, owner, id string) error {
	return store.Errorf(store.CodeConflict, "the recordings in %s belong to installation %s, and the database is that of "+
		"installation %s. Mount the right volume, or correct --data or --recordings. If this is the right folder, empty the "+
		"file %s", folder, owner, id, filepath.Join(folder, ".installation"))
}

// missingSecret refuses to create a new secret for a database that was used with another one.
func missingSecret(path string, cause error) error {
	return &store.Error{
		Code: store.CodeKey,
		Message: "the installation's secret " + path + " is missing: without it no API " +
			"key, session or link of this database is valid. Put the file back, set its path with --secret-file, or " +
			"restore a backup, which contains it (munadi restore FILE --replace)",
		Err: cause,
	}
}

// wrongSecret refuses a secret other than the one that the database was used with.
func wrongSecret(path string) error {
	return store.Errorf(
		store.CodeKey,
		"the installation's secret %s is not the one that this database was used with: no API "+
			"key, session or link would be valid. Put the right file back, set its path with --secret-file, or "+
			"restore a backup, "+
			"which contains it (munadi restore FILE --replace)",
		path,
	)
}
