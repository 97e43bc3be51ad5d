package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"munadi/appliance"
	"munadi/appliance/config"
	"munadi/engine"
)

// ModelCmd is munadi model.
type ModelCmd struct {
	Info   ModelInfoCmd   `cmd:"" help:"Say what the model is, what it was trained on and what it can't do."`
	Verify ModelVerifyCmd `cmd:"" help:"Check a model folder and say what it lacks."`
}

// ModelInfoCmd is munadi model info.
type ModelInfoCmd struct{}

// Run opens the configured model and describes it.
func (ModelInfoCmd) Run(cfg *config.Config, out io.Writer) error {
	e, err := appliance.OpenEngine(cfg)
	if err != nil {
		return err
	}
	defer e.Close()
	return describe(out, e.Info())
}

// ModelVerifyCmd is munadi model verify PATH.
type ModelVerifyCmd struct {
	Path string `arg:"" help:"Folder in onnx-asr's or sherpa-onnx's layout."`
}

// Run opens the folder as the appliance would, decodes a second of silence with it, and describes it.
func (v *ModelVerifyCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	c := *cfg
	c.Model = v.Path
	e, err := appliance.OpenEngine(&c)
	if err != nil {
		return err
	}
	defer e.Close()
	res, err := e.Transcribe(ctx, &silence{left: 16000}, engine.Options{NoVAD: true})
	if err != nil {
		return fmt.Errorf("the model loads but does not decode: %w", err)
	}
	if _, err := fmt.Fprintf(out, "The folder holds a model that fits; a second of silence took %d ms and came out as %q.\n\n",
		res.Timings.Total.Milliseconds(), res.Text); err != nil {
		return err
	}
	return describe(out, e.Info())
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
