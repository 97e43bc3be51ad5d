package models

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"munadi/engine/checksum"
)

// staging is the prefix of temporary folders. CheckName refuses such names.
const staging = ".incoming-"

// fetching is the prefix of download folders.
const fetching = ".download-"

// When the checksums of a model's files were recorded.
const (
	atInstallation = "recorded at the installation"
	atStart        = "recorded at a start, since the model was installed without checksums"
)

// RecordChecksums records the checksums of a model that an older version installed without.
func RecordChecksums(folder string) error { return checksum.RecordFolder(folder, atStart) }

// Ages from which temporary folders are removed: of a killed program, and of an abandoned download.
const (
	staleAfter     = 24 * time.Hour
	abandonedAfter = 30 * 24 * time.Hour
)

// StageModel creates an empty temporary folder for AdoptStaged, and removes stale ones.
func (s ModelFolder) StageModel() (string, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return "", err
	}
	if err := s.removeStale(time.Now()); err != nil {
		return "", err
	}
	return os.MkdirTemp(s.dir, staging+"*")
}

// removeStale removes old temporary folders.
func (s ModelFolder) removeStale(now time.Time) error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		st, err := e.Info()
		if err != nil {
			continue
		}
		age := now.Sub(st.ModTime())
		if strings.HasPrefix(e.Name(), staging) && age > staleAfter ||
			strings.HasPrefix(e.Name(), fetching) && age > abandonedAfter {
			errs = append(errs, os.RemoveAll(filepath.Join(s.dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}

// Fetched returns the temporary folder of a download, which is kept until RemoveFetched so that a later download
// resumes. key distinguishes downloads.
func (s ModelFolder) Fetched(key string) string {
	return filepath.Join(s.dir, fetching+strings.ReplaceAll(key, "/", "_"))
}

// InstallModel copies the files of the folder from under an unused name, with notes (files by name). Symbolic links
// are followed, subfolders are left out: no model layout has any.
func (s ModelFolder) InstallModel(from, name string, notes map[string][]byte) (string, error) {
	if err := s.CheckNameFree(name); err != nil {
		return "", err
	}
	temp, err := s.StageModel()
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	if err := copyFiles(from, temp); err != nil {
		return "", err
	}
	return s.AdoptStaged(temp, name, notes)
}

// AdoptStaged renames a folder of StageModel to an unused name, with notes (files by name) and the checksums of its
// files. All files are synced before the rename: a power cut leaves no model with empty files.
func (s ModelFolder) AdoptStaged(staged, name string, notes map[string][]byte) (string, error) {
	if err := s.CheckNameFree(name); err != nil {
		return "", err
	}
	for file, b := range notes {
		if err := renameio.WriteFile(filepath.Join(staged, file), b, 0o600); err != nil {
			return "", err
		}
	}
	if err := errors.Join(checksum.RecordFolder(staged, atInstallation), syncFolder(staged)); err != nil {
		return "", err
	}
	path := filepath.Join(s.dir, name)
	if err := os.Rename(staged, path); err != nil {
		return "", err
	}
	return path, syncFile(s.dir)
}

// syncFolder writes the files of a folder and the folder itself to disk (fsync).
func syncFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, syncFile(filepath.Join(dir, e.Name())))
	}
	return errors.Join(err, syncFile(dir))
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func copyFiles(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		st, err := os.Stat(filepath.Join(from, e.Name()))
		if err != nil {
			return err
		}
		if !st.Mode().IsRegular() || e.Name() == checksum.ListFile {
			continue
		}
		if err := CopyFile(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// CopyFile copies a file to a new one and writes it to disk (fsync).
func CopyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
