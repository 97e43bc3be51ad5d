package retention

import (
	"context"
	"errors"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/blob"
)

// fileFate is what becomes of a file.
type fileFate int

const (
	keepFile    fileFate = iota
	removeFile           // its record says that it is to go
	discardFile          // it has no record
)

// sweepOrphans treats the files that no call and no session knows, and empties the trash of what has lain there long enough.
func (w *RetentionWorker) sweepOrphans(ctx context.Context) error {
	calls, err := w.pruneFolder(ctx, w.recordings, w.fateOfRecording)
	if err != nil {
		return err
	}
	sessions, err := w.pruneFolder(ctx, w.live, w.fateOfLiveSound)
	if calls+sessions > 0 {
		w.log.Warn("sound without a call or a session was found", "recordings", calls, "live", sessions)
	}
	return errors.Join(err, w.expireTrash())
}

// expireTrash empties the trash folders and says what is left in them. A clock that is not believed empties nothing.
func (w *RetentionWorker) expireTrash() error {
	before := time.Now().Add(-keepTrash)
	if !w.trusted {
		before = time.Time{}
	}
	calls, err := w.recordings.ExpireTrash(before)
	sessions, err2 := w.live.ExpireTrash(before)
	message := ""
	if calls+sessions > 0 {
		message = fmt.Sprintf("%d recordings belong to no call or session: they are in the folder .trash of the recordings "+
			"and are removed after %d days; look whether a database was lost", calls+sessions, int(keepTrash/day))
	}
	if w.Warn != nil {
		w.Warn(message)
	}
	return errors.Join(err, err2)
}

// pruneFolder treats the files of a folder by their fates and counts those that went. One that cannot be treated is tried
// again the next time, and holds none of the others up.
func (w *RetentionWorker) pruneFolder(
	ctx context.Context, folder SoundFolder, fateOf func(context.Context, string) (fileFate, error),
) (n int, _ error) {
	for name, err := range folder.ListNames() {
		if err != nil {
			return n, err
		}
		to, err := fateOf(ctx, name)
		if err != nil {
			return n, err
		}
		if to == removeFile && w.removeFile(folder, name) || to == discardFile && w.moveToTrash(folder, name) {
			n++
		}
	}
	return n, nil
}

// moveToTrash says whether the file is in the trash.
func (w *RetentionWorker) moveToTrash(folder SoundFolder, name string) bool {
	err := folder.MoveToTrash(name, time.Now())
	if err != nil {
		w.log.Error("a recording without a record cannot be moved to the trash", "name", name, "err", err)
	}
	return err == nil
}

// fateOfRecording asks the call: it may run, or have another recording, or none, or not be there.
func (w *RetentionWorker) fateOfRecording(ctx context.Context, name string) (fileFate, error) {
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
	return discardFile, nil
}

// fateOfLiveSound asks the session.
func (w *RetentionWorker) fateOfLiveSound(ctx context.Context, name string) (fileFate, error) {
	orgID, id, ok := blob.ParseName(name)
	if !ok {
		return keepFile, nil
	}
	_, err := w.store.LiveSession(ctx, orgID, id)
	return fateWithoutRecord(err)
}

// fateWithoutRecord is the fate of a file whose record was answered with an error. A record that cannot be read keeps
// its file; any other fault is the supervisor's.
func fateWithoutRecord(err error) (fileFate, error) {
	switch store.CodeOf(err) {
	case "", store.CodeCorrupt:
		return keepFile, nil
	case store.CodeNotFound:
		return discardFile, nil
	}
	return keepFile, err
}
