// Package backupschedule is the folder of backups that the appliance makes by itself: one every night, of which the last few
// are kept, and one before the database is upgraded to a new format, which stays until a person removes it.
//
// It decides when, under which name, and what may go; how a backup is made and read back is package backup's. It knows
// the settings and neither doors nor the store.
//
// What is due is judged by the machine's clock at each look, never by a timer that was set for the night: a clock that
// is set, a machine that slept, a setting that changed count at the next look. A file whose name lies in the future was
// made while the clock was wrong; it is kept among the others and says nothing about when the next one is due.
package backupschedule

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"munadi/appliance/backup"
)

const (
	lookEvery  = time.Minute
	tryAgain   = time.Hour       // after one that failed
	clockSlack = 5 * time.Minute // a name that lies further in the future was made by a wrong clock
)

// BackupPlan says how nightly backups are made, as it counts at the moment.
type BackupPlan struct {
	Folder string
	Next   func(after time.Time) (time.Time, bool) // false: no nightly backups
	Keep   int                                     // nightly ones that stay
	Lock   backup.BackupLock
	Fault  error // why none can be made, or nil
}

// Dependencies are what a keeper works with.
type Dependencies struct {
	Plan   func() BackupPlan
	Source func(now time.Time) backup.BackupSource
	Now    func() time.Time
	Log    *slog.Logger
	// Damage says what is damaged in what is backed up, empty for nothing; nil: it is not known.
	Damage func() string
}

// BackupScheduler makes the backups. It is safe for concurrent use; Run is called once.
type BackupScheduler struct {
	Dependencies
	asked chan struct{}

	mu     sync.Mutex
	since  time.Time // from when on the clock's nights count
	failed time.Time // last failure, with the monotonic clock
	fault  string
	busy   bool
	warned string // what [BackupScheduler.warnNoPlan] said last
}

// NewScheduler makes a keeper.
func NewScheduler(d Dependencies) *BackupScheduler {
	return &BackupScheduler{Dependencies: d, asked: make(chan struct{}, 1), since: d.Now()}
}

// BackUp asks for a backup now; it is made in the background, unless one is being made.
func (k *BackupScheduler) BackUp() {
	select {
	case k.asked <- struct{}{}:
	default:
	}
}

// Run makes the backups that fall due, and those that are asked for, until ctx ends. It never fails: what goes wrong
// is logged, shown by [BackupScheduler.CurrentState] and tried again an hour later.
func (k *BackupScheduler) Run(ctx context.Context) error {
	k.warnNoPlan(k.Plan())
	tick := time.NewTicker(lookEvery)
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

// checkDue makes a backup if one is due or wanted.
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
		k.Log.Error("the backup was not made", "folder", plan.Folder, "err", err)
		return
	}
	k.Log.Info("a backup was made and read back", "file", made.Name, "bytes", made.Bytes)
}

// warnNoPlan logs, once, that the settings allow no backup: nobody should learn it after the first night.
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

// isBackingOff says that the last try failed a while ago only.
func (k *BackupScheduler) isBackingOff() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.failed.IsZero() && k.fault != "" && time.Since(k.failed) < tryAgain
}

// isDue says whether a night has begun since the last backup.
func (k *BackupScheduler) isDue(p BackupPlan, now time.Time) bool {
	next, ok := k.nextBackup(p, now)
	return ok && !next.After(now)
}

// nextBackup is when the next backup is due: the first night after the last backup, or after the start where there is none.
// A start that lies in the future was by a clock that has been set back since.
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

// describeDamage asks, where it is known.
func (k *BackupScheduler) describeDamage() string {
	if k.Damage == nil {
		return ""
	}
	return k.Damage()
}

// makeBackup writes a backup and removes what is too many.
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
		return made, fmt.Errorf("the backup %s was made without what is damaged, and older ones are all kept: %s", made.Name, damage)
	}
	if err := pruneBackups(p.Folder, made.Name, p.Keep); err != nil {
		return made, fmt.Errorf("the backup %s was made, but an older one cannot be removed: %w", made.Name, err)
	}
	return made, nil
}
