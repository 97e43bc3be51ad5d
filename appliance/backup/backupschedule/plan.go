package backupschedule

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"munadi/appliance/backup"
	"munadi/appliance/config"
)

// PlanOf is what the settings want.
func PlanOf(c *config.Config) BackupPlan {
	p := BackupPlan{Folder: c.NightlyBackupFolder(), Keep: c.BackupKeep, Next: c.BackupAt.Next}
	p.Lock, p.Fault = lockOf(c)
	return p
}

// lockOf chooses how backups are closed: for a public key, with a passphrase, or not at all where they lie no more
// openly than what they are made of.
func lockOf(c *config.Config) (lock backup.BackupLock, err error) {
	switch {
	case c.BackupRecipient != "":
		if lock.Recipients, err = backup.ReadRecipients(c.BackupRecipient); err != nil {
			return lock, fmt.Errorf("backup-recipient: %w", err)
		}
		return lock, nil
	case c.BackupPassphrase != "":
		return backup.BackupLock{Passphrase: c.BackupPassphrase}, nil
	case c.DatabaseKey == "" && isWithin(c.NightlyBackupFolder(), c.Data):
		return backup.BackupLock{Plain: true}, nil
	}
	return lock, fmt.Errorf("backups in %s would lie open: set backup-recipient to an age public key, or "+
		"MUNADI_BACKUP_PASSPHRASE", c.NightlyBackupFolder())
}

// isWithin says whether a folder lies in another.
func isWithin(inner, outer string) bool {
	a, err := filepath.Abs(inner)
	b, err2 := filepath.Abs(outer)
	if err != nil || err2 != nil {
		return false
	}
	rest, err := filepath.Rel(b, a)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, "../")
}

// BackupState is what is to be seen of the backups.
type BackupState struct {
	Folder string
	Last   *BackupFile // newest nightly one; nil: none
	Next   *time.Time  // when the next is due; nil: never
	Kept   int
	Busy   bool   // one is being made
	Fault  string // what the last try failed with, or why there is none; empty when all is well
	Plain  bool   // not encrypted
}

// CurrentState is how things are now.
func (k *BackupScheduler) CurrentState() BackupState {
	p, now := k.Plan(), k.Now()
	kept := listNightly(p.Folder)
	s := BackupState{Folder: p.Folder, Kept: len(kept), Plain: p.Lock.Plain}
	if len(kept) > 0 {
		s.Last = &kept[0]
	}
	if next, ok := k.nextBackup(p, now); ok {
		s.Next = &next
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	s.Busy, s.Fault = k.busy, k.fault
	if p.Fault != nil && s.Next != nil {
		s.Fault = p.Fault.Error()
	}
	return s
}
