// Package retention forgets what an organization does not want kept any longer: sound and words of ended calls and of
// live sessions, each after its own number of days, and sound files that belong to no call and no session any more.
//
// The database forgets a recording first, the file goes afterwards: a call never names a recording that is gone. A stop
// in between leaves a file without a call; once a day all files are compared with their calls, which finds those as
// well as what an erasure or a crash left behind. Of a live session the file says whether there is sound, so it goes
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

	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/dialling"
	"munadi/store/live"
	"munadi/store/org"
)

const (
	expireEvery = time.Hour
	sweepEvery  = 24 * time.Hour
	batch       = 500 // calls that are changed by one question to the store
	day         = 24 * time.Hour
)

// Store is what the worker needs of it.
type Store interface {
	Organizations(ctx context.Context) ([]org.Organization, error)
	Rules(ctx context.Context, orgID string) (dialling.Rules, error)
	Call(ctx context.Context, orgID, id string) (call.Call, error)
	ExpireRecordings(ctx context.Context, orgID string, before time.Time, words bool, limit int) ([]string, error)
	ExpireWords(ctx context.Context, orgID string, before time.Time, limit int) (int, error)
	LiveSession(ctx context.Context, orgID, id string) (live.Session, error)
	ExpireLive(ctx context.Context, orgID string, words, all time.Time) (int, error)
}

// Recordings is a folder of sound files; *[blob.Folder] is one.
type Recordings interface {
	Names() iter.Seq2[string, error]
	Remove(name string) error
}

// Worker forgets.
type Worker struct {
	store      Store
	recordings Recordings // of calls
	live       Recordings // of live sessions
	log        *slog.Logger
	clock      steady
}

// New makes a worker.
func New(s Store, recordings, live Recordings, log *slog.Logger) *Worker {
	return &Worker{store: s, recordings: recordings, live: live, log: log}
}

// Run forgets what has expired at its start and then every hour, and sweeps the folder once a day, until ctx ends.
func (w *Worker) Run(ctx context.Context) error {
	expire, sweep := time.NewTicker(expireEvery), time.NewTicker(sweepEvery)
	defer expire.Stop()
	defer sweep.Stop()
	err := errors.Join(w.expire(ctx), w.sweep(ctx))
	for err == nil {
		select {
		case <-expire.C:
			err = w.expire(ctx)
		case <-sweep.C:
			err = w.sweep(ctx)
		case <-ctx.Done():
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// expire goes through all organizations. One whose turn fails does not keep the others from theirs.
func (w *Worker) expire(ctx context.Context) error {
	if !w.clock.trusts(time.Now(), uptime()) {
		w.log.Warn("nothing expires for a day, since the machine's clock was set by more than an hour", "now", time.Now())
		return nil
	}
	all, err := w.store.Organizations(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, o := range all {
		failed = append(failed, w.expireOf(ctx, o.ID))
	}
	return errors.Join(failed...)
}

func (w *Worker) expireOf(ctx context.Context, orgID string) error {
	rules, err := w.store.Rules(ctx, orgID)
	if err != nil {
		return err
	}
	now := time.Now()
	recordings, err := w.expireAudio(ctx, orgID, limit(now, rules.RetentionDays.Audio))
	if err != nil {
		return err
	}
	words, err := w.expireWords(ctx, orgID, limit(now, rules.RetentionDays.Transcript))
	if recordings > 0 || words > 0 {
		w.log.Info("expired parts of calls are forgotten", "org", orgID, "recordings", recordings, "transcripts", words)
	}
	if err != nil {
		return err
	}
	return w.expireLive(ctx, orgID, limit(now, rules.RetentionDays.Audio), limit(now, rules.RetentionDays.Transcript))
}

// limit is the end of the last call that is too old; nothing is, with 0 days.
func limit(now time.Time, days int) time.Time {
	if days <= 0 {
		return time.Unix(0, 0)
	}
	return now.Add(-time.Duration(days) * day)
}

// expireAudio asks even when nothing expires: the store also tells what an erasure left to be removed.
func (w *Worker) expireAudio(ctx context.Context, orgID string, before time.Time) (n int, err error) {
	for {
		names, err := w.store.ExpireRecordings(ctx, orgID, before, false, batch)
		for _, name := range names {
			w.remove(w.recordings, name)
		}
		n += len(names)
		if err != nil || len(names) < batch {
			return n, err
		}
	}
}

func (w *Worker) expireWords(ctx context.Context, orgID string, before time.Time) (n int, err error) {
	for {
		some, err := w.store.ExpireWords(ctx, orgID, before, batch)
		n += some
		if err != nil || some < batch {
			return n, err
		}
	}
}

// sweep removes the files that no call and no session knows.
func (w *Worker) sweep(ctx context.Context) error {
	calls, err := w.prune(ctx, w.recordings, w.orphan)
	if err != nil {
		return err
	}
	sessions, err := w.prune(ctx, w.live, w.forgotten)
	if calls+sessions > 0 {
		w.log.Info("sound without a call or a session is removed", "recordings", calls, "live", sessions)
	}
	return err
}

// remove says whether the file is gone.
func (w *Worker) remove(folder Recordings, name string) bool {
	err := folder.Remove(name)
	if err != nil {
		w.log.Error("a recording cannot be removed", "name", name, "err", err)
	}
	return err == nil
}

// prune removes the files of a folder that are to go and counts them. One that cannot be removed is tried again the
// next time, and holds none of the others up.
func (w *Worker) prune(
	ctx context.Context, folder Recordings, goes func(context.Context, string) (bool, error),
) (n int, _ error) {
	for name, err := range folder.Names() {
		if err != nil {
			return n, err
		}
		due, err := goes(ctx, name)
		if err != nil {
			return n, err
		}
		if due && w.remove(folder, name) {
			n++
		}
	}
	return n, nil
}

// orphan says whether no call has the recording, nor ever will: it ended without it, or is not there.
func (w *Worker) orphan(ctx context.Context, name string) (bool, error) {
	orgID, id, ok := blob.Parts(name)
	if !ok {
		return false, nil
	}
	c, err := w.store.Call(ctx, orgID, id)
	switch {
	case store.CodeOf(err) == store.CodeNotFound:
		return true, nil
	case err != nil:
		return false, err
	default:
		return c.Status.Final() && c.Recording != name, nil
	}
}
