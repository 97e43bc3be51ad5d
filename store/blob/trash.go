package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
)

// TrashFolder holds orphaned recordings (no call refers to them), by the day on which they were found:
// .trash/20261122/ORGANIZATION/CALL.wav. Names below it are not valid recording names.
const TrashFolder = ".trash"

// trashDay is the date layout of a day's trash folder.
const trashDay = "20060102"

// MoveToTrash moves a recording into the trash folder of a day, from where an operator can restore it. The error is
// fs.ErrNotExist for a missing recording, fs.ErrExist when the day's trash holds one of the same name.
func (f *RecordingFolder) MoveToTrash(_ context.Context, name string, now time.Time) error {
	if err := checkName("discard", name); err != nil {
		return err
	}
	to := TrashName(name, now)
	if _, err := f.root.Lstat(to); err == nil {
		return &fs.PathError{Op: "discard", Path: to, Err: fs.ErrExist}
	}
	if err := f.root.MkdirAll(path.Dir(to), 0o700); err != nil {
		return err
	}
	return f.root.Rename(name, to)
}

// ExpireTrash deletes the trash of the days that ended before a time and returns the number of recordings that remain.
func (f *RecordingFolder) ExpireTrash(_ context.Context, before time.Time) (left int, err error) {
	days, err := fs.ReadDir(f.root.FS(), TrashFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the trash of recordings: %w", err)
	}
	var failed []error
	for _, day := range days {
		began, err := time.Parse(trashDay, day.Name())
		if err != nil {
			continue // not a trash folder
		}
		folder := path.Join(TrashFolder, day.Name())
		if began.AddDate(0, 0, 1).Before(before) {
			failed = append(failed, f.root.RemoveAll(folder))
			continue
		}
		left += f.countFiles(folder)
	}
	return left, errors.Join(failed...)
}

// TrashName returns the name of a recording in the trash of a day.
func TrashName(name string, now time.Time) string {
	return path.Join(TrashFolder, now.UTC().Format(trashDay), name)
}

// TrashDay returns the day of a name in the trash; false for another name.
func TrashDay(name string) (day time.Time, ok bool) {
	rest, ok := strings.CutPrefix(name, TrashFolder+"/")
	if !ok {
		return day, false
	}
	text, _, _ := strings.Cut(rest, "/")
	day, err := time.Parse(trashDay, text)
	return day, err == nil
}

// countFiles counts the files below a folder; unreadable folders count as empty.
func (f *RecordingFolder) countFiles(folder string) (n int) {
	_ = fs.WalkDir(f.root.FS(), folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			n++
		}
		return nil
	})
	return n
}
