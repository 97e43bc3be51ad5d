package backupschedule

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"munadi/appliance/backup"
	"munadi/store/disk"
)

const (
	stamp         = "20060102T150405Z"
	nightlyLayout = "nightly-" + stamp + ".backup"
	upgradeLayout = "before-upgrade-from-%d-" + stamp + ".backup" // with the number of the old format
	// spare is the disk reserve that a backup must leave free, in bytes.
	spare = 256 << 20
)

// BackupFile is a backup file in the folder.
type BackupFile struct {
	Name  string
	At    time.Time // parsed from its name
	Bytes int64
}

func nightlyName(at time.Time) string { return at.UTC().Format(nightlyLayout) }

// listNightly lists the nightly backups, newest first; none if the folder cannot be read.
func listNightly(folder string) []BackupFile {
	entries, _ := os.ReadDir(folder) // an unreadable folder fails when a backup is made
	var found []BackupFile
	for _, e := range entries {
		at, err := time.Parse(nightlyLayout, e.Name())
		if err != nil || !e.Type().IsRegular() {
			continue
		}
		f := BackupFile{Name: e.Name(), At: at}
		if info, err := e.Info(); err == nil {
			f.Bytes = info.Size()
		}
		found = append(found, f)
	}
	slices.SortFunc(found, func(a, b BackupFile) int { return b.At.Compare(a.At) })
	return found
}

// prepareFolder creates the folder and checks that it has disk space for a backup of source.
func prepareFolder(folder string, source backup.BackupSource) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("the backup folder cannot be created (backup-folder): %w", err)
	}
	now, err := disk.ReadState(folder)
	if err != nil {
		return fmt.Errorf("the free disk space of the backup folder is unknown: %w", err)
	}
	if need := estimateSize(source); now.Free < need+spare {
		return fmt.Errorf("not enough disk space for a backup in %s: %d MiB are free, up to %d MiB and a reserve of %d MiB "+
			"are needed; make room, keep fewer (backup-keep) or use another disk (backup-folder)",
			folder, now.Free>>20, need>>20, spare>>20)
	}
	return nil
}

// estimateSize estimates the size of a backup in bytes, from the disk blocks of its sources.
func estimateSize(source backup.BackupSource) (bytes uint64) {
	for _, name := range append(backup.BackupFolders(), "db") {
		_ = filepath.WalkDir(filepath.Join(source.Data, name), func(_ string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil //nolint:nilerr // removed meanwhile: size 0
			}
			if info, err := e.Info(); err == nil {
				if stat, ok := info.Sys().(*syscall.Stat_t); ok {
					bytes += uint64(stat.Blocks) * 512 // stat(2): the unit is 512 bytes on every file system
				}
			}
			return nil
		})
	}
	return bytes
}

// writeBackup writes one backup file; it is written, too, when the error is a [*backup.IncompleteError].
func writeBackup(
	ctx context.Context, folder, name string, from backup.BackupSource, lock backup.BackupLock,
) (BackupFile, error) {
	path := filepath.Join(folder, name)
	_, _, err := backup.WriteBackup(ctx, path, from, lock, true)
	if incomplete, ok := errors.AsType[*backup.IncompleteError](err); ok {
		path = incomplete.File
	} else if err != nil {
		return BackupFile{}, err
	}
	info, failed := os.Stat(path)
	if failed != nil {
		return BackupFile{}, failed
	}
	return BackupFile{Name: filepath.Base(path), At: from.Now.UTC(), Bytes: info.Size()}, err
}

// pruneBackups removes the oldest nightly backups until keep are left (rotation), but never the one that was just
// made.
func pruneBackups(folder, made string, keep int) error {
	others := slices.DeleteFunc(listNightly(folder), func(f BackupFile) bool { return f.Name == made })
	var failed []error
	for _, f := range others[min(len(others), max(keep-1, 0)):] {
		failed = append(failed, os.Remove(filepath.Join(folder, f.Name)))
	}
	return errors.Join(failed...)
}
