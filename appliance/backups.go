package appliance

import (
	"context"
	"errors"
	"time"

	"munadi/appliance/backup"
	"munadi/appliance/backup/backupschedule"
	"munadi/appliance/console/kit"
	"munadi/appliance/monitor/storagewatch"
	"munadi/store/badger"
)

// openBackups creates the backup scheduler.
func (a *Appliance) openBackups() {
	a.backups = backupschedule.NewScheduler(backupschedule.Dependencies{
		Plan: func() backupschedule.BackupPlan { return backupschedule.PlanOf(a.inForce()) },
		Source: func(now time.Time) backup.BackupSource {
			from := backup.BackupSource{
				Data: a.config.Data, Secret: a.config.SecretPath(), Database: a.store.WriteBackup, Version: a.version, Now: now,
			}
			if a.bucket != nil {
				from.IncludeBucket(a.bucket.Shared, a.inForce().BackupBucket)
			}
			return from
		},
		Now: time.Now, Log: a.log, Damage: func() string { return storagewatch.DescribeDamage(a.store.Embedded) },
	})
}

// beforeUpgrade backs up a database of an older format before it is migrated.
func (a *Appliance) beforeUpgrade(u badger.FormatUpgrade) error {
	made, err := backupschedule.BeforeUpgrade(context.Background(), a.config, a.version, u)
	if incomplete, ok := errors.AsType[*backup.IncompleteError](err); ok {
		a.log.Error("the backup before the upgrade is incomplete", "err", incomplete)
		err = nil
	}
	if err == nil {
		a.log.Info("the database is upgraded; a backup of it as it was is there", "file", made.Name, "made_at", made.At,
			"folder", a.config.NightlyBackupFolder(), "from", u.From, "to", u.To)
	}
	return err
}

// backupVitals returns the state of backups for the console's system page.
func (a *Appliance) backupVitals() kit.BackupVitals {
	s := a.backups.CurrentState()
	out := kit.BackupVitals{Folder: s.Folder, Next: s.Next, Kept: s.Kept, Busy: s.Busy, Fault: s.Fault, Plain: s.Plain}
	if s.Last != nil {
		out.Last, out.Bytes = &s.Last.At, s.Last.Bytes
	}
	return out
}
