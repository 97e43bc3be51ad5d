package backupschedule

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/backup"
	"munadi/appliance/config"
)

// PlanOf returns the backup plan of the settings.
func PlanOf(c *config.Config) BackupPlan {
	p := BackupPlan{Folder: c.NightlyBackupFolder(), Keep: c.BackupKeep, Next: c.BackupAt.Next}
	p.Lock, p.Fault = lockOf(c)
	return p
}

// lockOf returns how backups are encrypted: for a public key, with a passphrase, or not, if the backup folder is as
// well protected as the data.
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
	return lock, fmt.Errorf("backups in %s would not be encrypted: set backup-recipient to an age public key, or "+
		"MUNADI_BACKUP_PASSPHRASE", c.NightlyBackupFolder())
}

// isWithin reports whether a folder lies within another.
func isWithin(inner, outer string) bool {
	a, err := filepath.Abs(inner)
	b, err2 := filepath.Abs(outer)
	if err != nil || err2 != nil {
		return false
	}
	rest, err := filepath.Rel(b, a)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, "../")
}

// BackupState is the state of nightly backups for display.
type BackupState struct {
	Folder string
	Last   *BackupFile // newest nightly backup; nil: none
	Next   *time.Time  // time of the next one; nil: never
	Kept   int
	Busy   bool   // one is in progress
	Fault  string // the error of the last attempt, or why none is possible; empty without a fault
	Plain  bool   // not encrypted
}

// CurrentState returns the state of nightly backups.
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

// CheckBackups reports the state of nightly backups.
func CheckBackups(s BackupState) admin.CheckFinding {
	f := admin.CheckFinding{Name: "backups", State: admin.StateOK}
	switch {
	case s.Fault != "":
		f.State, f.Text = admin.StateFailed, s.Fault
	case s.Next == nil:
		f.State, f.Text = admin.StateWarning, "no nightly backups are made (backup-at)"
	case s.Last == nil:
		f.Text = "none yet; the first is scheduled for " + s.Next.Format(time.DateTime)
	default:
		f.Text = fmt.Sprintf("%d in %s, the last of %s", s.Kept, s.Folder, s.Last.At.Local().Format(time.DateTime))
	}
	return f
}
