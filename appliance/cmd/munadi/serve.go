package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"munadi/appliance"
	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/monitor/systemd"
	"munadi/engine/processors"
)

// ServeCmd is munadi serve.
type ServeCmd struct{}

// Run serves until ctx ends.
func (ServeCmd) Run(ctx context.Context, cfg *config.Config, again configReader) error {
	processors.ShareByKernel()
	limitGarbage(os.Getenv("GOGC"))
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // SIGHUP no longer ends the process
	level := new(slog.LevelVar)
	level.Set(cfg.LogLevel)
	log := newLogger(cfg.LogFormat, level)
	for name, meant := range config.UnknownVariables(os.Environ()) {
		said := []any{"variable", name}
		if meant != "" {
			said = append(said, "perhaps", meant)
		}
		log.Warn("unknown environment variable; munadi serve --help lists all settings", said...)
	}
	a, err := appliance.New(cfg, versionString(), log)
	if err != nil {
		return err
	}
	a.Manager, a.Settings, a.Level = systemd.FromEnvironment(), again, level
	go reloadOn(ctx, hangups, a)
	return errors.Join(a.Run(ctx), a.Close())
}

// gcPercent is the garbage collector's target (GOGC). With 20 conversations 62 MiB are in use: Go's default of 100 kept
// 35 MiB more, and collecting twice as often cost no measurable time.
const gcPercent = 50

// ballastBytes is the size of memory that is counted as in use but never written, so that no page of it is resident. An
// idle heap is so small that with gcPercent the collector would run after every few requests; with it at least half of
// this is allocated between two runs.
const ballastBytes = 32 << 20

var ballast []byte

// limitGarbage sets the garbage collector's target, unless the environment (GOGC) does.
func limitGarbage(environment string) {
	if environment == "" {
		debug.SetGCPercent(gcPercent)
		ballast = make([]byte, ballastBytes)
	}
}

// reloadOn reloads the settings at each signal; [appliance.Appliance.ReloadSettings] logs the result.
func reloadOn(ctx context.Context, signals <-chan os.Signal, a *appliance.Appliance) {
	for {
		select {
		case <-signals:
			_, _ = a.ReloadSettings()
		case <-ctx.Done():
			return
		}
	}
}

// newLogger returns a logger to standard error, in text or JSON format.
func newLogger(format string, level slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

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
