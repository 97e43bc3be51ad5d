package main

import (
	"context"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
	"github.com/google/renameio/v2"

	"munadi/appliance/admin"
	"munadi/appliance/config"
)

// PeopleCmd is `munadi people`: the data of called people.
type PeopleCmd struct {
	Export PeopleExportCmd `cmd:"" help:"Write all that is stored of a person: calls with what was said, and recordings."`
}

// PeopleExportCmd is `munadi people export NUMBER`.
type PeopleExportCmd struct {
	Number string `arg:"" help:"The person's telephone number."`
	Out    string `required:"" placeholder:"FILE" help:"The ZIP file to write; - is the standard output."`
	Org    string `default:"default" placeholder:"ID" help:"Organization."`
}

// Run writes the file; on an error none is left.
func (x *PeopleExportCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		err := writeExport(x.Out, app.Stdout, func(w io.Writer) error { return a.ExportPerson(ctx, x.Org, x.Number, w) })
		if err != nil || x.Out == "-" {
			return err
		}
		_, err = fmt.Fprintf(app.Stderr, "%s holds all that is stored of the person.\n", x.Out)
		return err
	})
}

// writeExport writes a file, or the standard output for the path "-". On an error no file is left.
func writeExport(path string, stdout io.Writer, write func(io.Writer) error) error {
	if path == "-" {
		return write(stdout)
	}
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o600))
	if err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	defer func() { _ = file.Cleanup() }()
	if err := write(file); err != nil {
		return err
	}
	if err := file.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	return nil
}
