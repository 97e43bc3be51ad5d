package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"munadi/appliance/config"
	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelinstall"
	"munadi/assets/web"
)

// ModelImportCmd is munadi model import PATH.
type ModelImportCmd struct {
	Path        string `arg:"" help:"Model folder (onnx-asr, sherpa-onnx) or NeMo checkpoint (.nemo)."`
	Name        string `placeholder:"NAME" help:"Name of the model; default: the name of the folder or file."`
	AnyLanguage bool   `help:"Install a model that does not recognize Arabic."`
	Int8        bool   `name:"int8" help:"Convert to 8-bit weights, which are smaller and usually faster; the difference is measured."`
}

// Run converts and tests the model, installs it with its measurements, and selects it.
func (m *ModelImportCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) (err error) {
	if m.Name == "" {
		if m.Name, err = modelinstall.NameOf(m.Path); err != nil {
			return err
		}
	}
	if err := checkOwner(cfg); err != nil {
		return err
	}
	if err := models.OpenFolder(cfg.Data).CheckNameFree(m.Name); err != nil {
		return err
	}
	o := modelinstall.InstallOptions{Name: m.Name, AnyLanguage: m.AnyLanguage, Int8: m.Int8}
	return installModel(ctx, cfg, m.Path, o, nil, out)
}

// installModel tests the model at path, installs and selects it.
func installModel(
	ctx context.Context,
	cfg *config.Config,
	path string,
	o modelinstall.InstallOptions,
	source *modelinstall.Source,
	out io.Writer,
) error {
	report, err := storeModel(ctx, cfg, path, o, source, out)
	if err != nil {
		return err
	}
	if !report.HasInt8() {
		_, err = fmt.Fprintf(out, "\nA form with 8-bit weights needs less memory and is usually faster. "+
			"To measure it on this machine and install it beside this one: munadi model quantize %s\n", o.Name)
		if err != nil {
			return err
		}
	}
	if cfg.Model != "" {
		_, err := fmt.Fprintf(out, "\n%s is installed but not in use: %v\n", o.Name, fixedModel(cfg))
		return err
	}
	return useModel(ctx, cfg, o.Name, out)
}

// storeModel tests the model at path and installs it, without selecting it.
func storeModel(
	ctx context.Context, cfg *config.Config, path string, o modelinstall.InstallOptions, source *modelinstall.Source,
	out io.Writer,
) (report *modelcheck.TrialReport, err error) {
	p, err := prepareModel(ctx, cfg, path, o, out)
	if p == nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.DiscardModel()) }()
	if err == nil {
		err = p.InstallModel(source)
	}
	return p.Report, err
}

// fixedModel returns why no installed model can be selected.
func fixedModel(cfg *config.Config) error {
	return fmt.Errorf("the setting model, %s, takes precedence over installed models; remove it, then: munadi model use",
		cfg.Model)
}

// prepareModel converts and tests the model at path as the appliance would open it, and prints the result. The error
// names the missing part, or that the model cannot decode.
func prepareModel(
	ctx context.Context, cfg *config.Config, path string, o modelinstall.InstallOptions, out io.Writer,
) (*modelinstall.PreparedModel, error) {
	in := modelinstall.ModelInstaller{
		Models:  models.OpenFolder(cfg.Data),
		Samples: web.WebFiles(),
		Open: func(dir string) (modelcheck.TrialEngine, error) {
			c := *cfg
			c.Model = dir
			return openEngine(&c)
		},
	}
	p, fault := in.PrepareModel(ctx, path, o)
	if p == nil {
		return nil, fault
	}
	return p, errors.Join(printTrial(out, p.Report, fault), fault)
}

// ModelQuantizeCmd is munadi model quantize NAME.
type ModelQuantizeCmd struct {
	Model       string `arg:"" name:"model" placeholder:"NAME" help:"An installed model's name."`
	As          string `name:"name" placeholder:"NAME" help:"Name of the 8-bit form; default: NAME-int8."`
	AnyLanguage bool   `help:"Install a model that does not recognize Arabic."`
}

// Run converts the model's weights to 8 bits, tests both forms and installs the second one. The selection stays.
func (m *ModelQuantizeCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	if m.As == "" {
		m.As = modelinstall.Int8Name(m.Model)
	}
	s := models.OpenFolder(cfg.Data)
	if err := errors.Join(checkOwner(cfg), s.CheckInstalled(m.Model), s.CheckNameFree(m.As)); err != nil {
		return err
	}
	o := modelinstall.InstallOptions{Name: m.As, AnyLanguage: m.AnyLanguage, Int8: true, Beside: true}
	if _, err := storeModel(ctx, cfg, s.Folder(m.Model), o, nil, out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%s is installed beside %s and not in use. To use it: munadi model use %[1]s\n",
		m.As, m.Model)
	return err
}
