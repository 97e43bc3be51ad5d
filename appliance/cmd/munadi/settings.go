package main

import (
	"fmt"
	"io"

	"github.com/alecthomas/kong"

	"munadi/appliance/config"
)

// SettingsCmd is munadi config: prints the annotated munadi.yaml, or checks the one in use.
type SettingsCmd struct {
	Check bool `help:"Validate the settings in use and report each fault with its source."`
}

// Run prints the file. Without --check it does not load the configuration, so that it works with a broken one.
func (c SettingsCmd) Run(ctx *kong.Context, out io.Writer) error {
	if !c.Check {
		return config.WriteAnnotated(out)
	}
	_, err := ctx.Call(func(cfg *config.Config) error {
		from := cfg.File
		if from == "" {
			from = "no file"
		}
		_, err := fmt.Fprintf(out, "The settings are valid (%s).\n", from)
		return err
	})
	return err
}
