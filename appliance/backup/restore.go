package backup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/badger"
	"munadi/store/bulk"
	"munadi/store/callrules"
)

// RestoreTarget is where a backup is restored to.
type RestoreTarget struct {
	Data    string // the data folder; no appliance may run on it
	KeyFile string // key file that encrypts the new database; empty: not encrypted
	// Replace moves the existing state aside, into a subfolder of the data folder, before the backup takes its place.
	Replace bool
	// StopCalling turns every organization's kill switch on, so that calls that were dialled after the backup was made
	// are not dialled again before someone has looked.
	StopCalling bool
	Now         time.Time
}

// databaseFolder is the database's folder in the data folder.
const databaseFolder = "db"

// stateFolders lists the parts of the data folder that a restore replaces, in order: the database last, since an
// appliance that finds one starts to use it. Backups do not contain the data folder's installation id: the next start
// writes that of the restored database.
func stateFolders() []string { return append(BackupFolders(), partSecret, markerFile, databaseFolder) }

// markerFile holds the id of the installation that the data folder belongs to.
const markerFile = "installation.id"

// stagePattern is the name of the temporary folder of a restore.
const stagePattern = ".restore-*"

// VerifyBackup restores a backup into a temporary folder in beside, opens its database, and removes it all again.
// With a key file the temporary database is encrypted too.
func VerifyBackup(file, beside, keyFile string, lock BackupLock) (BackupManifest, error) {
	to := RestoreTarget{KeyFile: keyFile, Now: time.Now()}
	return restoreStaged(file, beside, to, lock, func(string) error { return nil })
}

// RestoreBackup replaces a data folder's state by a backup. The backup is restored and verified in a temporary folder
// first; then the old state, if any, is moved aside and the new one moved in, or, if that fails, all of it back. A
// crash in between leaves the data folder without a database, and the old state in the folder whose name is returned.
func RestoreBackup(file string, to RestoreTarget, lock BackupLock) (m BackupManifest, aside string, err error) {
	if _, err := os.Stat(file); err != nil { // before anything is created
		return m, "", err
	}
	present, err := presentState(to.Data)
	if err != nil {
		return m, "", err
	}
	if len(present) > 0 && !to.Replace {
		return m, "", fmt.Errorf("the data folder %s holds %s already; restore into another, or replace it with --replace, "+
			"which keeps the old one aside", to.Data, strings.Join(present, ", "))
	}
	_, found := os.Lstat(to.Data)
	if err := os.MkdirAll(to.Data, 0o700); err != nil {
		return m, "", fmt.Errorf("make the data folder: %w", err)
	}
	defer func() {
		if err != nil && errors.Is(found, fs.ErrNotExist) {
			_ = os.Remove(to.Data) // if nothing is in it
		}
	}()
	release, err := lockDatabase(to.Data, present)
	if err != nil {
		return m, "", err
	}
	defer release()
	m, err = restoreStaged(file, to.Data, to, lock, func(stage string) (err error) {
		aside, err = swapState(stage, to.Data, present, to.Now)
		return err
	})
	return m, aside, err
}

