// Package blob stores the call recordings: WAV files in a folder, named by organization and call.
//
// A recording is written while its call runs; a crash of the process leaves a playable file. Access rights and
// retention are decided elsewhere; the call's record holds the name.
//
// Layout: FOLDER/ORGANIZATION/CALL.wav, folders 0700, files 0600. Names of another form are never touched, and os.Root
// prevents path traversal out of the folder.
package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"
	"time"

	"munadi/store/disk"
)

const suffix = ".wav"

// maxPart is the maximum length of a part of a name, in bytes.
const maxPart = 128

// RecordingFile is an open recording.
type RecordingFile interface {
	io.ReadSeekCloser
	Stat() (fs.FileInfo, error)
}

// RecordingStore stores recordings: *[RecordingFolder], or a folder that uploads them to a bucket (package spool). Both
// write a recording to the local disk first.
type RecordingStore interface {
	CreateRecording(name string) (*RecordingWriter, error)
	OpenRecording(ctx context.Context, name string) (RecordingFile, error)
	FixHeader(name string) error
	RemoveFile(name string) error
	HoldFile(name string) (release func())
	ListNames(ctx context.Context, orgID string) iter.Seq2[string, error]
	ReadWaveform(ctx context.Context, name string) (Waveform, error)
	MoveToTrash(ctx context.Context, name string, now time.Time) error
	ExpireTrash(ctx context.Context, before time.Time) (left int, err error)
}

// RecordingFolder is a folder of recordings. It is safe for concurrent use.
type RecordingFolder struct {
	root *os.Root
	dir  string
	look func(dir string) (disk.DiskState, error)
}

// spare is the disk space, in bytes, that recordings leave free: the database needs it to store the outcomes of calls.
const spare = 64 << 20

// checkRoom returns an error when the disk is too full for a recording to grow. If the free space cannot be read,
// writing is attempted.
func (f *RecordingFolder) checkRoom() error {
	if now, err := f.look(f.dir); err == nil {
		return now.CheckRoom(spare)
	}
	return nil
}

// OpenFolder opens a folder, creating it if needed.
func OpenFolder(dir string) (*RecordingFolder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for recordings cannot be created: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder for recordings cannot be opened: %w", err)
	}
	return &RecordingFolder{root, dir, disk.ReadState}, nil
}

// Close closes the folder; open files stay open.
func (f *RecordingFolder) Close() error { return f.root.Close() }

// RecordingName returns the name of a call's recording.
func RecordingName(orgID, callID string) string { return orgID + "/" + callID + suffix }

// ParseName returns the organization and the call of a recording's name; false for another name.
func ParseName(name string) (orgID, callID string, ok bool) {
	orgID, file, found := strings.Cut(name, "/")
	callID, wav := strings.CutSuffix(file, suffix)
	return orgID, callID, found && wav && isPlainName(orgID) && isPlainName(callID)
}

// isPlainName reports whether a part of a name consists of letters, digits, '-' and '_' only.
func isPlainName(s string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return s != "" && len(s) <= maxPart && strings.Trim(s, allowed) == ""
}

// checkName returns fs.ErrInvalid for a malformed name.
func checkName(op, name string) error {
	if _, _, ok := ParseName(name); !ok {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// OpenRecording opens a recording for reading. The error is fs.ErrNotExist for a missing one, fs.ErrInvalid for a
// malformed name.
func (f *RecordingFolder) OpenRecording(_ context.Context, name string) (RecordingFile, error) {
	if err := checkName("open", name); err != nil {
		return nil, err
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// HoldFile marks a recording as being written until the returned function is called. A folder needs no such mark: this
// does nothing.
func (f *RecordingFolder) HoldFile(string) (release func()) { return func() {} }

// RemoveFile deletes a recording; a missing one is no error.
func (f *RecordingFolder) RemoveFile(name string) error {
	if err := checkName("remove", name); err != nil {
		return err
	}
	if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ListNames lists the recordings of an organization, or of all with an empty id, folder by folder, skipping other
// files. It stops at the first error.
func (f *RecordingFolder) ListNames(ctx context.Context, orgID string) iter.Seq2[string, error] {
	start := cmp.Or(orgID, ".")
	return func(yield func(string, error) bool) {
		err := fs.WalkDir(f.root.FS(), start, func(name string, entry fs.DirEntry, err error) error {
			if name == orgID && errors.Is(err, fs.ErrNotExist) {
				return nil // the organization has none
			}
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if _, _, ok := ParseName(name); ok && !entry.IsDir() && !yield(name, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

// createFile creates a file that must not exist yet.
func (f *RecordingFolder) createFile(name string) (*os.File, error) {
	if err := checkName("create", name); err != nil {
		return nil, err
	}
	if err := f.checkRoom(); err != nil {
		return nil, err
	}
	if err := f.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return nil, err
	}
	return f.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}
