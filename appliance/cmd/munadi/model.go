package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelinstall"
	"munadi/assets/web"
	"munadi/engine"
)

// ModelCmd is munadi model.
type ModelCmd struct {
	Info   ModelInfoCmd   `cmd:"" help:"Describe the model: its training data, error rates and limits."`
	Verify ModelVerifyCmd `cmd:"" help:"Check and test the model in use, a folder or a NeMo checkpoint, and report what it lacks."`
	Import ModelImportCmd `cmd:"" help:"Check and measure a folder or a NeMo checkpoint, install it and use it, now if munadi runs."`
	Pull   ModelPullCmd   `cmd:"" help:"Fetch a model from the hub, check and measure it, install it and use it."`
	List   ModelListCmd   `cmd:"" help:"List what is installed, and models known to work."`
	Use    ModelUseCmd    `cmd:"" help:"Go back to an installed model, or to built-in."`
	Remove ModelRemoveCmd `cmd:"" help:"Remove an installed model that is not in use."`
}

// ModelInfoCmd is munadi model info.
type ModelInfoCmd struct{}

// Run opens the configured model and prints its description, with the measurements of its installation.
func (ModelInfoCmd) Run(cfg *config.Config, out io.Writer) error {
	e, err := openEngine(cfg)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	if err := describeModel(out, e.ModelInfo()); err != nil {
		return err
	}
	if err := printReport(cfg, out); err != nil {
		return err
	}
	return printInstalled(cfg, out)
}

