package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"munadi/appliance"
	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/shelf"
	"munadi/engine"
)

// ModelCmd is munadi model.
type ModelCmd struct {
	Info   ModelInfoCmd   `cmd:"" help:"Say what the model is, what it was trained on and what it can't do."`
	Verify ModelVerifyCmd `cmd:"" help:"Check a model folder and say what it lacks."`
	Import ModelImportCmd `cmd:"" help:"Check a folder, copy it into the data folder and use it, now if it runs."`
	Use    ModelUseCmd    `cmd:"" help:"Go back to an installed model, or to built-in."`
}

// ModelInfoCmd is munadi model info.
type ModelInfoCmd struct{}

// Run opens the configured model and describes it.
func (ModelInfoCmd) Run(cfg *config.Config, out io.Writer) error {
	e, err := appliance.OpenEngine(cfg)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	return describe(out, e.Info())
}

// ModelVerifyCmd is munadi model verify PATH.
type ModelVerifyCmd struct {
	Path string `arg:"" help:"Folder in onnx-asr's or sherpa-onnx's layout."`
}

// Run tries the folder and describes it.
func (v *ModelVerifyCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	return verify(ctx, cfg, v.Path, out)
}

// verify opens the folder as the appliance would, decodes a second of silence with it, and describes it.
func verify(ctx context.Context, cfg *config.Config, path string, out io.Writer) error {
	c := *cfg
	c.Model = path
	e, err := appliance.OpenEngine(&c)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	res, err := e.Transcribe(ctx, &silence{left: 16000}, engine.Options{NoVAD: true})
	if err != nil {
		return fmt.Errorf("the model loads but does not decode: %w", err)
	}
	if _, err := fmt.Fprintf(out, "The folder holds a model that fits; a second of silence took %d ms and gave %q.\n\n",
		res.Timings.Total.Milliseconds(), res.Text); err != nil {
		return err
	}
	return describe(out, e.Info())
}

// builtIn is the name by which a person asks for the embedded model.
const builtIn = "built-in"

// ModelImportCmd is munadi model import PATH.
type ModelImportCmd struct {
	Path string `arg:"" help:"Folder in onnx-asr's or sherpa-onnx's layout."`
	Name string `help:"What to call it; the folder's name if absent."`
}

// Run verifies the folder, installs it and makes it current.
func (m *ModelImportCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	if err := verify(ctx, cfg, m.Path, out); err != nil {
		return err
	}
	if m.Name == "" {
		m.Name = filepath.Base(filepath.Clean(m.Path))
	}
	s := shelf.In(cfg.Data)
	if _, err := s.Install(m.Path, m.Name); err != nil {
		return err
	}
	return use(ctx, cfg, m.Name, out)
}

// ModelUseCmd is munadi model use NAME.
type ModelUseCmd struct {
	Name string `arg:"" help:"An installed model's name, or built-in."`
}

// Run makes it current.
func (m *ModelUseCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	return use(ctx, cfg, m.Name, out)
}

// use makes a model current; one that the running appliance can't open is taken back.
func use(ctx context.Context, cfg *config.Config, name string, out io.Writer) error {
	s := shelf.In(cfg.Data)
	before, err := s.Current()
	if err != nil {
		before = "" // what was current is gone: the way back is the built-in model
	}
	if err := s.Use(named(name)); err != nil {
		return err
	}
	running, err := admin.Reload(ctx, cfg.Data)
	if err != nil {
		back := ""
		if before != "" {
			back = filepath.Base(before)
		}
		return errors.Join(err, s.Use(back))
	}
	when := "from the next start"
	if running {
		when = "now"
	}
	_, err = fmt.Fprintf(out, "\nThe appliance uses %s %s. The way back: munadi model use %s\n", name, when, builtIn)
	return err
}

// silence is so many samples of nothing.
type silence struct{ left int }

func (s *silence) Read(p []float32) (int, error) {
	n := min(len(p), s.left)
	clear(p[:n])
	s.left -= n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// describe prints what is known of a model.
func describe(out io.Writer, info engine.Info) error {
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

// named is the shelf's name of a model: none for the built-in one.
func named(name string) string {
	if name == builtIn {
		return ""
	}
	return name
}
