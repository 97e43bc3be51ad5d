package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/config"
)

// EvidenceCmd is `munadi evidence`: files that prove something outside of the appliance.
type EvidenceCmd struct {
	Key EvidenceKeyCmd `cmd:"" help:"Print the public key that signs exports of the audit log."`
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
