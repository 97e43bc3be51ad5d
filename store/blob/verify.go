package blob

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
