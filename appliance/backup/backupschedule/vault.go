// Package backupschedule schedules backups: one every night, of which the last few are kept (rotation), and one
// before the database is migrated to a new format, which stays until an operator removes it.
//
// It decides the time and name of backups and which to remove; package backup writes and verifies the files. It depends
// on the settings, not on the APIs or the store.
//
// The time of the next backup is computed from the wall clock at each check, not by a timer: a changed clock, a
// suspended machine and a changed setting take effect at the next check. A file with a name in the future was made
// while the clock was wrong; it counts for rotation, but not for the next backup's time.
package backupschedule

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"munadi/appliance/backup"
)

const (
	pollInterval = time.Minute
	tryAgain     = time.Hour       // retry delay after a failure
	clockSlack   = 5 * time.Minute // a name further in the future was made by a wrong clock
)

// BackupPlan is the plan of nightly backups from the current settings.
type BackupPlan struct {
	Folder string
	Next   func(after time.Time) (time.Time, bool) // false: no nightly backups
	Keep   int                                     // number of nightly backups to keep
	Lock   backup.BackupLock
	Fault  error // why backups are not possible, or nil
}

// Dependencies are a BackupScheduler's dependencies.
type Dependencies struct {
	Plan   func() BackupPlan
	Source func(now time.Time) backup.BackupSource
	Now    func() time.Time
	Log    *slog.Logger
	// Damage describes damaged tables of the database, empty if there are none; nil: not known.
	Damage func() string
}

// BackupScheduler makes the backups. It is safe for concurrent use; Run is called once.
type BackupScheduler struct {
	Dependencies
	asked chan struct{}

	mu     sync.Mutex
	since  time.Time // nights count from this time on
	failed time.Time // last failure, monotonic
	fault  string
	busy   bool
	warned string // last warning of [BackupScheduler.warnNoPlan]
}

// NewScheduler returns a scheduler.
func NewScheduler(d Dependencies) *BackupScheduler {
	return &BackupScheduler{Dependencies: d, asked: make(chan struct{}, 1), since: d.Now()}
}

// BackUp requests a backup now; it is made in the background, unless one is in progress.
func (k *BackupScheduler) BackUp() {
	select {
	case k.asked <- struct{}{}:
	default:
	}
}

// Run makes nightly and requested backups until ctx ends. It never fails: an error is logged, shown by
// [BackupScheduler.CurrentState], and the backup is retried an hour later.
func (k *BackupScheduler) Run(ctx context.Context) error {
	k.warnNoPlan(k.Plan())
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			k.checkDue(ctx, false)
		case <-k.asked:
			k.checkDue(ctx, true)
		case <-ctx.Done():
			return nil
		}
	}
}

// checkDue makes a backup if its time has come or one is wanted.
func (k *BackupScheduler) checkDue(ctx context.Context, wanted bool) {
	plan, now := k.Plan(), k.Now()
	k.warnNoPlan(plan)
	if !wanted && (!k.isDue(plan, now) || k.isBackingOff()) {
		return
	}
	k.updateState(func() { k.busy = true })
	made, err := k.makeBackup(ctx, plan, now)
	if ctx.Err() != nil {
		return
	}
	k.updateState(func() {
		k.busy, k.fault = false, ""
		if err != nil {
			k.failed, k.fault = time.Now(), err.Error()
		}
	})
	if err != nil {
		k.Log.Error("the backup failed", "folder", plan.Folder, "err", err)
		return
	}
	k.Log.Info("a backup was made and read back", "file", made.Name, "bytes", made.Bytes)
}

// warnNoPlan logs once that the settings do not allow backups, before the first night.
func (k *BackupScheduler) warnNoPlan(p BackupPlan) {
	fault := ""
	if _, wanted := k.nextBackup(p, k.Now()); wanted && p.Fault != nil {
		fault = p.Fault.Error()
	}
	var news bool
	k.updateState(func() { news, k.warned = fault != k.warned, fault })
	if news && fault != "" {
		k.Log.Warn("no nightly backup can be made", "err", fault)
	}
}

func (k *BackupScheduler) updateState(change func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change()
}

// isBackingOff reports whether the last attempt failed less than the retry delay ago (back-off).
func (k *BackupScheduler) isBackingOff() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.failed.IsZero() && k.fault != "" && time.Since(k.failed) < tryAgain
}

// isDue reports whether the time of the next backup has come.
func (k *BackupScheduler) isDue(p BackupPlan, now time.Time) bool {
	next, ok := k.nextBackup(p, now)
	return ok && !next.After(now)
}

// nextBackup returns the time of the next backup: the first backup-at after the last backup, or after the start
// without one. A start in the future was recorded by a clock that has been set back since.
func (k *BackupScheduler) nextBackup(p BackupPlan, now time.Time) (time.Time, bool) {
	k.mu.Lock()
	if k.since.After(now) {
		k.since = now
	}
	from := k.since
	k.mu.Unlock()
	for _, f := range listNightly(p.Folder) {
		if !f.At.After(now.Add(clockSlack)) {
			from = f.At
			break
		}
	}
	return p.Next(from.In(now.Location()))
}

// describeDamage calls Damage, if set.
func (k *BackupScheduler) describeDamage() string {
	if k.Damage == nil {
		return ""
	}
	return k.Damage()
}

// makeBackup writes a backup and removes old ones.
func (k *BackupScheduler) makeBackup(ctx context.Context, p BackupPlan, now time.Time) (BackupFile, error) {
	if p.Fault != nil {
		return BackupFile{}, p.Fault
	}
	source := k.Source(now)
	if err := prepareFolder(p.Folder, source); err != nil {
		return BackupFile{}, err
	}
	made, err := writeBackup(ctx, p.Folder, nightlyName(now), source, p.Lock)
	if err != nil {
		return made, err
	}
	if damage := k.describeDamage(); damage != "" {
		return made, fmt.Errorf(
			"the backup %s was made without what is damaged, and older ones are all kept: %s", made.Name, damage,
		)
	}
	err = errors.Join(pruneBackups(p.Folder, made.Name, p.Keep),
		backup.RemoveUnfinished(p.Folder, "", now.AddDate(0, 0, -1)))
	if err != nil {
		return made, fmt.Errorf("the backup %s was made, but an older one cannot be removed: %w", made.Name, err)
	}
	return made, nil
}
