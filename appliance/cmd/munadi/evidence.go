package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/evidence"
)

// EvidenceCmd is `munadi evidence`: files that prove something outside of the appliance.
type EvidenceCmd struct {
	Check EvidenceCheckCmd `cmd:"" default:"withargs" help:"Check the evidence of a call, on any machine, and print what it says."`
	Key   EvidenceKeyCmd   `cmd:"" help:"Print the public key that signs evidence and exports of the audit log."`
}

// EvidenceKeyCmd is `munadi evidence key`.
type EvidenceKeyCmd struct{}

// Run prints the key.
func (*EvidenceKeyCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		key, err := a.SigningKey(ctx)
		if err == nil {
			_, err = fmt.Fprintln(app.Stdout, key)
		}
		return err
	})
}

// EvidenceCheckCmd is `munadi evidence FILE`. It needs no appliance.
type EvidenceCheckCmd struct {
	File string `arg:"" help:"A file of GET /api/v1/calls/{id}/evidence, or of the console."`
	Key  string `placeholder:"KEY" help:"The public key that must have signed it, as munadi evidence key prints it."`
}

// Run checks the file and prints its parts.
func (e *EvidenceCheckCmd) Run(app *kong.Kong) error {
	file, err := os.Open(e.File)
	if err != nil {
		return fmt.Errorf("open the evidence: %w", err)
	}
	defer file.Close()
	found, err := evidence.VerifyCallEvidence(file)
	if err == nil {
		err = evidence.CheckKey(found.Key, e.Key)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", e.File, err)
	}
	out := app.Stdout
	fmt.Fprintf(out, "ok    %s of %s, made at %s: nothing was changed\n      %s\n", found.CallID, found.Organization,
		found.MadeAt.UTC().Format(time.RFC3339), describeKey(found.Key, e.Key))
	for _, line := range found.Describe() {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}
