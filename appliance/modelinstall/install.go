// Package modelinstall brings a speech model from a file or folder into the data folder: a NeMo checkpoint is converted,
// the model is tried on built-in clips, and only one that decodes is installed. The command line and the console use it.
package modelinstall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"munadi/appliance/shelf"
	"munadi/appliance/trial"
	"munadi/engine"
	"munadi/engine/model"
)

// Installer holds what an installation needs of the appliance.
type Installer struct {
	Shelf   shelf.Shelf
	Open    func(dir string) (trial.Engine, error) // opens the model in a folder
	Samples fs.FS                                  // the clips that models are tried on
}

// Options of one installation.
type Options struct {
	Name        string // of the model; empty: NameOf its path
	AnyLanguage bool   // accept a model that hears no Arabic
	Int8        bool   // 8-bit weights, compared with the model as it is
}

// Prepared is a model that was tried and can be installed. Discard must be called in the end.
type Prepared struct {
	Report *trial.Report
	Full   *trial.Report // of the model as it is, where it got 8-bit weights; else nil

	name   string
	folder string // where its files are
	staged bool   // folder is a temporary one on the shelf
	shelf  shelf.Shelf
}

// NameOf is what a model is called that comes from path: its last element, without .nemo.
func NameOf(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(filepath.Base(abs), ".nemo"), nil
}

// Prepare converts the checkpoint at path, or takes the folder as it is, and tries the model. A model that is of no
// use is an error, beside which the report is returned where there is one.
func (in Installer) Prepare(ctx context.Context, path string, o Options) (*Prepared, error) {
	p, err := in.measure(ctx, path, o, false)
	if err == nil && o.Int8 && !p.isInt8() {
		p, err = in.prepareInt8(ctx, path, o, p)
	}
	return p, err
}

// isInt8 reports whether the model had 8-bit weights when it came.
func (p *Prepared) isInt8() bool { return p.Report.Info.Precision == string(model.INT8) }

// prepareInt8 replaces a prepared model by the same one with 8-bit weights.
func (in Installer) prepareInt8(ctx context.Context, path string, o Options, full *Prepared) (*Prepared, error) {
	if err := full.Discard(); err != nil {
		return nil, err
	}
	p, err := in.measure(ctx, path, o, true)
	if p != nil {
		p.Full = full.Report
	}
	return p, err
}

// measure stages the model at path and tries it.
func (in Installer) measure(ctx context.Context, path string, o Options, int8 bool) (*Prepared, error) {
	p, err := in.stage(path, o, int8)
	if err != nil {
		return nil, err
	}
	if p.Report, err = in.try(ctx, p.folder); err != nil {
		return nil, errors.Join(err, p.Discard())
	}
	return p, errors.Join(p.Report.Fault(), language(p.Report, o))
}

// try opens and measures the model in a folder.
func (in Installer) try(ctx context.Context, dir string) (*trial.Report, error) {
	return trial.Run(ctx, func() (trial.Engine, error) { return in.Open(dir) }, in.Samples)
}

// language refuses a model that hears no Arabic, unless that is meant.
func language(r *trial.Report, o Options) error {
	err := r.NoArabic()
	if err == nil || o.AnyLanguage {
		return nil
	}
	return fmt.Errorf("%w. If it is meant for another language, say --any-language", err)
}

// stage finds or makes the folder of the model at path.
func (in Installer) stage(path string, o Options, int8 bool) (*Prepared, error) {
	if path == "" {
		return nil, errors.New("name the folder of a model, or a NeMo checkpoint")
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
	p := &Prepared{name: o.Name, folder: path, shelf: in.Shelf}
	if st.IsDir() && !int8 {
		return p, nil
	}
	if p.folder, err = in.Shelf.Stage(); err != nil {
		return nil, err
	}
	p.staged = true
	if st.IsDir() {
		err = engine.QuantiseFolder(path, p.folder)
	} else {
		err = engine.ImportCheckpoint(path, p.folder, engine.ImportOptions{Name: o.Name, Int8: int8})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", filepath.Base(path), err), p.Discard())
	}
	return p, nil
}

// Install puts the model on the shelf, with its report beside it.
func (p *Prepared) Install() error {
	note, err := p.Report.Marshal()
	if err != nil {
		return err
	}
	notes := map[string][]byte{trial.File: note}
	if p.staged {
		_, err = p.shelf.Adopt(p.folder, p.name, notes)
	} else {
		_, err = p.shelf.Install(p.folder, p.name, notes)
	}
	return err
}

// Discard removes temporary files; an installed model stays.
func (p *Prepared) Discard() error {
	if !p.staged {
		return nil
	}
	return os.RemoveAll(p.folder)
}
