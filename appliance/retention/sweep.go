package retention

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"munadi/store"
	"munadi/store/blob"
	"munadi/store/live"
)

// fileFate is the decision on a file.
type fileFate int

const (
	keepFile    fileFate = iota
	removeFile           // its record says so
	discardFile          // orphaned: move to the trash
)

// sweepOrphans handles orphaned files, and empties the trash of expired ones.
func (w *RetentionWorker) sweepOrphans(ctx context.Context) error {
	calls, err := w.pruneFolder(ctx, w.recordings, "", func(ctx context.Context, name string) (fileFate, error) {
		return w.fateOfRecording(ctx, name, w.trusted)
	})
	if err != nil {
		return err
	}
	sessions, err := w.pruneFolder(ctx, w.live, "", w.fateOfLiveSound)
	if calls+sessions > 0 {
		w.log.Warn("orphaned recordings without a call or a session were found", "recordings", calls, "live", sessions)
	}
	return errors.Join(err, w.expireTrash(ctx))
}

// expireTrash removes expired files from the trash folders and warns of the remaining ones. With an untrusted clock it
// removes none.
func (w *RetentionWorker) expireTrash(ctx context.Context) error {
	before := time.Now().Add(-keepTrash)
	if !w.trusted {
		before = time.Time{}
	}
	calls, err := w.recordings.ExpireTrash(ctx, before)
	sessions, err2 := w.live.ExpireTrash(ctx, before)
	message := ""
	if calls+sessions > 0 {
		message = fmt.Sprintf("%d recordings belong to no call or session: they are in the folder .trash of the recordings "+
			"and are removed after %d days; check whether a database was lost", calls+sessions, int(keepTrash/day))
	}
	if w.Warn != nil {
		w.Warn(message)
	}
	return errors.Join(w.unlessBucket(err), w.unlessBucket(err2))
}

// unlessBucket returns err, except a bucket's, which can be unreachable or misconfigured while everything else works:
// then the sweep is repeated within the hour.
func (w *RetentionWorker) unlessBucket(err error) error {
	if code := store.CodeOf(err); code == "" || code == store.CodeInternal {
		return err
	}
	w.log.Warn("recordings in the bucket cannot be looked through now; trying again within the hour", "err", err)
	w.behind = true
	return nil
}

// pruneFolder handles the files of an organization in a folder, or all with an empty id, by their fates and counts
// those that were removed. A failure with one file is retried the next time and does not stop the others.
func (w *RetentionWorker) pruneFolder(
	ctx context.Context, folder SoundFolder, orgID string, fateOf func(context.Context, string) (fileFate, error),
) (n int, _ error) {
	for name, err := range folder.ListNames(ctx, orgID) {
		if err != nil {
			return n, w.unlessBucket(err)
		}
		to, err := fateOf(ctx, name)
		if err != nil {
			return n, err
		}
		if to == removeFile && w.removeFile(folder, name) || to == discardFile && w.moveToTrash(ctx, folder, name) {
			n++
		}
	}
	return n, nil
}

// moveToTrash moves a file to the trash and reports success. One that is gone since it was listed is no fault.
func (w *RetentionWorker) moveToTrash(ctx context.Context, folder SoundFolder, name string) bool {
	err := folder.MoveToTrash(ctx, name, time.Now())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.log.Error("a recording without a record cannot be moved to the trash", "name", name, "err", err)
	}
	return err == nil
}

// IsErased reports whether a call's recording must go since its person was erased.
func (w *RetentionWorker) IsErased(ctx context.Context, name string) (bool, error) {
	to, err := w.fateOfRecording(ctx, name, false)
	return to == removeFile, err
}

// fateOfRecording decides by the call, which may still run, have another recording, none, or not exist. With expires,
// one whose removal at its day failed or was interrupted is removed.
func (w *RetentionWorker) fateOfRecording(ctx context.Context, name string, expires bool) (fileFate, error) {
	orgID, id, ok := blob.ParseName(name)
	if !ok {
		return keepFile, nil
	}
	c, err := w.store.FindCall(ctx, orgID, id)
	switch {
	case err != nil:
		return fateWithoutRecord(err)
	case !c.Status.IsFinal() || c.Recording == name:
		return keepFile, nil
	case c.ErasedAt != nil:
		return removeFile, nil
	}
	rules, err := w.store.FindRules(ctx, orgID)
	switch {
	case err != nil:
		return fateWithoutRecord(err)
	case rules.Redact:
		return removeFile, nil // the call was cut off before its numbers were silenced
	case expires && c.EndedAt != nil && c.EndedAt.Before(retentionLimit(time.Now(), rules.RetentionDays.Audio)):
		return removeFile, nil
	}
	return discardFile, nil
}

