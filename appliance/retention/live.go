package retention

import (
	"context"
	"slices"
	"time"

	"munadi/store/blob"
	"munadi/store/live"
)

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
