// Package blob holds the recordings: sound files in a folder, named by the call that they belong to.
//
// A recording is written while its call runs, and whatever happens to the process a playable file is left. Who may
// hear it and how long it is kept is not known here; the name stands in the call's record.
//
// Layout: FOLDER/ORGANIZATION/CALL.wav, folders 0700, files 0600. A name that is not of that form is never touched,
// and no name or link leads out of the folder (os.Root sees to that).
package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"

	"munadi/store/disk"
)

const suffix = ".wav"

// maxPart bounds a part of a name, in bytes.
const maxPart = 128

// RecordingFolder is a folder of recordings. It is safe for concurrent use.
type RecordingFolder struct {
	root *os.Root
	dir  string
	look func(dir string) (disk.DiskState, error)
}

// spare is what recordings leave free on the disk, in bytes: the database needs it to keep what becomes of the calls.
const spare = 64 << 20

// checkRoom says whether a recording may grow. A disk that cannot be looked at is tried.
func (f *RecordingFolder) checkRoom() error {
	if now, err := f.look(f.dir); err == nil {
		return now.CheckRoom(spare)
	}
	return nil
}

// OpenFolder opens a folder and makes it if it is not there.
func OpenFolder(dir string) (*RecordingFolder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for recordings cannot be made: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder for recordings cannot be opened: %w", err)
	}
	return &RecordingFolder{root, dir, disk.ReadState}, nil
}

// Close lets the folder go; files that are open stay so.
func (f *RecordingFolder) Close() error { return f.root.Close() }

// RecordingName is that of a call's recording.
func RecordingName(orgID, callID string) string { return orgID + "/" + callID + suffix }

// ParseName are the organization and the call that a name was made of; false for what is no name of a recording.
func ParseName(name string) (orgID, callID string, ok bool) {
	orgID, file, found := strings.Cut(name, "/")
	callID, wav := strings.CutSuffix(file, suffix)
	return orgID, callID, found && wav && isPlainName(orgID) && isPlainName(callID)
}

// isPlainName says whether a part of a name is made of letters, digits, '-' and '_' only.
func isPlainName(s string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return s != "" && len(s) <= maxPart && strings.Trim(s, allowed) == ""
}

// checkName refuses what is no name.
func checkName(op, name string) error {
	if _, _, ok := ParseName(name); !ok {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// OpenRecording opens a recording for reading. The error is fs.ErrNotExist without one, fs.ErrInvalid for no name.
func (f *RecordingFolder) OpenRecording(name string) (*os.File, error) {
	if err := checkName("open", name); err != nil {
		return nil, err
	}
	return f.root.Open(name)
}

// RemoveFile deletes a recording; one that is not there is fine.
func (f *RecordingFolder) RemoveFile(name string) error {
	if err := checkName("remove", name); err != nil {
		return err
	}
	if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ListNames lists the recordings, folder by folder; other files are passed over. It stops at an error.
func (f *RecordingFolder) ListNames() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := fs.WalkDir(f.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
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

// createFile opens a file that must not be there yet.
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
