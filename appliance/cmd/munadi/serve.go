package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"munadi/appliance"
	"munadi/appliance/config"
	"munadi/appliance/notify"
)

// ServeCmd is munadi serve.
type ServeCmd struct{}

// Run serves until ctx ends.
func (ServeCmd) Run(ctx context.Context, cfg *config.Config) error {
	a, err := appliance.New(cfg, version(), logger(cfg))
	if err != nil {
		return err
	}
	a.Manager = notify.FromEnvironment()
	return errors.Join(a.Run(ctx), a.Close())
}

// logger writes to standard error in the form that the configuration asks for.
func logger(cfg *config.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: cfg.LogLevel}
	if cfg.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}
