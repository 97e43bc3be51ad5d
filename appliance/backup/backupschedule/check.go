package backupschedule

import (
	"fmt"
	"time"

	"munadi/appliance/admin"
)

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
