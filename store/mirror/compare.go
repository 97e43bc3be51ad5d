package mirror

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"munadi/store/bucket"
)

// mirrorComparison is one comparison of both sides.
type mirrorComparison struct {
	*FolderMirror
	root        *os.Root
	listed      time.Time // when the folder was read; the bucket's answer may come much later
	here, there map[string]fileStamp
	seen        map[string]seenFile
	bucketID    string // that seen is of, see [bucket.EnsureMark]
	uploaded    []string
	changed     bool // this side has changed the bucket
}

// compareFiles brings each file to the side where it is missing or older. It stops at the first error.
func (r *mirrorComparison) compareFiles(ctx context.Context) error {
	names := map[string]bool{}
	for _, side := range []map[string]fileStamp{r.here, r.there} {
		for name := range side {
			names[name] = true
		}
	}
	for name := range r.seen {
		if !names[name] {
			delete(r.seen, name) // it was removed on both sides
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if err := r.compareFile(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// compareFile copies or removes a file by which sides changed since the last comparison.
func (r *mirrorComparison) compareFile(ctx context.Context, name string) error {
	here, isHere := r.here[name]
	there, isThere := r.there[name]
	seen, known := r.seen[name]
	item := SharedItem{
		Here: isHere, ChangedHere: isHere && (!known || !here.isSame(seen.Here)),
		There: isThere, ChangedThere: isThere && (!known || !there.isSame(seen.There)),
	}
	if item.ChangedHere && r.listed.Sub(here.Modified).Abs() < settleTime {
		return nil // left to the next comparison
	}
	return MatchItem(ctx, r, name, item)
}

// RemoveHere implements [ItemMover].
func (r *mirrorComparison) RemoveHere(_ context.Context, name string) error {
	r.Log.Info("a file was removed on another appliance", "file", name)
	delete(r.seen, name)
	return r.root.Remove(name)
}

// RemoveThere implements [ItemMover].
func (r *mirrorComparison) RemoveThere(ctx context.Context, name string) error {
	r.Log.Info("a file that was removed here is removed in the bucket", "file", r.Prefix+name)
	delete(r.seen, name)
	r.changed = true
	return r.Bucket.RemoveObject(ctx, r.Prefix+name)
}

// isFileName reports whether a name is valid for a shared file; hidden files are not shared.
func isFileName(name string) bool {
	parts := strings.Split(name, "/")
	return fs.ValidPath(name) && name != "." && len(name) <= maxName && len(parts) <= maxDepth &&
		!strings.ContainsAny(name, "\\\x00") &&
		!slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, ".") })
}

// listFolder lists the files of the folder.
func (r *mirrorComparison) listFolder() (map[string]fileStamp, error) {
	found := map[string]fileStamp{}
	err := fs.WalkDir(r.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err // an unreadable file must not count as removed
		case entry.IsDir() && strings.HasPrefix(path.Base(name), ".") && name != ".":
			return fs.SkipDir
		case !entry.Type().IsRegular() || !isFileName(name):
			return nil
		}
		info, err := entry.Info()
		if err != nil || info.Size() > maxSize {
			return err
		}
		found[name] = fileStamp{Size: info.Size(), Modified: info.ModTime()}
		return nil
	})
	if err == nil && len(found) > maxCount {
		err = errors.New("the folder " + r.Dir + " has more than 20,000 files")
	}
	return found, err
}

// listBucket lists the files in the bucket.
func (r *mirrorComparison) listBucket(ctx context.Context) (map[string]fileStamp, error) {
	found := map[string]fileStamp{}
	for o, err := range r.Bucket.ListObjects(ctx, r.Prefix) {
		if err != nil {
			return nil, err
		}
		name := strings.TrimPrefix(o.Name, r.Prefix)
		if isFileName(name) && o.Size <= maxSize {
			found[name] = fileStamp{o.Size, o.Modified, o.ETag}
		}
		if len(found) > maxCount { // with a partial list, the other files would count as removed
			return nil, errors.New("the bucket has more than 20,000 files in " + r.Prefix)
		}
	}
	return found, nil
}

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

// seenState is the last seen state. Its names are hidden ones, which no shared file has: the state of an older version
// is the files alone.
type seenState struct {
	Bucket string              `json:".bucket"` // see [bucket.EnsureMark]; empty: of an older version
	Files  map[string]seenFile `json:".files"`
}

// readSeen reads the last seen state.
func (r *mirrorComparison) readSeen() {
	path := r.seenPath()
	state := ReadSeen[seenState](path)
	if state.Files == nil {
		state.Files = ReadSeen[map[string]seenFile](path)
	}
	if r.seen, r.bucketID = state.Files, state.Bucket; r.seen == nil {
		r.seen = map[string]seenFile{}
	}
}

// writeSeen replaces the last seen state.
func (r *mirrorComparison) writeSeen() error {
	return WriteSeen(r.seenPath(), seenState{r.bucketID, r.seen})
}

// markBucket marks the bucket as seen by this mirror. In a bucket without its mark, replaced or emptied, no file counts
// as seen: files that it lacks are uploaded again instead of removed here.
func (r *mirrorComparison) markBucket(ctx context.Context) (err error) {
	r.bucketID, err = bucket.EnsureMark(ctx, r.Bucket, r.markName(), r.bucketID, func() error {
		if len(r.seen) == 0 {
			return nil
		}
		r.Log.Warn("the bucket was replaced or emptied: the files of this machine are uploaded again", "files", r.Prefix)
		clear(r.seen)
		return r.writeSeen()
	})
	return err
}

// markName is the object that marks the bucket.
func (r *mirrorComparison) markName() string { return strings.TrimSuffix(r.Prefix, "/") + ".mirror" }

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
