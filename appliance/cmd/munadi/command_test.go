package main

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/alecthomas/kong"

	"munadi/appliance/config"
)

// runParsed parses and runs a command of cli, whose settings are c, and returns what it printed.
func runParsed(t *testing.T, cli any, c *config.Config, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	options := append(config.ParserOptions(c, func(string) (string, bool) { return "", false }),
		kong.BindTo(t.Context(), (*context.Context)(nil)), kong.BindTo(&out, (*io.Writer)(nil)))
	parser, err := kong.New(cli, options...)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(args)
	if err == nil {
		err = parsed.Run()
	}
	return out.String(), err
}
