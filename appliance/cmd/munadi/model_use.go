package main

import (
	"context"
	"fmt"
	"io"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/models"
)

// builtIn is the name of the embedded model on the command line.
const builtIn = models.BuiltIn

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

// modelName returns the name of a model in package models: empty for the built-in one.
func modelName(name string) string {
	if name == builtIn {
		return ""
	}
	return name
}
