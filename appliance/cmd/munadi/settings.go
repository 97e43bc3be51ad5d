package main

import (
	"fmt"
	"io"

	"github.com/alecthomas/kong"

	"munadi/appliance/config"
)

// SettingsCmd is munadi config: the annotated munadi.yaml, or a look whether the one in use is right.
type SettingsCmd struct {
	Check bool `help:"Say whether the settings in use are right, with the place of each fault; print nothing else."`
}

// Run prints the file. Without --check it wants no configuration: the way out of a broken one.
func (c SettingsCmd) Run(ctx *kong.Context, out io.Writer) error {
	if !c.Check {
		return config.WriteAnnotated(out)
	}
	_, err := ctx.Call(func(cfg *config.Config) error {
		from := cfg.File
		if from == "" {
			from = "no file"
		}
		_, err := fmt.Fprintf(out, "The settings are right (%s).\n", from)
		return err
	})
	return err
}