// printReport prints the import report of the model; a model that was never imported has none.
func printReport(cfg *config.Config, out io.Writer) error {
	path, err := modelFolder(cfg)
	if err != nil || path == "" {
		return err
	}
	b, err := os.ReadFile(filepath.Join(path, modelcheck.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	r, err := modelcheck.ParseReport(b)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	return r.Write(out)
}

// modelFolder returns the folder of the selected model; empty for the built-in one.
func modelFolder(cfg *config.Config) (string, error) {
	if cfg.Model != "" {
		return cfg.Model, nil
	}
	return models.OpenFolder(cfg.Data).CurrentModel()
}

// printInstalled prints the names of the models that can be selected, if there is more than one.
func printInstalled(cfg *config.Config, out io.Writer) error {
	names := models.OpenFolder(cfg.Data).InstalledNames()
	if len(names) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "\nTo choose from (munadi model use NAME): %s, %s\n", builtIn, strings.Join(names, ", "))
	return err
}

// ModelVerifyCmd is munadi model verify [PATH].
type ModelVerifyCmd struct {
	Path        string `arg:"" optional:"" help:"Model folder (onnx-asr, sherpa-onnx) or NeMo checkpoint; the model in use if absent."`
	AnyLanguage bool   `help:"Accept a model that does not recognize Arabic."`
}

// Run tests the model and prints its description.
func (v *ModelVerifyCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	if v.Path == "" {
		return v.verifyCurrent(ctx, cfg, out)
	}
	p, err := prepareModel(ctx, cfg, v.Path, modelinstall.InstallOptions{AnyLanguage: v.AnyLanguage}, out)
	if p != nil {
		err = errors.Join(err, p.DiscardModel())
	}
	return err
}

// verifyCurrent tests the model that the appliance would open.
func (v *ModelVerifyCmd) verifyCurrent(ctx context.Context, cfg *config.Config, out io.Writer) error {
	open := func() (modelcheck.TrialEngine, error) { return openEngine(cfg) }
	r, err := modelcheck.RunTrial(ctx, open, web.WebFiles())
	if err != nil {
		return err
	}
	fault := r.DecodingFault()
	if fault == nil && !v.AnyLanguage {
		fault = r.NoArabic()
	}
	return errors.Join(printTrial(out, r, fault), fault)
}

// printTrial prints the verdict of a trial, the model's description and the measurements.
func printTrial(out io.Writer, r *modelcheck.TrialReport, fault error) error {
	verdict := "The model can be used."
	if fault != nil {
		verdict = "The model's files are consistent, but the model cannot be used."
	}
	_, err := fmt.Fprintf(out, "%s\n\n", verdict)
	err = errors.Join(err, describeModel(out, r.Info))
	_, err2 := fmt.Fprintln(out)
	return errors.Join(err, err2, r.Write(out))
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
	err := printTrial(out, p.Report, fault)
	if p.Full != nil {
		_, err2 := fmt.Fprintln(out)
		err = errors.Join(err, err2, p.Report.WriteComparison(out, p.Full))
	}
	return p, errors.Join(err, fault)
}

// builtIn is the name of the embedded model on the command line.
const builtIn = models.BuiltIn

// ModelImportCmd is munadi model import PATH.
type ModelImportCmd struct {
	Path        string `arg:"" help:"Folder in onnx-asr's or sherpa-onnx's layout, or a NeMo checkpoint (.nemo)."`
	Name        string `placeholder:"NAME" help:"Name of the model; the folder's or file's name if absent."`
	AnyLanguage bool   `help:"Install a model that does not recognize Arabic."`
	Int8        bool   `name:"int8" help:"Install 8-bit weights: smaller, as a rule faster; what changes is measured."`
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
) (err error) {
	p, err := prepareModel(ctx, cfg, path, o, out)
	if p != nil {
		defer func() { err = errors.Join(err, p.DiscardModel()) }()
	}
	if err != nil {
		return err
	}
	if err := p.InstallModel(source); err != nil {
		return err
	}
	if cfg.Model != "" {
		_, err := fmt.Fprintf(out, "\n%s is installed, and not in use: %v\n", o.Name, fixedModel(cfg))
		return err
	}
	return useModel(ctx, cfg, o.Name, out)
}

// fixedModel returns why no installed model can be selected.
func fixedModel(cfg *config.Config) error {
	return fmt.Errorf("the setting model, %s, takes precedence over installed models; remove it, then: munadi model use",
		cfg.Model)
}

// ModelUseCmd is munadi model use NAME.
type ModelUseCmd struct {
	Name string `arg:"" help:"An installed model's name, or built-in."`
}

// Run selects the model.
func (m *ModelUseCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	return useModel(ctx, cfg, m.Name, out)
}

// useModel selects a model; if the running appliance can't open it, the previous selection is restored.
func useModel(ctx context.Context, cfg *config.Config, name string, out io.Writer) error {
	if err := checkOwner(cfg); err != nil {
		return err
	}
	if cfg.Model != "" {
		return fixedModel(cfg)
	}
	running := false
	before, err := models.OpenFolder(cfg.Data).SwitchModel(modelName(name), func() (err error) {
		running, err = admin.ReloadModel(ctx, cfg.Data)
		return err
	})
	if err != nil {
		return err
	}
	when := "from the next start"
	if running {
		when = "now"
	}
	back := builtIn
	if before != "" && before != name {
		back = before
	}
	undo := ""
	if name != back {
		undo = " To undo: munadi model use " + back
	}
	_, err = fmt.Fprintf(out, "\nThe appliance uses %s %s.%s%s\n", name, when, undo,
		sharedNote(cfg, "The appliances that share the bucket follow it."))
	return err
}

// sharedNote returns a sentence on its own line if models are shared through a bucket, otherwise "".
func sharedNote(cfg *config.Config, sentence string) string {
	if !cfg.KeepsElsewhere() {
		return ""
	}
	return "\n" + sentence
}

// describeModel prints a model's description.
func describeModel(out io.Writer, info engine.EngineInfo) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	row("name", "%s", info.Name)
	row("layout", "%s", info.Layout)
	row("precision", "%s", info.Precision)
	row("encoder", "%.1f M parameters", float64(info.Parameters)/1e6)
	row("size", "%.1f MiB", float64(info.Bytes)/(1<<20))
	row("vocabulary", "%d pieces and the blank", info.Vocabulary)
	row("heads", "%s", strings.Join(info.Heads, ", "))
	row("decoding", "%s", info.Decoding)
	row("threads", "%d", info.Threads)
	if len(info.Latencies) > 0 {
		row("live text", "streaming, latency %s", info.LatencyList(", "))
	}
	for _, m := range info.Metrics {
		row("measured", "%s", m)
	}
	errs := []error{w.Flush()}
	languages := make([]string, 0, len(info.Label))
	for lang := range info.Label {
		languages = append(languages, lang)
	}
	slices.Sort(languages)
	for _, lang := range languages {
		_, err := fmt.Fprintf(out, "\n%s\n", info.Label[lang])
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// modelName returns the name of a model in package models: empty for the built-in one.
func modelName(name string) string {
	if name == builtIn {
		return ""
	}
	return name
}
