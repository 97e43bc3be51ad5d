// Package modelinstall installs a speech model from a file or folder in the data folder: it converts a NeMo
// checkpoint, tests the model on built-in clips, and installs only one that decodes. The command line and the console
// use it.
package modelinstall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/engine"
	"munadi/engine/model"
	"munadi/store/disk"
)

// ModelInstaller holds the appliance's dependencies of an installation.
type ModelInstaller struct {
	Models  models.ModelFolder
	Open    func(dir string) (modelcheck.TrialEngine, error) // opens the model in a folder
	Samples fs.FS                                            // the clips of the test
}

// InstallOptions are the options of one installation.
type InstallOptions struct {
	Name        string // of the model; empty: NameOf its path
	AnyLanguage bool   // accept a model that does not recognize Arabic
	Int8        bool   // 8-bit weights (quantization), compared with the original; a model that has them stays as it is
	Beside      bool   // the 8-bit form of an installed model: one that has 8-bit weights already is refused
}

// PreparedModel is a tested model that can be installed. DiscardModel must be called in the end.
type PreparedModel struct {
	Report *modelcheck.TrialReport

	name        string
	origin      string // the path that it came from
	folder      string // of its files
	staged      bool   // folder is a temporary one in the models' folder
	mapped      bool   // it has model.MappedMark until it has been tested
	modelFolder models.ModelFolder
}

// NameOf returns the default name of a model from path: its last element, without .nemo.
func NameOf(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(filepath.Base(abs), ".nemo"), nil
}

// PrepareModel converts the checkpoint at path, or uses the folder unchanged, and tests the model. An unusable model is
// an error; the PreparedModel with its report is returned too if there is one.
func (in ModelInstaller) PrepareModel(ctx context.Context, path string, o InstallOptions) (*PreparedModel, error) {
	p, err := in.measureModel(ctx, path, o, false)
	switch {
	case err != nil || !o.Int8:
		return p, err
	case !p.Report.HasInt8():
		return in.prepareInt8(ctx, path, o, p)
	case o.Beside:
		return p, withKind(EightBits, fmt.Errorf("%s has 8-bit weights already", filepath.Base(path)))
	}
	return p, nil
}

// Int8Name returns the name of an installed model's 8-bit form.
func Int8Name(name string) string { return name + "-int8" }

// prepareInt8 replaces a prepared model by its quantized form with 8-bit weights.
func (in ModelInstaller) prepareInt8(
	ctx context.Context, path string, o InstallOptions, full *PreparedModel,
) (*PreparedModel, error) {
	if err := full.DiscardModel(); err != nil {
		return nil, err
	}
	p, err := in.measureModel(ctx, path, o, true)
	if p != nil {
		p.Report.SetOriginal(full.Report)
	}
	return p, err
}

// measureModel stages the model at path and tests it.
func (in ModelInstaller) measureModel(
	ctx context.Context, path string, o InstallOptions, int8 bool,
) (*PreparedModel, error) {
	p, err := in.stageModel(path, o, int8)
	if err != nil {
		return nil, err
	}
	if p.Report, err = in.tryModel(ctx, p); err != nil {
		return nil, errors.Join(withKind(CannotDecode, err), p.DiscardModel())
	}
	unusable := withKind(CannotDecode, p.Report.DecodingFault())
	return p, errors.Join(unusable, withKind(NotArabic, checkLanguage(p.Report, o)))
}

// tryModel opens and tests a staged model.
func (in ModelInstaller) tryModel(ctx context.Context, p *PreparedModel) (*modelcheck.TrialReport, error) {
	open := func() (modelcheck.TrialEngine, error) { return in.Open(p.folder) }
	r, err := modelcheck.RunTrial(ctx, open, in.Samples)
	if p.mapped {
		err = errors.Join(err, os.Remove(filepath.Join(p.folder, model.MappedMark)))
	}
	return r, err
}

