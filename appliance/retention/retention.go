// Package retention forgets what an organization does not want kept any longer: sound and words of ended calls and of
// live sessions, each after its own number of days, and sound files that belong to no call and no session any more.
//
// The database forgets a recording first, the file goes afterwards: a call never names a recording that is gone. Once a
// day all files are compared with their calls, which finds what a stop in between or a crash left behind. A file whose
// person was erased is removed. Any other file that belongs to no record is moved into a trash folder and removed 14
// days later, with a warning meanwhile: the records may be what is missing. Of a live session the file says whether there is sound, so it goes
// first; once neither sound nor words are kept, the session is forgotten altogether (live.go).
//
// A clock that was set by more than an hour is not believed for a day: see steady.go.
//
// It knows the store and the folder of recordings, and nobody who makes or hears them.
package retention

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"time"

	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/live"
)

const (
	expireEvery = time.Hour
	sweepEvery  = 24 * time.Hour
	batch       = 500 // calls that are changed by one question to the store
	day         = 24 * time.Hour
	keepTrash   = 14 * day // sound that belongs to no record
)

// RetentionStore is what the worker needs of it.
type RetentionStore interface {
	ListOrganizations(ctx context.Context) ([]account.Organization, error)
	FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	ExpireRecordings(ctx context.Context, orgID string, before time.Time, words bool, limit int) ([]string, error)
	ExpireWords(ctx context.Context, orgID string, before time.Time, limit int) (int, error)
	LiveSession(ctx context.Context, orgID, id string) (live.LiveSession, error)
	ExpireLive(ctx context.Context, orgID string, words, all time.Time) (int, error)
}

// SoundFolder is a folder of sound files; *[blob.RecordingFolder] is one.
type SoundFolder interface {
	ListNames() iter.Seq2[string, error]
	RemoveFile(name string) error
	// MoveToTrash moves a file into the trash folder of a day.
	MoveToTrash(name string, now time.Time) error
	// ExpireTrash removes the trash of the days that ended before a time and says how many files are left in it.
	ExpireTrash(before time.Time) (left int, err error)
}

// RetentionWorker forgets.
type RetentionWorker struct {
	// Warn is told what an operator should look at; an empty message takes it back. Nil: nothing is told.
	Warn func(message string)

	store      RetentionStore
	recordings SoundFolder // of calls
	live       SoundFolder // of live sessions
	log        *slog.Logger
	clock      clockGuard
	trusted    bool // the clock, at the last look
}

// NewWorker makes a worker.
func NewWorker(s RetentionStore, recordings, live SoundFolder, log *slog.Logger) *RetentionWorker {
	return &RetentionWorker{store: s, recordings: recordings, live: live, log: log}
}

// Run forgets what has expired at its start and then every hour, and sweeps the folder once a day, until ctx ends.
func (w *RetentionWorker) Run(ctx context.Context) error {
	expire, sweep := time.NewTicker(expireEvery), time.NewTicker(sweepEvery)
	defer expire.Stop()
	defer sweep.Stop()
	err := errors.Join(w.expireOrganizations(ctx), w.sweepOrphans(ctx))
	for err == nil {
		select {
		case <-expire.C:
			err = w.expireOrganizations(ctx)
		case <-sweep.C:
			err = w.sweepOrphans(ctx)
		case <-ctx.Done():
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// expireOrganizations goes through all organizations. One whose turn fails does not keep the others from theirs.
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
	rules, err := w.store.FindRules(ctx, orgID)
	if err != nil {
		return err
	}
	now := time.Now()
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
	return w.expireLive(ctx, orgID, retentionLimit(now, rules.RetentionDays.Audio), retentionLimit(now, rules.RetentionDays.Transcript))
}

// retentionLimit is the end of the last call that is too old; nothing is, with 0 days.
func retentionLimit(now time.Time, days int) time.Time {
	if days <= 0 {
		return time.Unix(0, 0)
	}
	return now.Add(-time.Duration(days) * day)
}

// expireAudio asks even when nothing expires: the store also tells what an erasure left to be removed.
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

// removeFile says whether the file is gone.
func (w *RetentionWorker) removeFile(folder SoundFolder, name string) bool {
	err := folder.RemoveFile(name)
	if err != nil {
		w.log.Error("a recording cannot be removed", "name", name, "err", err)
	}
	return err == nil
}
