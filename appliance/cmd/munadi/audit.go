package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/evidence"
)

// AuditCmd is `munadi audit`: the audit log, who changed what.
type AuditCmd struct {
	Verify AuditVerifyCmd `cmd:"" help:"Check that every entry of every organization's audit log is there and unchanged, or of an exported file."`
	Export AuditExportCmd `cmd:"" help:"Write an organization's audit log to a file that can be checked by itself."`
}

// AuditVerifyCmd is `munadi audit verify`.
type AuditVerifyCmd struct {
	File    string `arg:"" optional:"" help:"A file of munadi audit export, which is checked by itself, on any machine; default: the database."`
	Key     string `placeholder:"KEY" help:"The public key that must have signed the file, as munadi evidence key prints it."`
	Compare bool   `help:"Also check that the database still has what the file has: that it was not put back to an older state."`
}

// Run checks a file, or prints a line for each organization; its error counts those with a fault.
func (v *AuditVerifyCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	switch {
	case v.File != "":
		return v.verifyFile(ctx, cfg, app)
	case v.Key != "" || v.Compare:
		return errors.New("--key and --compare are of a file: name one")
	}
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		all, err := a.VerifyAudit(ctx)
		if err != nil {
			return err
		}
		faults := 0
		for _, one := range all {
			if one.Fault != "" {
				faults++
			}
			if _, err := fmt.Fprintln(app.Stdout, describeAudit(one)); err != nil {
				return err
			}
		}
		if faults > 0 {
			return fmt.Errorf("the audit log of %d of %d organizations is not as it was written", faults, len(all))
		}
		return nil
	})
}

// verifyFile checks an export and prints what it holds.
func (v *AuditVerifyCmd) verifyFile(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	file, err := os.Open(v.File)
	if err != nil {
		return fmt.Errorf("open the export: %w", err)
	}
	defer file.Close()
	found, err := evidence.VerifyAuditFile(file)
	if err == nil {
		err = evidence.CheckKey(found.Key, v.Key)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", v.File, err)
	}
	scope := "the whole audit log, nothing is missing"
	if len(found.Selected) > 0 {
		scope = describeSelection(found.Selected) + ": each is unchanged, and the file as it was signed"
	}
	_, err = fmt.Fprintf(app.Stdout, "ok    %s: %d entries of %s, made at %s\n      %s\n", found.Organization,
		found.Entries, scope, found.MadeAt.UTC().Format(time.RFC3339), describeKey(found.Key, v.Key))
	if err != nil || !v.Compare {
		return err
	}
	return compareDatabase(ctx, cfg, app, found)
}

// describeSelection returns the filters of an export in words: "action call., from 2026-11-01T00:00:00Z".
func describeSelection(filters map[string]string) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		words = append(words, name+" "+filters[name])
	}
	return strings.Join(words, ", ")
}

// compareDatabase checks that the database still has what an export has.
func compareDatabase(ctx context.Context, cfg *config.Config, app *kong.Kong, file evidence.AuditFile) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		own, err := a.SigningKey(ctx)
		if err == nil {
			err = evidence.CheckKey(file.Key, own)
		}
		if err != nil {
			return err
		}
		fault, err := a.CompareAudit(ctx, file)
		if err == nil && fault != "" {
			err = errors.New("the database: " + fault)
		}
		if err == nil {
			_, err = fmt.Fprintln(app.Stdout, "      the database still has everything that the file has")
		}
		return err
	})
}

// describeKey says whose signature a file has.
func describeKey(key, expected string) string {
	if expected != "" {
		return "signed by the key that you named"
	}
	return "signed by the key " + key + ": compare it with that of the appliance (munadi evidence key, or --key)"
}

// AuditExportCmd is `munadi audit export`.
type AuditExportCmd struct {
	File   string    `arg:"" help:"The file to write; - is the standard output."`
	Org    string    `default:"default" placeholder:"ID" help:"Organization."`
	CSV    bool      `name:"csv" help:"For spreadsheets; munadi audit verify checks only JSON Lines, the default."`
	From   time.Time `placeholder:"TIME" help:"Entries from this time on, like 2026-11-21T09:00:00Z."`
	To     time.Time `placeholder:"TIME" help:"Entries before this time."`
	Actor  string    `placeholder:"TEXT" help:"Entries whose actor begins with this: user:, key:, command line."`
	Action string    `placeholder:"TEXT" help:"Entries whose action begins with this: call., rules.put."`
}

// Run writes the file; on an error none is left.
func (x *AuditExportCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	q := admin.AuditExport{OrgID: x.Org, CSV: x.CSV, Filter: evidence.AuditFilter{
		From: x.From, To: x.To, Actor: x.Actor, Action: x.Action,
	}}
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		return writeExport(x.File, app.Stdout, func(w io.Writer) error { return a.ExportAudit(ctx, q, w) })
	})
}

// describeAudit returns the line of one organization.
func describeAudit(r admin.AuditReport) string {
	if r.Fault != "" {
		return fmt.Sprintf("FAIL  %s: %s", r.OrgID, r.Fault)
	}
	line := fmt.Sprintf("ok    %s: %d entries, all there and unchanged", r.OrgID, r.Entries)
	if r.Older > 0 {
		began := r.Began.UTC().Format(time.RFC3339)
		line += fmt.Sprintf(" since %s, when the %d older ones were sealed together", began, r.Older)
	}
	return line
}