// checkLanguage refuses a model that does not recognize Arabic, unless AnyLanguage is set.
func checkLanguage(r *modelcheck.TrialReport, o InstallOptions) error {
	err := r.NoArabic()
	if err == nil || o.AnyLanguage {
		return nil
	}
	return fmt.Errorf("%w. If it is meant for another language, use --any-language", err)
}

// stageModel returns the folder of the model at path, or converts it into a temporary one.
func (in ModelInstaller) stageModel(path string, o InstallOptions, int8 bool) (*PreparedModel, error) {
	if path == "" {
		return nil, errors.New("give the folder of a model, or a NeMo checkpoint")
	}
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if o.Name == "" {
		if o.Name, err = NameOf(path); err != nil {
			return nil, err
		}
	}
	p := &PreparedModel{name: o.Name, origin: path, folder: path, modelFolder: in.Models}
	if st.IsDir() && !int8 {
		return p, nil
	}
	if p.folder, err = in.Models.StageModel(); err != nil {
		return nil, err
	}
	p.staged = true
	if st.IsDir() {
		err = engine.QuantizeFolder(path, p.folder)
	} else {
		err = engine.ImportCheckpoint(path, p.folder, engine.ImportOptions{Name: o.Name, Int8: int8})
	}
	if err == nil {
		p.mapped, err = markMapped(p.folder, path)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(path), err)
		return nil, errors.Join(withKind(NotConvertible, err), p.DiscardModel())
	}
	return p, nil
}

// markMapped marks a staged model to be tested with its weights left in their file, if they are much larger than the
// original, a file or a folder: half-precision numbers were widened. The test then needs no more memory than the
// checkpoint's size suggests.
func markMapped(folder, original string) (bool, error) {
	if weights := disk.SizeOf(folder); weights < mappedFrom || weights < disk.SizeOf(original)*3/2 {
		return false, nil
	}
	return true, os.WriteFile(filepath.Join(folder, model.MappedMark), nil, 0o600)
}

// mappedFrom is the size in bytes from which weights are left in their file.
const mappedFrom = 64 << 20

// InstallModel installs the model with its report and its source in the models' folder. Without a source (nil) that of
// the folder that it came from is kept.
func (p *PreparedModel) InstallModel(source *Source) error {
	note, err := p.Report.MarshalReport()
	if err != nil {
		return err
	}
	if st, err := os.Stat(p.origin); source == nil && err == nil && st.IsDir() {
		if source, err = SourceOf(p.origin); err != nil {
			return err
		}
	}
	notes := map[string][]byte{modelcheck.File: note}
	if err := source.AddNote(notes); err != nil {
		return err
	}
	if p.staged {
		_, err = p.modelFolder.AdoptStaged(p.folder, p.name, notes)
	} else {
		_, err = p.modelFolder.InstallModel(p.folder, p.name, notes)
	}
	return err
}

// DiscardModel removes temporary files; an installed model stays.
func (p *PreparedModel) DiscardModel() error {
	if !p.staged {
		return nil
	}
	return os.RemoveAll(p.folder)
}

// FaultKind is the step in which a model turned out to be unusable.
type FaultKind string

// Kinds of faults.
const (
	NotConvertible FaultKind = "not_convertible" // the file is damaged, hostile, or of a model that cannot be imported
	CannotDecode   FaultKind = "cannot_decode"   // it does not load, or recognizes nothing in clear speech
	NotArabic      FaultKind = "not_arabic"      // it decodes, but does not recognize Arabic
	EightBits      FaultKind = "eight_bits"      // its 8-bit form was asked for, and it has 8-bit weights already
)

// FaultError is an error with its kind; its text is that of Err.
type FaultError struct {
	Kind FaultKind
	Err  error
}

func (e *FaultError) Error() string { return e.Err.Error() }

func (e *FaultError) Unwrap() error { return e.Err }

// withKind returns an error with its kind; nil for nil.
func withKind(kind FaultKind, err error) error {
	if err == nil {
		return nil
	}
	return &FaultError{kind, err}
}
