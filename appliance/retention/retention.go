// Package retention enforces the retention periods of organizations: it deletes recordings and transcripts of ended
// calls and of live sessions, each after its number of days, and orphaned recordings that belong to no call or session.
//
// A recording's record is deleted before its file, so that a call never names a missing recording. Once a day all
// files are compared with the calls, which finds files that a stop, a crash or a bucket that was away left behind. A
// file whose person was erased, or whose days are over, is removed. Any other orphaned file is moved to a trash folder
// and removed 14 days later, with a warning meanwhile, since its record may have been lost. Of a live session the file
// shows whether there is a recording, so it is removed first; once neither recording nor transcript is kept, the
// session's record is deleted (sweep.go).
//
// Erasures of people that were interrupted are completed within the hour. After an upgrade the calls of the older
// version are added to the search by name.
//
// For a day after a clock change of more than an hour nothing is deleted: see sweep.go.
//
// It depends on the store and the recordings folder, not on recording or playback.
package retention

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/live"
	"munadi/store/scenario"
)

const (
	expireEvery = time.Hour
	sweepEvery  = 24 * time.Hour
	batch       = 500 // calls changed by one store query
	day         = 24 * time.Hour
	keepTrash   = 14 * day // retention of orphaned recordings in the trash
	// eraseTime is the time after which an erasure that has not ended counts as interrupted.
	eraseTime = 10 * time.Minute
)

// RetentionStore is the part of the store that the worker uses.
type RetentionStore interface {
	ListOrganizations(ctx context.Context) ([]account.Organization, error)
	FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	ResumeErasures(ctx context.Context, before time.Time) ([]string, error)
	NameOlderCalls(ctx context.Context, builtIn []scenario.Scenario, now time.Time) error
	RenewMarks(ctx context.Context) error
	ExpireRecordings(ctx context.Context, orgID string, before time.Time, words bool, limit int) ([]string, error)
	ExpireWords(ctx context.Context, orgID string, before time.Time, limit int) (int, error)
	LiveSession(ctx context.Context, orgID, id string) (live.LiveSession, error)
	ExpireLive(ctx context.Context, orgID string, words, all time.Time) (int, error)
}

// SoundFolder holds recordings, on a disk or in a bucket; every [blob.RecordingStore] is one.
type SoundFolder interface {
	// ListNames lists the files of an organization, or of all with an empty id.
	ListNames(ctx context.Context, orgID string) iter.Seq2[string, error]
	RemoveFile(name string) error
	// MoveToTrash moves a file to the trash folder of a day.
	MoveToTrash(ctx context.Context, name string, now time.Time) error
	// ExpireTrash removes the trash of the days that ended before a time and returns how many files are left in it.
	ExpireTrash(ctx context.Context, before time.Time) (left int, err error)
}

// RetentionWorker deletes expired data.
type RetentionWorker struct {
	// Warn receives a health warning for the operator; an empty message clears it. Nil: no warnings.
	Warn func(message string)
	// BuiltIn are the built-in scenarios, by which the calls of an older version are added to the search by name.
	BuiltIn []scenario.Scenario
	// Leads reports whether this appliance is the one that deletes expired data where several share both the database
	// and the recordings. Nil: it is.
	Leads func(ctx context.Context) bool

	store      RetentionStore
	recordings SoundFolder // of calls
	live       SoundFolder // of live sessions
	log        *slog.Logger
	clock      clockGuard
	trusted    bool // whether the clock was trusted at the last run
	behind     bool // the bucket was away at the last sweep
}

// NewWorker returns a worker.
func NewWorker(s RetentionStore, recordings, live SoundFolder, log *slog.Logger) *RetentionWorker {
	return &RetentionWorker{store: s, recordings: recordings, live: live, log: log}
}

