package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"syscall"
	"time"

	"munadi/store/call"
)

// ErrDamaged means that a recording is not the one that was written.
var ErrDamaged = errors.New("the recording is damaged: its size or SHA-256 is not that of what was written")

// SumRecording reads a recording to its end and returns its sum.
func SumRecording(file io.ReadSeeker) (call.RecordingSum, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return call.RecordingSum{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	return call.RecordingSum{Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

const (
	maxVerified   = 10_000    // files that are remembered
	verifiedValid = time.Hour // how long one counts as verified: the medium below can decay
)

// RecordingVerifier verifies recordings, and remembers which files it has read, so that a player's range requests do
// not read the whole file each. It is safe for concurrent use; the zero value is ready.
type RecordingVerifier struct {
	mu       sync.Mutex
	verified map[string]time.Time // by name, file and sum
}

// VerifyRecording compares an open recording with its sum and rewinds it. The error is [ErrDamaged], or one of reading.
func (v *RecordingVerifier) VerifyRecording(file RecordingFile, name string, want call.RecordingSum) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != want.Size {
		return fmt.Errorf("%w: %s has %d bytes instead of %d", ErrDamaged, name, info.Size(), want.Size)
	}
	key := fmt.Sprint(name, fileIdentity(info), want.SHA256)
	if v.isVerified(key) {
		return nil
	}
	got, err := SumRecording(file)
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%w: %s has the SHA-256 %s instead of %s", ErrDamaged, name, got.SHA256, want.SHA256)
	}
	v.noteVerified(key)
	_, err = file.Seek(0, io.SeekStart)
	return err
}

// fileIdentity returns what changes when a file is written or replaced: its inode and times, or a bucket's ETag.
func fileIdentity(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprint(" ", st.Dev, st.Ino, st.Mtim, st.Ctim, " ")
	}
	return fmt.Sprint(" ", info.ModTime().UnixNano(), info.Sys(), " ")
}

func (v *RecordingVerifier) isVerified(key string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	at, found := v.verified[key]
	return found && time.Since(at) < verifiedValid
}

func (v *RecordingVerifier) noteVerified(key string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.verified == nil || len(v.verified) >= maxVerified {
		v.verified = map[string]time.Time{}
	}
	v.verified[key] = time.Now()
}

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
