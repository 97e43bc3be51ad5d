package backupschedule

import (
	"context"
	"fmt"
	"time"

	"munadi/appliance/backup"
	"munadi/appliance/config"
	"munadi/store/badger"
)

// BeforeUpgrade backs up a database of an older format, with everything that belongs to it. An upgrade goes one way:
// the version before can't read what it leaves, and this file is the way back. The appliance makes it itself rather
// than ask for one, since only then is it sure to be of this very state; without it the database stays as it is.
func BeforeUpgrade(ctx context.Context, c *config.Config, version string, u badger.FormatUpgrade) (BackupFile, error) {
	now := time.Now()
	p := PlanOf(c)
	from := backup.BackupSource{Data: c.Data, Secret: c.SecretPath(), Database: u.Backup, Version: version, Now: now}
	if p.Fault != nil {
		return BackupFile{}, fmt.Errorf("it takes a backup first, and %w", p.Fault)
	}
	if err := prepareFolder(p.Folder, from); err != nil {
		return BackupFile{}, fmt.Errorf("it takes a backup first: %w", err)
	}
	name := fmt.Sprintf(now.UTC().Format(upgradeLayout), u.From)
	made, err := writeBackup(ctx, p.Folder, name, from, p.Lock)
	if err != nil {
		return made, fmt.Errorf("it takes a backup first: %w", err)
	}
	return made, nil
}
