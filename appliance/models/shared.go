package models

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"munadi/engine/checksum"
)

// SharedState is the file, in the models' folder, with the last seen state of the shared bucket; package modelshare
// writes it.
const SharedState = ".shared.json"

// removedPrefix begins the name of the mark of a model that was removed here and is still to be removed in the bucket.
const removedPrefix = ".removed-"

// markRemoved records that a model must be removed from the bucket, if models are shared.
func (s ModelFolder) markRemoved(name string) error {
	if _, err := os.Stat(filepath.Join(s.dir, SharedState)); err != nil {
		return nil //nolint:nilerr // models are not shared
	}
	return os.WriteFile(filepath.Join(s.dir, removedPrefix+name), nil, 0o600)
}

// RemovedNames lists the models that were removed here and are still to be removed in the bucket.
func (s ModelFolder) RemovedNames() []string {
	entries, _ := os.ReadDir(s.dir) // a folder that cannot be read has none
	var names []string
	for _, e := range entries {
		name, marked := strings.CutPrefix(e.Name(), removedPrefix)
		if marked && CheckName(name) == nil {
			names = append(names, name)
		}
	}
	return names
}

// ForgetRemoved drops the record that a model must be removed from the bucket.
func (s ModelFolder) ForgetRemoved(name string) error {
	err := os.Remove(filepath.Join(s.dir, removedPrefix+name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// ReplaceModel renames a complete folder of Fetched or StageModel to the name of a model, with the checksums of its
// files, in place of the model of that name, if there is one. Files that an engine has open stay open.
func (s ModelFolder) ReplaceModel(staged, name string) (replaced bool, err error) {
	if err := CheckName(name); err != nil {
		return false, err
	}
	if err := checksum.RecordFolder(staged, atInstallation); err != nil {
		return false, err
	}
	path := filepath.Join(s.dir, name)
	if isDir(path) {
		gone, err := s.StageModel()
		if err != nil {
			return false, err
		}
		defer func() { _ = os.RemoveAll(gone) }() // if it fails, a later StageModel removes it
		if err := os.Rename(path, filepath.Join(gone, name)); err != nil {
			return false, err
		}
		replaced = true
	}
	return replaced, os.Rename(staged, path)
}
