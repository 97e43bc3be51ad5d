package modelinstall

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"munadi/appliance/modelhub"
)

// SourceFile is the name of the source record in a model's folder.
const SourceFile = "munadi-source.json"

// Source is where a model was downloaded from.
type Source struct {
	Hub      string          `json:"hub"`
	Name     string          `json:"name"`
	Revision string          `json:"revision"` // the commit
	License  string          `json:"license,omitempty"`
	Card     string          `json:"card,omitempty"`
	At       time.Time       `json:"at"`
	Files    []modelhub.File `json:"files"`
}

// SourceOf reads a model's source record; nil for a model that was not downloaded from a hub.
func SourceOf(folder string) (*Source, error) {
	b, err := os.ReadFile(filepath.Join(folder, SourceFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := &Source{}
	if err := json.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("%s: %w", SourceFile, err)
	}
	return s, nil
}

// AddNote adds the source record to the notes of an installation, unless it is nil.
func (s *Source) AddNote(notes map[string][]byte) (err error) {
	if s != nil {
		notes[SourceFile], err = json.MarshalIndent(s, "", "  ")
	}
	return err
}

// SourceFrom returns the source record of a model that was downloaded from a hub now.
func SourceFrom(hub *modelhub.Hub, m *modelhub.Model) *Source {
	return &Source{
		Hub: hub.Base, Name: m.Name, Revision: m.Revision, License: m.License, Card: m.Card,
		At: time.Now().UTC().Truncate(time.Second), Files: m.Files,
	}
}

// FetchedPath returns the path for PrepareModel of a downloaded model: its checkpoint, or the folder.
func FetchedPath(m *modelhub.Model, folder string) string {
	if len(m.Files) == 1 {
		return filepath.Join(folder, m.Files[0].Name)
	}
	return folder
}
