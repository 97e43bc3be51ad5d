package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	"munadi/appliance/config"
)

// SettingsCmd is munadi config: prints the annotated munadi.yaml, or checks the one in use.
type SettingsCmd struct {
	Check bool `help:"Validate the settings in use, with the files that they name, and report each fault with its source."`
}

// Run prints the file. Without --check it does not load the configuration, so that it works with a broken one.
func (c SettingsCmd) Run(ctx *kong.Context, out io.Writer) error {
	if !c.Check {
		return config.WriteAnnotated(out)
	}
	var fault error // Call returns only its own errors
	_, err := ctx.Call(func(cfg *config.Config, report config.FileFaults) {
		fault = checkSettings(cfg, report, out)
	})
	return errors.Join(err, fault)
}

// checkSettings checks the files that the settings name, and the environment.
func checkSettings(cfg *config.Config, report config.FileFaults, out io.Writer) error {
	if err := report(checkNamedFiles(cfg)); err != nil {
		return err
	}
	for name, advice := range adviseVariables(os.Environ()) {
		if _, err := fmt.Fprintf(out, "%s is not a setting%s\n", name, advice); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "The settings are valid (%s).\n", cmp.Or(cfg.File, "no file"))
	return err
}

// adviseVariables yields the environment's unknown MUNADI_ variables, sorted, each with what may be meant.
func adviseVariables(environment []string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		unknown := config.UnknownVariables(environment)
		for _, name := range slices.Sorted(maps.Keys(unknown)) {
			advice := "; munadi serve --help lists all settings"
			if unknown[name] != "" {
				advice = "; perhaps " + unknown[name] + " is meant"
			}
			if !yield(name, advice) {
				return
			}
		}
	}
}
