package retention

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/blob"
	"munadi/store/live"
)

// expireLive forgets sound of the organization's sessions that ended before one time and words of those that ended
// before another.
func (w *Worker) expireLive(ctx context.Context, orgID string, sound, words time.Time) error {
	files, err := w.prune(ctx, w.live, func(ctx context.Context, name string) (bool, error) {
		owner, id, ok := blob.Parts(name)
		began, known := live.Began(id)
		if !ok || owner != orgID || known && !began.Before(sound) { // most files, without a question to the store
			return false, nil
		}
		l, err := w.store.LiveSession(ctx, orgID, id)
		return err == nil && l.EndedBefore(sound), unlessMissing(err)
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

// forgotten says whether no session has the sound any more.
func (w *Worker) forgotten(ctx context.Context, name string) (bool, error) {
	orgID, id, ok := blob.Parts(name)
	if !ok {
		return false, nil
	}
	_, err := w.store.LiveSession(ctx, orgID, id)
	return store.CodeOf(err) == store.CodeNotFound, unlessMissing(err)
}

func unlessMissing(err error) error {
	if store.CodeOf(err) == store.CodeNotFound {
		return nil
	}
	return err
}