// fateOfLiveSound decides by the live session.
func (w *RetentionWorker) fateOfLiveSound(ctx context.Context, name string) (fileFate, error) {
	orgID, id, ok := blob.ParseName(name)
	if !ok {
		return keepFile, nil
	}
	_, err := w.store.LiveSession(ctx, orgID, id)
	return fateWithoutRecord(err)
}

// fateWithoutRecord decides by the error of reading the record. A record that cannot be read keeps its file; any
// other error is returned.
func fateWithoutRecord(err error) (fileFate, error) {
	switch store.CodeOf(err) {
	case "", store.CodeCorrupt:
		return keepFile, nil
	case store.CodeNotFound:
		return discardFile, nil
	}
	return keepFile, err
}

const (
	jump  = time.Hour // a clock that is kept by NTP never jumps by that much
	doubt = day       // how long the clock is not trusted after a jump
)

// clockGuard trusts the wall clock only while it agrees with the time since boot: data that was deleted because the
// clock ran ahead could not be brought back.
type clockGuard struct {
	wall    time.Time
	up      time.Duration
	seen    bool
	jumped  bool
	doubted time.Duration // uptime at the last jump
}

// trustsClock reports whether the wall clock is trusted for expiry; up is the machine's uptime.
func (s *clockGuard) trustsClock(wall time.Time, up time.Duration) bool {
	if s.seen {
		drift := wall.Round(0).Sub(s.wall.Round(0)) - (up - s.up)
		if drift.Abs() > jump {
			s.jumped, s.doubted = true, up
		}
	}
	s.wall, s.up, s.seen = wall, up, true
	return !s.jumped || up-s.doubted >= doubt
}

// machineUptime returns the time since boot, suspend included (CLOCK_BOOTTIME), which cannot be set.
func machineUptime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		return 0 // then every jump of the wall clock is noticed
	}
	return time.Duration(now.Nano())
}

// expireLive removes recordings of the organization's live sessions that ended before one time and transcripts of
// those that ended before another.
func (w *RetentionWorker) expireLive(ctx context.Context, orgID string, sound, words time.Time) error {
	files, err := w.pruneFolder(ctx, w.live, orgID, func(ctx context.Context, name string) (fileFate, error) {
		_, id, ok := blob.ParseName(name)
		began, known := live.SessionStart(id)
		if !ok || known && !began.Before(sound) { // skips most files without a store query
			return keepFile, nil
		}
		l, err := w.store.LiveSession(ctx, orgID, id)
		if err == nil && l.EndedBefore(sound) {
			return removeFile, nil
		}
		_, err = fateWithoutRecord(err) // sweepOrphans handles a file without a session
		return keepFile, err
	})
	if err != nil {
		return err
	}
	sessions, err := w.store.ExpireLive(ctx, orgID, words, slices.MinFunc([]time.Time{sound, words}, time.Time.Compare))
	if files > 0 || sessions > 0 {
		w.log.Info("expired parts of live sessions are forgotten", "org", orgID, "sounds", files, "sessions", sessions)
	}
	return err
}

// recordsEvery is the interval at which expired records are deleted.
const recordsEvery = 10 * time.Minute

// RecordStore deletes records that expire by themselves.
type RecordStore interface {
	ExpireSessions(ctx context.Context, now time.Time) (int, error)
	ExpireWebSessions(ctx context.Context, now time.Time) (int, error)
	ExpireOneTimes(ctx context.Context, now time.Time) (int, error)
	ExpireReceipts(ctx context.Context, now time.Time) (int, error)
	ExpireEvents(ctx context.Context, now time.Time) (int, error)
}

// SweepRecords deletes expired sessions and one-time records, idempotency receipts and deliveries of events at its
// start and then every ten minutes, until ctx ends.
func SweepRecords(ctx context.Context, s RecordStore) error {
	tick := time.NewTicker(recordsEvery)
	defer tick.Stop()
	for {
		for _, expire := range []func(context.Context, time.Time) (int, error){
			s.ExpireSessions, s.ExpireWebSessions, s.ExpireOneTimes, s.ExpireReceipts, s.ExpireEvents,
		} {
			if _, err := expire(ctx, time.Now()); err != nil && ctx.Err() == nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
