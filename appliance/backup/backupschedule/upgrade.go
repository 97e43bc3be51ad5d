package backupschedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"munadi/appliance/backup"
	"munadi/appliance/config"
	"munadi/engine/checksum"
	"munadi/store/badger"
)

// upgradeNote names the backup that belongs to the state of a database before its upgrade. It lies in the database's
// folder from before the backup is written until the upgrade is done, so that a process that is killed meanwhile, again
// and again, leaves one backup.
type upgradeNote struct {
	State  string `json:"state"` // of [badger.FormatUpgrade]
	Name   string `json:"name"`  // of the backup's file
	SHA256 string `json:"sha256,omitempty"`
	Faults string `json:"faults,omitempty"` // why it is incomplete
}

func notePath(c *config.Config) string {
	return filepath.Join(c.DatabaseFolder(), "upgrade-backup.json")
}

// BeforeUpgrade backs up a database of an older format before its migration, with recordings and secret. A migration
// cannot be undone: the previous version can't read the result, and this file is the rollback. The appliance makes it
// automatically, so that it has exactly this state; if it fails, the database is not migrated. A finished backup of the
// same state is not made again. A [*backup.IncompleteError] is no reason not to migrate: damaged records stay
// unreadable in any version.
func BeforeUpgrade(
	ctx context.Context, c *config.Config, version string, u badger.FormatUpgrade,
) (BackupFile, error) {
	p, now := PlanOf(c), time.Now()
	if p.Fault != nil {
		return BackupFile{}, fmt.Errorf("it takes a backup first, and %w", p.Fault)
	}
	note := readNote(c)
	if note.State != u.State {
		note = upgradeNote{State: u.State, Name: fmt.Sprintf(now.UTC().Format(upgradeLayout), u.From)}
	}
	made, found := note.findBackup(p.Folder)
	if found {
		return made, note.incompleteError(p.Folder)
	}
	from := backup.BackupSource{Data: c.Data, Secret: c.SecretPath(), Database: u.Backup, Version: version, Now: now}
	made, err := note.makeBackup(ctx, c, p, from)
	if err != nil {
		return made, fmt.Errorf("it takes a backup first: %w", err)
	}
	return made, note.incompleteError(p.Folder)
}

// EndUpgrade forgets the backup of an upgrade that is done; the file stays until an operator removes it.
func EndUpgrade(c *config.Config) error {
	if err := os.Remove(notePath(c)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// readNote reads the note; one that can't be read is none.
func readNote(c *config.Config) (n upgradeNote) {
	text, err := os.ReadFile(notePath(c))
	if err != nil || json.Unmarshal(text, &n) != nil || n.Name != filepath.Base(n.Name) {
		return upgradeNote{}
	}
	return n
}

func (n *upgradeNote) write(c *config.Config) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return renameio.WriteFile(notePath(c), text, 0o600)
}

// findBackup returns the finished backup, if its file is there and undamaged.
func (n *upgradeNote) findBackup(folder string) (made BackupFile, found bool) {
	path := filepath.Join(folder, n.Name)
	if n.SHA256 == "" {
		return made, false
	}
	if sum, err := checksum.SumFile(path); err != nil || sum != n.SHA256 {
		return made, false
	}
	info, err := os.Stat(path)
	if err != nil {
		return made, false
	}
	return BackupFile{Name: n.Name, At: info.ModTime().UTC(), Bytes: info.Size()}, true
}

// makeBackup makes the backup in place of what a killed process left of it.
func (n *upgradeNote) makeBackup(
	ctx context.Context, c *config.Config, p BackupPlan, from backup.BackupSource,
) (made BackupFile, err error) {
	n.Name, n.SHA256, n.Faults = strings.TrimSuffix(n.Name, backup.IncompleteSuffix), "", ""
	if err := n.write(c); err != nil {
		return made, err
	}
	if err := backup.RemoveUnfinished(p.Folder, n.Name, from.Now.Add(time.Minute)); err != nil {
		return made, err
	}
	if err := prepareFolder(p.Folder, from); err != nil {
		return made, err
	}
	made, err = writeBackup(ctx, p.Folder, n.Name, from, p.Lock)
	if incomplete, ok := errors.AsType[*backup.IncompleteError](err); ok {
		n.Faults = incomplete.Faults
	} else if err != nil {
		return made, err
	}
	n.Name = made.Name
	if n.SHA256, err = checksum.SumFile(filepath.Join(p.Folder, n.Name)); err != nil {
		return made, err
	}
	return made, n.write(c)
}

// incompleteError returns what the backup lacks; nil for a complete one.
func (n *upgradeNote) incompleteError(folder string) error {
	if n.Faults == "" {
		return nil
	}
	return &backup.IncompleteError{File: filepath.Join(folder, n.Name), Faults: n.Faults}
}
