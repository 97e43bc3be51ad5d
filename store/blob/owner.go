package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// ownerFile is the marker file of a folder, with the id of the installation that owns its recordings. It is not a valid
// recording name, so no other method touches it.
const ownerFile = ".installation"

// maxOwner is the maximum size of the marker file, in bytes.
const maxOwner = 256

// ReadOwner returns the id of the installation that owns the folder. marked is false without a marker file, as in a new
// folder or an unmounted mount point; an empty id with marked true is a marker that an operator created to approve the
// folder.
func (f *RecordingFolder) ReadOwner() (id string, marked bool, err error) {
	content, err := f.root.ReadFile(ownerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read the owner of the recordings folder: %w", err)
	}
	return strings.TrimSpace(string(content[:min(len(content), maxOwner)])), true, nil
}

// SetOwner writes the marker file.
func (f *RecordingFolder) SetOwner(id string) error {
	file, err := f.root.OpenFile(ownerFile, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write the mark of the recordings folder: %w", err)
	}
	_, err = file.WriteString(id + "\n")
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("write the mark of the recordings folder: %w", err)
	}
	return nil
}

// FolderPath returns the folder's path, for messages.
func (f *RecordingFolder) FolderPath() string { return f.dir }