// Run deletes expired data at its start and then every hour, and sweeps the folders once a day, until ctx ends.
func (w *RetentionWorker) Run(ctx context.Context) error {
	expire, sweep := time.NewTicker(expireEvery), time.NewTicker(sweepEvery)
	defer expire.Stop()
	defer sweep.Stop()
	err := errors.Join(w.store.RenewMarks(ctx), w.runRound(ctx, true))
	for err == nil {
		select {
		case <-expire.C:
			again := w.behind
			w.behind = false
			err = w.runRound(ctx, again)
		case <-sweep.C:
			w.behind = false
			err = w.runRound(ctx, true)
		case <-ctx.Done():
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// runRound deletes expired data and, if asked, sweeps the folders. With several appliances only the leader lists the
// bucket. A new leader sweeps within the hour.
func (w *RetentionWorker) runRound(ctx context.Context, sweep bool) error {
	if w.Leads != nil && !w.Leads(ctx) {
		w.behind = w.behind || sweep
		return nil
	}
	err := errors.Join(w.resumeErasures(ctx), w.expireOrganizations(ctx))
	if err == nil && sweep {
		err = w.sweepOrphans(ctx)
	}
	return errors.Join(err, w.store.NameOlderCalls(ctx, w.BuiltIn, time.Now()))
}

// resumeErasures completes the erasures of people that a crash or an error interrupted.
func (w *RetentionWorker) resumeErasures(ctx context.Context) error {
	names, err := w.store.ResumeErasures(ctx, time.Now().Add(-eraseTime))
	for _, name := range names {
		w.removeFile(w.recordings, name)
	}
	return err
}

// expireOrganizations deletes the expired data of all organizations. An error in one does not stop the others.
func (w *RetentionWorker) expireOrganizations(ctx context.Context) error {
	if w.trusted = w.clock.trustsClock(time.Now(), machineUptime()); !w.trusted {
		w.log.Warn("nothing expires for a day, since the machine's clock was set by more than an hour", "now", time.Now())
		return nil
	}
	all, err := w.store.ListOrganizations(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, o := range all {
		failed = append(failed, w.expireOf(ctx, o.ID))
	}
	return errors.Join(failed...)
}

func (w *RetentionWorker) expireOf(ctx context.Context, orgID string) error {
	now := time.Now()
	rules, err := w.store.FindRules(ctx, orgID)
	if store.IsUnreadable(err) { // only the files that erasures left are removed
		w.log.Error("nothing expires in an organization, since its rules are damaged", "org", orgID, "err", err)
		_, err = w.expireAudio(ctx, orgID, retentionLimit(now, 0))
		return err
	}
	if err != nil {
		return err
	}
	recordings, err := w.expireAudio(ctx, orgID, retentionLimit(now, rules.RetentionDays.Audio))
	if err != nil {
		return err
	}
	words, err := w.expireWords(ctx, orgID, retentionLimit(now, rules.RetentionDays.Transcript))
	if recordings > 0 || words > 0 {
		w.log.Info("expired parts of calls are forgotten", "org", orgID, "recordings", recordings, "transcripts", words)
	}
	if err != nil {
		return err
	}
	return w.expireLive(
		ctx, orgID, retentionLimit(now, rules.RetentionDays.Audio), retentionLimit(now, rules.RetentionDays.Transcript),
	)
}

// retentionLimit returns the time before which data has expired; with 0 days nothing expires.
func retentionLimit(now time.Time, days int) time.Time {
	if days <= 0 {
		return time.Unix(0, 0)
	}
	return now.Add(-time.Duration(days) * day)
}

// expireAudio deletes expired recordings. It queries the store even if nothing expires, since the store also returns
// the files that an erasure left to be removed.
func (w *RetentionWorker) expireAudio(ctx context.Context, orgID string, before time.Time) (n int, err error) {
	for {
		names, err := w.store.ExpireRecordings(ctx, orgID, before, false, batch)
		for _, name := range names {
			w.removeFile(w.recordings, name)
		}
		n += len(names)
		if err != nil || len(names) < batch {
			return n, err
		}
	}
}

func (w *RetentionWorker) expireWords(ctx context.Context, orgID string, before time.Time) (n int, err error) {
	for {
		some, err := w.store.ExpireWords(ctx, orgID, before, batch)
		n += some
		if err != nil || some < batch {
			return n, err
		}
	}
}

// removeFile removes a file and reports success.
func (w *RetentionWorker) removeFile(folder SoundFolder, name string) bool {
	err := folder.RemoveFile(name)
	if err != nil {
		w.log.Error("a recording cannot be removed", "name", name, "err", err)
	}
	return err == nil
}
