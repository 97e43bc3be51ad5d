package mirror

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"munadi/store/bucket"
)

// seenName is the file with the last seen state.
const seenName = ".shared.json"

// fileStamp identifies a version of a file.
type fileStamp struct {
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	ETag     string    `json:"etag,omitempty"` // in the bucket
}

// isSame reports whether two stamps are of the same version.
func (s fileStamp) isSame(other fileStamp) bool {
	return s.Size == other.Size && s.ETag == other.ETag && (s.ETag != "" || s.Modified.Equal(other.Modified))
}

// seenFile holds the versions of a file on both sides when they last matched.
type seenFile struct {
	Here  fileStamp `json:"here"`
	There fileStamp `json:"there"`
}

// seenPath returns the file with the last seen state.
func (m *FolderMirror) seenPath() string { return filepath.Join(m.Dir, seenName) }

// readSeen reads the last seen state.
func (m *FolderMirror) readSeen() map[string]seenFile {
	if seen := ReadSeen[map[string]seenFile](m.seenPath()); seen != nil {
		return seen
	}
	return map[string]seenFile{}
}

// markBucket marks the bucket as seen by this mirror. In a bucket without the mark, replaced or emptied, no file counts
// as seen: files that it lacks are uploaded again instead of removed here.
func (r *mirrorComparison) markBucket(ctx context.Context) error {
	return bucket.EnsureMark(ctx, r.Bucket, strings.TrimSuffix(r.Prefix, "/")+".mirror", func() error {
		if len(r.seen) == 0 {
			return nil
		}
		r.Log.Warn("the bucket was replaced or emptied: the files of this machine are uploaded again", "files", r.Prefix)
		clear(r.seen)
		return WriteSeen(r.seenPath(), r.seen)
	})
}

// writeWhole writes a file under a temporary name and renames it.
func writeWhole(root *os.Root, name string, content []byte) error {
	file, err := root.OpenFile(incomingName, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return root.Rename(incomingName, name)
}
