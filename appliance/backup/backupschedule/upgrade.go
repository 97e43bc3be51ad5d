package backupschedule

import (
	"context"
	"fmt"
	"time"

	"munadi/appliance/backup"
	"munadi/appliance/config"
	"munadi/store/badger"
)

// BeforeUpgrade backs up a database of an older format before its migration, with recordings and secret. A migration
// cannot be undone: the previous version can't read the result, and this file is the rollback. The appliance makes it
// automatically, so that it has exactly this state; if it fails, the database is not migrated. A
// [*backup.IncompleteError] is no reason not to migrate: damaged records stay unreadable in any version.
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
