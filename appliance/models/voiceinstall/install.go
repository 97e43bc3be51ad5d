// Package voiceinstall installs a neural voice in the data folder: it checks the files, lets the voice speak a
// sentence, and installs only one that does. The command line and the console use it.
package voiceinstall

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelinstall"
	"munadi/engine/voice"
)

// ReportFile is the name of the measurements in a voice's folder.
const ReportFile = "munadi-voice.json"

// VoiceReport describes an installed voice and its test on this machine.
type VoiceReport struct {
	Language   string           `json:"language"`
	SampleRate int              `json:"sample_rate"`
	Parameters int64            `json:"parameters"`
	Speakers   int              `json:"speakers"`
	Phonemes   string           `json:"phonemes,omitempty"` // as [voice.Config.Phonemes]
	License    string           `json:"license,omitempty"`
	Trial      voice.VoiceTrial `json:"trial"`
}

// ReadReport reads the report of an installed voice.
func ReadReport(folder string) (VoiceReport, error) {
	var r VoiceReport
	b, err := os.ReadFile(filepath.Join(folder, ReportFile))
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	return r, err
}

// VoiceInstaller holds the appliance's dependencies of an installation.
type VoiceInstaller struct {
	Voices models.ModelFolder
	Open   func(dir string) (*voice.NeuralVoice, error)
}

// PreparedVoice is a tested voice that can be installed. DiscardVoice must be called in the end.
type PreparedVoice struct {
	Report VoiceReport
	Name   string

	folder string // of its copy in the voices' folder
	voices models.ModelFolder
}

// PrepareVoice copies the voice at path into the voices' folder and lets it speak; license, which may be empty, is
// recorded unless its files name one.
func (in VoiceInstaller) PrepareVoice(ctx context.Context, path, name, license string) (*PreparedVoice, error) {
	found, err := findVoice(path)
	if err != nil {
		return nil, refuse(err)
	}
	p := &PreparedVoice{Name: cmp.Or(name, found.name), voices: in.Voices}
	if err := in.Voices.CheckNameFree(p.Name); err != nil {
		return nil, refuse(err)
	}
	if p.folder, err = in.Voices.StageModel(); err != nil {
		return nil, err
	}
	if err = p.copyFiles(found); err == nil {
		err = p.tryVoice(ctx, in.Open, license)
	}
	if err != nil {
		return nil, errors.Join(refuse(err), p.DiscardVoice())
	}
	return p, nil
}

// refuse marks an error as one of the voice or its name, for the person who installs it.
func refuse(err error) error {
	return &modelinstall.FaultError{Kind: modelinstall.CannotDecode, Err: err}
}

// copyFiles copies the voice's files and its card, if it has one.
func (p *PreparedVoice) copyFiles(found voiceFiles) (err error) {
	for name, path := range found.paths {
		err = errors.Join(err, copyRegular(path, filepath.Join(p.folder, name)))
	}
	for _, card := range []string{"MODEL_CARD", "README.md", "LICENSE"} {
		path := filepath.Join(found.dir, card)
		if st, statErr := os.Stat(path); statErr == nil && st.Mode().IsRegular() && st.Size() <= 1<<20 {
			err = errors.Join(err, copyRegular(path, filepath.Join(p.folder, card)))
		}
	}
	return err
}

// copyRegular copies a regular file: a pipe or a device could block forever.
func copyRegular(from, to string) error {
	st, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", from)
	}
	return models.CopyFile(from, to)
}

// tryVoice lets the copied voice speak and describes it.
func (p *PreparedVoice) tryVoice(
	ctx context.Context, open func(string) (*voice.NeuralVoice, error), license string,
) (err error) {
	v, err := open(p.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	p.Report = VoiceReport{
		Language: v.Language, SampleRate: v.SampleRate, Parameters: v.Parameters, Speakers: v.Speakers,
		Phonemes: v.Phonemes,
		License:  cmp.Or(v.License, p.cardLicense(), license),
	}
	p.Report.Trial, err = v.RunTrial(ctx)
	return err
}

// cardLicense returns the licence that the voice's card names.
func (p *PreparedVoice) cardLicense() string {
	for _, card := range []string{"MODEL_CARD", "README.md"} {
		text, err := os.ReadFile(filepath.Join(p.folder, card))
		if license := modelhub.FindLicense(text); err == nil && license != "" {
			return license
		}
	}
	return ""
}

// InstallVoice installs the voice with its report, its checksums and, unless nil, its source.
func (p *PreparedVoice) InstallVoice(source *modelinstall.Source) error {
	report, err := json.MarshalIndent(p.Report, "", "  ")
	if err != nil {
		return err
	}
	notes := map[string][]byte{ReportFile: report}
	if err := source.AddNote(notes); err != nil {
		return err
	}
	_, err = p.voices.AdoptStaged(p.folder, p.Name, notes)
	return err
}

// DiscardVoice removes temporary files; an installed voice stays.
func (p *PreparedVoice) DiscardVoice() error { return os.RemoveAll(p.folder) }