// presentState lists which parts of the state exist in a data folder.
func presentState(data string) ([]string, error) {
	var present []string
	for _, name := range stateFolders() {
		_, err := os.Lstat(filepath.Join(data, name))
		switch {
		case err == nil:
			present = append(present, name)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return present, nil
}

// lockDatabase locks the old database against other processes.
func lockDatabase(data string, present []string) (release func(), err error) {
	if !slices.Contains(present, databaseFolder) {
		return func() {}, nil
	}
	return badger.LockDatabase(filepath.Join(data, databaseFolder))
}

// restoreStaged restores a backup into a temporary folder in beside, verifies and syncs it, and passes it to use; files
// that use does not move are removed.
func restoreStaged(
	file, beside string, to RestoreTarget, lock BackupLock, use func(stage string) error,
) (m BackupManifest, err error) {
	in, err := os.Open(file)
	if err != nil {
		return m, err
	}
	defer in.Close()
	stage, err := os.MkdirTemp(beside, stagePattern)
	if err != nil {
		return m, fmt.Errorf("make a folder to restore into: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	root, err := os.OpenRoot(stage)
	if err != nil {
		return m, err
	}
	defer func() { _ = root.Close() }()
	sink := &restoreSink{root: root, keyFile: to.KeyFile}
	if m, err = readBackup(bufio.NewReaderSize(in, 1<<20), lock, sink); err != nil {
		return m, err
	}
	if err := settleDatabase(stage, to); err != nil {
		return m, fmt.Errorf("the restored database cannot be opened: %w", err)
	}
	if err := syncRestored(stage, beside); err != nil {
		return m, err
	}
	return m, use(stage)
}

// restoreSink is a sink that writes the parts to a folder.
type restoreSink struct {
	root    *os.Root
	keyFile string
}

func (k *restoreSink) readDatabase(dump io.Reader) (badger.RecordCounts, error) {
	dir := filepath.Join(k.root.Name(), databaseFolder)
	return badger.RestoreDump(dir, dump, badger.OpenOptions{KeyFile: k.keyFile})
}

func (k *restoreSink) readFile(name string, content io.Reader) error {
	if err := k.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	file, err := k.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Sync(), file.Close())
}

// settleDatabase opens the restored database of a stage, which migrates it, drops changes that must not continue from a
// backup, and closes it.
func settleDatabase(stage string, to RestoreTarget) error {
	s, err := badger.OpenStore(filepath.Join(stage, databaseFolder), badger.OpenOptions{KeyFile: to.KeyFile})
	if err != nil {
		return err
	}
	if secret, err := auth.LoadSecret(filepath.Join(stage, partSecret), false); err == nil {
		s.UseAuditKey(secret.AuditKey()) // a backup of an installation without a secret has no audit trail to go on with
	}
	err = dropBulkChanges(context.Background(), s, to.Now)
	if to.StopCalling {
		err = errors.Join(err, stopCalling(context.Background(), s, to.Now))
	}
	return errors.Join(err, s.Close())
}

// stopCalling turns the kill switch of every organization on, with its audit line.
func stopCalling(ctx context.Context, s *badger.BadgerStore, now time.Time) error {
	orgs, err := s.ListOrganizations(ctx)
	for _, o := range orgs {
		err = errors.Join(err, s.ChangeRules(ctx, o.ID, "command line", now, func(r *callrules.CallRules) error {
			r.KillSwitch, r.UpdatedAt = true, now.Truncate(time.Millisecond)
			return nil
		}))
	}
	return err
}

// dropBulkChanges ends the bulk changes of calls that waited or ran when the backup was made. Booked calls and
// campaigns go on: they are the plan that the backup keeps.
func dropBulkChanges(ctx context.Context, s store.BulkStore, now time.Time) error {
	orgIDs, err := s.PendingBulk(ctx)
	for _, orgID := range orgIDs {
		_, failed := s.ChangeBulk(ctx, orgID, func(b *bulk.BulkBoard) error {
			b.DropPending(now)
			return nil
		})
		err = errors.Join(err, failed)
	}
	return err
}

// swapState moves the old state aside and the new one in, or undoes everything.
func swapState(stage, data string, present []string, now time.Time) (aside string, err error) {
	var moves [][2]string
	if len(present) > 0 {
		aside = filepath.Join(data, "before-restore-"+now.UTC().Format("20060102T150405Z"))
		if err := os.Mkdir(aside, 0o700); err != nil {
			return "", err
		}
		slices.Reverse(present) // the database first, so that no process opens half of the old state
		for _, name := range present {
			moves = append(moves, [2]string{filepath.Join(data, name), filepath.Join(aside, name)})
		}
	}
	for _, name := range stateFolders() {
		if _, err := os.Lstat(filepath.Join(stage, name)); err == nil {
			moves = append(moves, [2]string{filepath.Join(stage, name), filepath.Join(data, name)})
		}
	}
	for i, move := range moves {
		if err := os.Rename(move[0], move[1]); err != nil {
			return "", errors.Join(err, undoMoves(moves[:i], aside))
		}
	}
	return aside, syncFolder(data)
}

// undoMoves reverts renames, the last one first.
func undoMoves(moves [][2]string, aside string) error {
	var errs []error
	for _, move := range slices.Backward(moves) {
		errs = append(errs, os.Rename(move[1], move[0]))
	}
	if aside != "" {
		errs = append(errs, os.Remove(aside))
	}
	return errors.Join(errs...)
}

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
