package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"munadi/appliance/config"
	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelinstall"
	"munadi/assets/web"
	"munadi/engine"
)

// ModelCmd is munadi model.
type ModelCmd struct {
	Info     ModelInfoCmd     `cmd:"" help:"Describe the model in use: its training data, error rates and limits."`
	Verify   ModelVerifyCmd   `cmd:"" help:"Test the model in use, a model folder or a NeMo checkpoint, and report faults."`
	Import   ModelImportCmd   `cmd:"" help:"Test and install a model folder or a NeMo checkpoint and use it, at once if munadi runs."`
	Pull     ModelPullCmd     `cmd:"" help:"Download a model from the hub, test it, install it and use it."`
	Quantize ModelQuantizeCmd `cmd:"" help:"Install an installed model a second time with 8-bit weights, and print how the two differ on this machine."`
	List     ModelListCmd     `cmd:"" help:"List the installed models, and models known to work."`
	Use      ModelUseCmd      `cmd:"" help:"Use an installed model, or built-in."`
	Remove   ModelRemoveCmd   `cmd:"" help:"Remove an installed model that is not in use."`
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
	r, err := modelcheck.ReadReport(path)
	if r == nil || err != nil {
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
	_, err := fmt.Fprintf(out, "\nAvailable models (munadi model use NAME): %s, %s\n", builtIn, strings.Join(names, ", "))
	return err
}

// ModelVerifyCmd is munadi model verify [PATH].
type ModelVerifyCmd struct {
	Path        string `arg:"" optional:"" help:"Model folder (onnx-asr, sherpa-onnx) or NeMo checkpoint; default: the model in use."`
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

// describeModel prints a model's description.
func describeModel(out io.Writer, info engine.EngineInfo) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	row("name", "%s", info.Name)
	row("layout", "%s", info.Layout)
	row("precision", "%s", info.DescribePrecision())
	row("encoder", "%.1f M parameters", float64(info.Parameters)/1e6)
	row("size", "%.1f MiB", float64(info.Bytes)/(1<<20))
	row("vocabulary", "%d pieces and the blank", info.Vocabulary)
	row("heads", "%s", strings.Join(info.Heads, ", "))
	row("decoding", "%s", info.Decoding)
	row("threads", "%d", info.Threads)
	row("files", "%s", info.DescribeChecksums())
	if len(info.Languages) > 1 {
		row("languages", "%s; usually %s", strings.Join(info.Languages, ", "), info.Usual)
	}
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
