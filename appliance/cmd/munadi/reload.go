package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"munadi/appliance/admin"
	"munadi/appliance/config"
)

// ReloadCmd is munadi reload.
type ReloadCmd struct{}

// Run makes the running appliance reload its settings, and prints the changes.
func (ReloadCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	done, running, err := admin.ReloadSettings(ctx, cfg.Data)
	switch {
	case err != nil:
		return fmt.Errorf("the settings were not reloaded; the old settings stay in force: %w", err)
	case !running:
		return errors.New("no appliance runs on this data folder (is --data right?)")
	case len(done.Changed)+len(done.Waiting) == 0:
		_, err = fmt.Fprintln(out, "Nothing has changed.")
	}
	if err == nil && len(done.Changed) > 0 {
		_, err = fmt.Fprintln(out, "In force now:", strings.Join(done.Changed, ", "))
	}
	if err == nil && len(done.Waiting) > 0 {
		_, err = fmt.Fprintln(out, "Needs a restart:", strings.Join(done.Waiting, ", "))
	}
	return err
}
