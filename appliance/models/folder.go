// Package models manages the installed speech models and neural voices in the data folder and which of them is
// selected. It moves files and does not look into them: packages modelinstall and voiceinstall have tested them before.
//
//	<data>/models/NAME/…     one folder per model
//	<data>/models/current    the name of the selected one; no such file: the built-in model
//	<data>/voices/…          the same for neural voices; no selected one: calls have the other voices
//
// Both are written to a temporary name and renamed, so that a crash leaves the old state or the new one.
package models

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/renameio/v2"
)

const currentFile = "current"

// BuiltIn is the display name of the embedded model; in this package its name is empty.
const BuiltIn = "built-in"

// ModelFolder is the folder of installed models, or of voices.
type ModelFolder struct {
	dir     string
	noun    string // of what is installed, for messages
	command string // that selects one
}

// OpenFolder returns the models' folder of a data folder, which may not exist yet.
func OpenFolder(data string) ModelFolder {
	return ModelFolder{filepath.Join(data, "models"), "model", "munadi model use"}
}

// OpenVoices returns the neural voices' folder of a data folder, which may not exist yet.
func OpenVoices(data string) ModelFolder {
	return ModelFolder{filepath.Join(data, "voices"), "voice", "munadi voice use"}
}

var validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckName checks the name of a model or a voice.
func CheckName(name string) error {
	if !validName.MatchString(name) || name == currentFile || name == BuiltIn {
		return fmt.Errorf("a name must have 1 to 64 letters, digits, dots, dashes and underscores, "+
			"and must be neither %q nor %q; got %q", currentFile, BuiltIn, name)
	}
	return nil
}

// CurrentModel returns the folder of the selected model; empty for the built-in one. A selected model that is missing
// is an error: the appliance must not silently use another one.
func (s ModelFolder) CurrentModel() (string, error) {
	b, err := os.ReadFile(filepath.Join(s.dir, currentFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	name := strings.TrimSpace(string(b))
	path := filepath.Join(s.dir, name)
	if CheckName(name) != nil || !isDir(path) {
		return "", fmt.Errorf("the selected %s %q is not in %s; select another with %s", s.noun, name, s.dir, s.command)
	}
	return path, nil
}

// UseModel selects an installed model; an empty name selects the built-in one.
func (s ModelFolder) UseModel(name string) error {
	current := filepath.Join(s.dir, currentFile)
	if name == "" {
		if err := os.Remove(current); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := s.CheckInstalled(name); err != nil {
		return err
	}
	return renameio.WriteFile(current, []byte(name+"\n"), 0o600)
}

// CheckInstalled checks that a model of that name is installed.
func (s ModelFolder) CheckInstalled(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if !isDir(filepath.Join(s.dir, name)) {
		return s.missingError(name)
	}
	return nil
}

func (s ModelFolder) missingError(name string) error {
	installed := cmp.Or(strings.Join(s.InstalledNames(), ", "), "none")
	return fmt.Errorf("there is no %s %q; installed: %s", s.noun, name, installed)
}

// SwitchModel selects a model (an empty name selects the built-in one) and calls reload to open it. If that fails the
// previous selection is restored. before is the previous model's name.
func (s ModelFolder) SwitchModel(name string, reload func() error) (before string, err error) {
	if path, err := s.CurrentModel(); err == nil && path != "" {
		before = filepath.Base(path) // else the built-in model, also when the selected model's folder is missing
	}
	if err := s.UseModel(name); err != nil {
		return before, err
	}
	if err := reload(); err != nil {
		return before, errors.Join(err, s.UseModel(before))
	}
	return before, nil
}

// InstalledNames lists the installed models.
func (s ModelFolder) InstalledNames() []string {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && CheckName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	return names
}

// CheckNameFree checks that a model can be installed under name.
func (s ModelFolder) CheckNameFree(name string) error {
	if err := CheckName(name); err != nil {
		return fmt.Errorf("%w; set another with --name", err)
	}
	if isDir(filepath.Join(s.dir, name)) {
		return fmt.Errorf("the %s %q exists already; choose another --name", s.noun, name)
	}
	if _, err := os.Lstat(filepath.Join(s.dir, name)); err == nil {
		return fmt.Errorf("%s exists but is not a %s; remove it, or choose another --name",
			filepath.Join(s.dir, name), s.noun)
	}
	return nil
}

// IsFolderOf reports whether a path leads to the folder of the model of that name.
func (s ModelFolder) IsFolderOf(path, name string) bool {
	given, err := os.Stat(path)
	own, err2 := os.Stat(filepath.Join(s.dir, name))
	return err == nil && err2 == nil && os.SameFile(given, own)
}

// Remove removes an installed model that is not selected.
func (s ModelFolder) Remove(name string) error {
	if err := s.CheckInstalled(name); err != nil {
		return err
	}
	path := filepath.Join(s.dir, name)
	if current, err := s.CurrentModel(); err == nil && current == path {
		return fmt.Errorf("%s is in use; select another first, such as: %s built-in", name, s.command)
	}
	gone, err := s.StageModel() // so that a crash leaves no incomplete model under its name
	if err != nil {
		return err
	}
	return errors.Join(s.markRemoved(name), os.Rename(path, filepath.Join(gone, name)), os.RemoveAll(gone))
}

// Folder returns the folder of an installed model.
func (s ModelFolder) Folder(name string) string { return filepath.Join(s.dir, name) }

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}
